#include "check.h"
#include "run_lbm.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>

/** Whether a call ends with exit code 2 and one line, and with nothing done; `files` are there before it. */
static int is_refused(const char *line, int files)
{
    const Outcome o = lbm("%s", line);
    const int good = o.code == 2 && !o.killed && is_one_line(o.err) && !*o.out && count_files() == files;
    if (!good)
        printf("lbm %s: exit code %d, %d files\n%s%s", line, o.code, count_files(), o.out, o.err);
    return good;
}

TEST(the_old_name_of_a_command_is_refused_and_the_new_one_named)
{
    EXPECT(is_refused("sweep STAGE", 0));
    EXPECT(strstr(lbm("sweep STAGE").err, "lbm tune"));
}

/** Calls that are refused: what some begin with, and how each of them ends, with " | " between two. */
static const char *const bad_calls[] = {
    "",
    " | '' | jump | traffic | -h | --versions | run | run STAGE | run cavity | "
    "run cavity STAGE | run 'two\nlines' cavity | run STAGE lake | run STAGE '' | "
    "run 99_none cavity | run @missing | tune | converge | converge STAGE | "
    "converge poiseuille | converge poiseuille STAGE | converge 99_none poiseuille | "
    "converge STAGE lake | converge STAGE bodies | converge STAGE cylinder | units | "
    "run STAGE poiseuille --box 9,9,3,3 | converge STAGE cylinder --sizes 8,16 | "
    "converge STAGE cavity --sizes 7,14 | converge STAGE taylor_green --sizes 7,14",
    "traffic",
    "STAGE | nothing | --jump",
    "list",
    "STAGE | --all | @missing",
    "validate",
    "nothing | STAGE nothing | --size 9",
    "run STAGE cavity",
    "extra | --jump | -s 9 | -- | --SIZE 9 | --size=9 | --size | --size --quiet | "
    "--size '' | --size 0 | --size 12x | --size x12 | --size 12x0 | --size 12x12x12 | "
    "--size 12X12 | --size -12 | --size +12 | --size 1e9 | --size 12.0 | --size 2147483648 | "
    "--size 18446744073709551617 | --size 65536 | --size 2147483647x2147483647 | "
    "--size 2x9 | --tau 0.5 | --tau 0.4 | --tau nan | --tau inf | --tau 1e999 | --tau -1 | "
    "--tau 0 | --tau 0.8.1 | --re -1 | --re 0 | --re 1e-400 | --re 1e30 | --re ten | "
    "--re 0x10 --steps 1 | --re 0X1p4 --steps 1 | --tau 0x1 --steps 1 | "
    "--steady 0x1 --steps 1000 | --re 100 --tau 0.8 | --tau 0.8 --re 100 | --u 0.6 | --u 0 | "
    "--u -0.1 | --steps -1 | --steps 1e3 | --steps 9223372036854775808 | --steps ten | "
    "--steady 0 | --steady tol | --steady 1e-6 --steps 999 | --block 32 | --block 32x | "
    "--block 0x8 | --block 32x8x1 | --vtk | --vtk '' | --vtk --csv a | --vtk a --csv a | "
    "--field ux | --field mood --png a.png | --png a.png --pixels a.png | "
    "--pixels a.png --streamlines | --csv a --scale 1 | --plot | --plot a.svg --csv a.svg | "
    "--png a.png --scale 0 | --png a.png --scale -1 | --png a.png --scale nan | "
    "--png a.png --scale | --slice z=0 --pixels a.png | --field uz --pixels a.png | "
    "--probe 1,2,0 --probes p.csv | --every 5 | --every 0 --csv a | --every -5 --csv a | "
    "--every 5x --csv a | --circle 60,60,10 | --forces f.csv | --probes p.csv --probe 0,9 | "
    "--watch | --quiet 1 | @ | @missing | @. | @/dev/zero | --csv sub/ --every 1 --steps 1 | "
    "--vtk sub/",
    "run STAGE cylinder",
    "--circle 60,0x20,4 --steps 1 | --circle 60,60 | --circle 60,60,10,5 | "
    "--circle 60,60,0 | --circle 60,60,-4 | --circle 60,,4 | --circle 60,60,nan | "
    "--circle 60,60,1e999 | --circle 1e999,60,5 | --circle 60;60;5 | --circle '' | "
    "--circle | --circle 5,100,10 | --circle 500,100,10 | --circle 60.5,60.5,0.5 | "
    "--circle 60,60,10 --circle 90,90,10 | --mask a.png | --size 14 | "
    "--forces f.csv --steps 10 --sample 11 | --forces f.csv --steps 0 | "
    "--csv o.csv --every 10 --forces o_00000010.csv --steps 20 | --probe 9,9 | "
    "--probes p.csv | --probes p.csv --probe 9 | --probes p.csv --probe 9,9,9 | "
    "--probes p.csv --probe -9,9 | --probes p.csv --probe 9.5,9 | "
    "--probes p.csv --probe 400,9 | --probes p.csv --probe 9,200 | "
    "--probes p.csv --probe 100,100 | --probes p --probe 9,9 --forces p | "
    "--forces p --csv p | --sample 10 | --sample 0 --forces f.csv",
    "run STAGE bodies",
    "--box 9.5,9,3,3 --steps 1 | --box 9,9,2.5,3 --steps 1 | --box 9,9,3,3,3 --steps 1 | "
    "--box 9,9,3 | --box 9,9,3,0 | --box 0,9,3,3 | --size 20 --box 1,1,18,18 | "
    "--mask mask.png --png mask.png | "
    "--mask d_00000010.png --png d.png --every 10 --steps 20 | --mask missing.png | "
    "--mask . | --mask /dev/zero | --mask '' | --mask sub/",
    "run STAGE duct --size 4x5x6 --steps 1",
    "--slice | --slice z=1 | --slice z=6 --pixels a.png | --slice z=1.5 --pixels a.png | "
    "--slice z:1 --pixels a.png | --slice Z=1 --pixels a.png | --slice 1 --pixels a.png | "
    "--slice nan --pixels a.png | --probe 1,2 --probes p.csv | --probe 1,2,9 --plot a.svg | "
    "--streamlines --png a.png",
    "run STAGE channel_cylinder",
    "--circle 60,60,10 | --size 30x90",
    "bench",
    "nothing | STAGE nothing | --size 8 | --sizes | --sizes '' | --sizes 8, | --sizes ,8 | "
    "--sizes 8,,9 | --sizes 8;9 | --sizes 0 | --sizes -8 | --sizes 8x8 | --sizes 65536 | "
    "--sizes 99999999999999999999 | --sizes 64,2 | "
    "--sizes 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33 | "
    "--scenario | --scenario lake | --scenario '' | --block 32 | --block 2048x1 | "
    "--block 64x64 | --repeat 0 | --repeat 1001 | --repeat five | "
    "STAGE --phases 1 --sizes 8 --repeat 1 --csv | --csv '' | @missing | STAGE --csv sub/",
    "tune",
    "nothing | STAGE | STAGE STAGE | --size 8 | STAGE --size 0 | STAGE --size 8,9 | "
    "STAGE --block 8x8 | STAGE --scenario lake | STAGE --csv ''",
    "converge STAGE poiseuille",
    "extra | --plot | --plot a.svg --csv a.svg | --sizes | --sizes '' | --sizes 8 | "
    "--sizes 8, | --sizes 8,8 | --sizes 16,8 | --sizes 8,16,8 | --sizes 3,8 | --sizes 0,8 | "
    "--sizes -8,16 | --sizes 8.0,16 | --sizes 8x8,16x16 | --sizes 8,65536 | --sizes 8,nan | "
    "--tau 0.8 | --size 8 | --csv '' | --csv sub/ | @missing",
    "converge STAGE channel_cylinder",
    "--sizes 10,15 | --sizes 5,10 | --sizes 10,65530",
    "units",
    "0.01 0.01 1e-6 | --speed 1 --viscosity 1 --cells 1 | "
    "--length 1 --viscosity 1 --cells 1 | --length 1 --speed 1 --cells 1 | "
    "--length 1 --speed 1 --viscosity 1 | --length --speed 1 --viscosity 1 --cells 1 | "
    "--length 0 --speed 1 --viscosity 1 --cells 1 | "
    "--length -1 --speed 1 --viscosity 1 --cells 1 | "
    "--length 1m --speed 1 --viscosity 1 --cells 1 | "
    "--length 1,5 --speed 1 --viscosity 1 --cells 1 | "
    "--length nan --speed 1 --viscosity 1 --cells 1 | "
    "--length 1 --speed inf --viscosity 1 --cells 1 | "
    "--length 1 --speed 1e31 --viscosity 1e30 --cells 1 | "
    "--length 1 --speed 1 --viscosity 1e-31 --cells 1 | "
    "--length 1e6 --speed 1e6 --viscosity 0.99 --cells 1 | "
    "--length 1e-6 --speed 1e-6 --viscosity 1.01 --cells 1 | "
    "--length 1 --speed 1 --viscosity 0 --cells 1 | @missing",
    "units --length 1 --speed 1 --viscosity 1",
    "--cells 1 STAGE | --cells 0 | --cells 1.5 | --cells 1e3 | --cells 9223372036854775808 | "
    "--cells 20 --u 0 | --cells 20 --u | --cells 20 --re 5",
};

TEST(bad_calls_are_refused)
{
    for (size_t n = 0; n < sizeof bad_calls / sizeof *bad_calls; n += 2)
        for (const char *end = bad_calls[n + 1], *next; end; end = next ? next + 3 : NULL) {
            char line[256];
            next = strstr(end, " | ");
            snprintf(line, sizeof line, "%s %.*s", bad_calls[n], next ? (int)(next - end) : (int)strlen(end),
                     end);
            EXPECT(is_refused(line, 0));
        }
}

/* ---- Files that would replace each other, under whatever names ---- */

/** A folder with inputs, and with links to them; returns how many files that makes. */
static int make_inputs(void)
{
    empty_folder();
    write_file("d.png", "a mask\n");
    write_file("m_00000002.png", "another one\n");
    write_file("options", "--steps 1\n");
    write_file("o_00000002", "--steps 2\n");
    write_file("sizes", "--sizes 8\n");
    EXPECT(link("d.png", "hard.png") == 0 && symlink("d.png", "soft.png") == 0);
    EXPECT(symlink("m_00000002.png", "m.lnk") == 0 && symlink(".", "here") == 0);
    return count_files();
}

TEST(outputs_that_replace_inputs_are_refused)
{
    const char *const lines[] = {
        "run STAGE bodies --mask d.png --png ./d.png",
        "run STAGE bodies --mask ./d.png --png here/d.png",
        "run STAGE bodies --mask d.png --csv hard.png",
        "run STAGE bodies --mask d.png --vtk soft.png",
        "run STAGE bodies --mask soft.png --forces d.png",
        "run STAGE bodies --mask d.png --probes .//d.png --probe 1,1",
        "run STAGE bodies --mask m_00000002.png --png ./m.png --every 2",
        "run STAGE bodies --mask here/m_00000002.png --png m.png --every 2",
        "run STAGE bodies --mask m.lnk --png m.png --every 2",
        "run STAGE cavity @options --csv options",
        "run STAGE cavity @options --vtk ./options",
        "run STAGE cavity @here/options --csv options",
        "run STAGE cavity @options @o_00000002 --csv here/o --every 2",
        "bench STAGE @sizes --csv sizes",
        "bench STAGE @sizes --csv ./sizes",
        "converge STAGE poiseuille @sizes --sizes 8,16 --csv here/sizes",
    };
    const int files = make_inputs();
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++)
        EXPECT(is_refused(lines[n], files) && strstr(lbm("%s", lines[n]).err, " replace \""));
    write_file("sizes", "--size 8\n");
    char line[256];
    snprintf(line, sizeof line, "tune %s @sizes --csv here/sizes", stages[1]->name);
    EXPECT(is_refused(line, files));
    snprintf(line, sizeof line, "traffic %s @sizes --csv here/sizes", stages[1]->name);
    EXPECT(is_refused(line, files));
    EXPECT(strstr(lbm("run STAGE bodies --mask d.png --csv here/d.png").err,
                  "\"here/d.png\" would replace \"d.png\""));
}

TEST(outputs_that_replace_each_other_are_refused)
{
    const char *const lines[] = {
        "run STAGE cavity --csv a --vtk ./a",
        "run STAGE cavity --csv a --vtk here/a",
        "run STAGE cavity --csv ./sizes --vtk sizes",
        "run STAGE cavity --csv d.png --vtk hard.png",
        "run STAGE cylinder --csv o.csv --every 10 --forces ./o_00000010.csv --steps 20",
        "run STAGE cylinder --csv o.a_b --every 10 --forces here/o_00000010.a_b --steps 20",
        "run STAGE cylinder --csv o --every 2 --forces here/o_00000002 --steps 20",
    };
    const int files = make_inputs();
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++)
        EXPECT(is_refused(lines[n], files));
}

TEST(names_that_are_only_alike_are_two_files)
{
    const int files = make_inputs();
    EXPECT(mkdir("sub", 0700) == 0);
    EXPECT(lbm("run STAGE taylor_green --size 4 @options --csv a --vtk sub/a").code == 0);
    EXPECT(lbm("run STAGE taylor_green --size 4 @options --csv sub/options --vtk sub/d.png").code == 0);
    EXPECT(lbm("run STAGE taylor_green --size 4 @o_00000002 --every 2 --csv o.csv --vtk o_").code == 0);
    EXPECT(remove("sub/a") == 0 && remove("sub/options") == 0 && remove("sub/d.png") == 0);
    EXPECT(count_files() == files + 5); // sub, a, o_00000002.csv, o__00000002, o_.pvd
}

TEST(bad_option_files_are_refused)
{
    const char *const texts[] = {
        "--size\n",
        "--size 12x\n",
        "--size 9 9\n",
        "--quiet 1\n",
        "--help\n",
        "size 9\n",
        "--jump 1\n",
        "@options\n",
        "cavity\n",
        "-\n",
        "--size 9 --re 5\n",
        "--re 100\n--tau 0.8\n",
        "--size #9\n",
        "--tau 0.5",
        "\033]0;title\007\n",
        "--csv \"a b.csv\"\n",
        "--csv 'a'\n",
        "--re \"9\"\n",
        "\n\xEF\xBB\xBF--re 9\n",
    };
    for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
        write_file("options", texts[n]);
        EXPECT(is_refused("run STAGE cavity --steps 1 @options", 1));
    }
}

TEST(errors_in_option_files_name_file_and_line)
{
    write_file("options", "# comment\n\n--steps 1\n--size 12x\n");
    EXPECT(strstr(lbm("run STAGE cavity @options").err, "options, line 4: --size \"12x\""));
}

TEST(junk_as_an_option_file_is_refused)
{
    char line[6000];
    memset(line, 'a', sizeof line);
    memcpy(line, "--csv ", 6);
    line[sizeof line - 1] = '\0';
    write_file("options", line);
    EXPECT(is_refused("run STAGE cavity --steps 1 @options", 1));

    unsigned seed = 1;
    for (int n = 0; n < 20; n++) {
        FILE *file = fopen("options", "w");
        for (int c = 0; c < 3000; c++) {
            seed = seed * 1664525u + 1013904223u;
            putc(c == 0 ? n * 13 : (int)(seed >> 24), file);
        }
        fclose(file);
        EXPECT(is_refused("run STAGE cavity --steps 1 @options", 1));
    }
}

TEST(closed_option_file_is_refused)
{
    write_file("options", "--steps 1\n");
    chmod("options", 0);
    prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0); // with these two root may read it all the same
    prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
    if (system("cat options >/dev/null 2>&1") == 0)
        SKIP("permissions don't bind this user, whose capabilities can't be dropped");
    EXPECT(is_refused("run STAGE cavity @options", 1));
}
