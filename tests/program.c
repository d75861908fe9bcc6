#include "check.h"
#include "flow/units.h"
#include "host/allocate.h"
#include "host/clock.h"
#include "output/figure.h"
#include "output/png_picture.h"
#include "run_lbm.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

TEST(help_is_at_every_level)
{
    const char *const lines[] = {"--help",
                                 "--version",
                                 "list --help",
                                 "run --help",
                                 "run STAGE cavity --size 9 --help",
                                 "validate --help",
                                 "bench --help",
                                 "tune --help",
                                 "traffic --help",
                                 "converge --help",
                                 "units --help"};
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        EXPECT(is_good("%s", lines[n]));
        EXPECT(*lbm("%s", lines[n]).out);
    }
    const Outcome o = lbm("run --help");
    const char *const options[] = {
        "--size",   "--re",     "--tau",        "--u",     "--steps",       "--steady", "--block", "--vtk",
        "--png",    "--pixels", "--plot",       "--scale", "--streamlines", "--csv",    "--field", "--every",
        "--watch",  "--quiet",  "--circle",     "--box",   "--mask",        "--forces", "--probe", "--probes",
        "--sample", "@FILE",    "--checkpoint", "--save",  "--restart",     "--slice"};
    for (size_t n = 0; n < sizeof options / sizeof *options; n++)
        EXPECT(strstr(o.out, options[n]));
}

TEST(list_shows_stages_and_flows)
{
    const Outcome o = lbm("list");
    EXPECT(o.code == 0 && !*o.err);
    for (int n = 0; n < stage_count; n++)
        EXPECT(strstr(o.out, stages[n]->name) && strstr(o.out, stages[n]->summary));
    for (int n = 0; n < flow_count; n++)
        EXPECT(strstr(o.out, flows[n].name) && strstr(o.out, flows[n].about));
}

TEST(run_tells_what_it_does)
{
    const Outcome o = lbm("run STAGE cavity --size 18x18 --re 100 --u 0.1 --steps 1500 --block 16x4");
    EXPECT(o.code == 0 && !*o.err);
    // tau = 1/2 + 3 * 0.1 * 16 / 100
    const char *const parts[] = {"18 x 18", "tau 0.548", "nu 0.016", "Re 100",      "Mach 0.173",   "MiB",
                                 "1500 in", "MLUPS",     "mass",     "Ghia et al.", stages[0]->name};
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
        EXPECT(strstr(o.out, parts[n]));
    EXPECT(!strchr(o.out, '\033')); // no terminal, no terminal's language
    EXPECT(!strstr(o.out, "threads"));
}

TEST(run_tells_the_block_where_there_are_any)
{
    EXPECT(strstr(lbm("run %s cavity --size 18x18 --steps 5 --block 16x4", stages[1]->name).out,
                  "block     16 x 4 threads\n"));
}

TEST(speed_is_work_over_solver_time)
{
    const double start = now();
    const Outcome o = lbm("run STAGE taylor_green --size 100x50 --steps 3000");
    const double elapsed = now() - start;
    double seconds = 0.0, speed = 0.0;
    const char *line = strstr(o.out, "3000 in ");
    EXPECT(line && sscanf(line, "3000 in %lf s of solver time: %lf", &seconds, &speed) == 2);
    EXPECT(seconds > 0.3 * elapsed && seconds < elapsed);
    EXPECT_NEAR(speed * seconds, 15.0, 0.1 + 0.05 * seconds); // million updates; both are rounded for people
}

TEST(lost_mass_is_reported)
{
    const Outcome o = lbm("run STAGE cylinder --size 80x40 --steps 500");
    double drift = 0.0;
    const char *line = strstr(o.out, "drifted by ");
    EXPECT(line && sscanf(line, "drifted by %lf", &drift) == 1);
    EXPECT(fabs(drift) > 1e-5 && fabs(drift) < 0.1); // an open border keeps no mass
}

TEST(the_block_reaches_the_stage)
{
    const Outcome o = lbm("run %s cavity --size 9 --tau 0.8 --steps 1 --block 2048x1", stages[1]->name);
    EXPECT(o.code == 2 && is_one_line(o.err) && strstr(o.err, "2048x1") && !*o.out);
    EXPECT(is_good("run STAGE cavity --size 9 --tau 0.8 --steps 1 --block 2048x1")); // a CPU has no blocks
}

TEST(run_compares_with_the_analytic_solution)
{
    const Outcome o = lbm("run STAGE taylor_green --size 32 --steps 100");
    EXPECT(o.code == 0 && !*o.err);
    const char *error = strstr(o.out, "\nerror ");
    EXPECT(error && strstr(error, "analytic"));
    const double value = error ? atof(error + strlen("\nerror ")) : NAN;
    EXPECT(value > 1e-6 && value < 1e-2);
}

TEST(every_flow_runs)
{
    for (int n = 0; n < flow_count; n++) {
        const int plane = flows[n].lattice->dimensions == 2;
        EXPECT(is_good("run STAGE %s --size %s --tau 0.8 --steps 7 --quiet", flows[n].name,
                       plane ? "31x23" : "20"));
    }
}

TEST(quiet_run_says_nothing_and_writes)
{
    const Outcome o = lbm("run STAGE poiseuille --size 5x7 --steps 3 --quiet --csv a.csv --vtk a.vti");
    EXPECT(o.code == 0 && !*o.err && !*o.out);
    EXPECT(lines_of("a.csv") == CSV_HEAD + 5 * 7);
    EXPECT(lines_of("a.vti") > 0);
    EXPECT(count_files() == 2);
}

TEST(zero_steps_write_the_start)
{
    EXPECT(is_good("run STAGE poiseuille --size 4 --steps 0 --csv start.csv"));
    EXPECT(lines_of("start.csv") == CSV_HEAD + 4 * 4);
}

TEST(last_option_wins)
{
    EXPECT(is_good("run STAGE poiseuille --size 5 --size 3x4 --steps 1 --csv lost.csv --csv last.csv"));
    EXPECT(lines_of("last.csv") == CSV_HEAD + 3 * 4);
    EXPECT(lines_of("lost.csv") == -1);
}

TEST(option_files_are_read)
{
    write_file("options", "# a comment\n\n  --size 3x4   # the size\n--steps 1\n--quiet\n--csv\ta b#c.csv");
    const Outcome o = lbm("run @options STAGE poiseuille");
    EXPECT(o.code == 0 && !*o.err && !*o.out);
    EXPECT(lines_of("a b#c.csv") == CSV_HEAD + 3 * 4);
}

#define RUN "'" LBM "' run 00_cpu_aos cavity --size 9 --tau 0.8 --steps 3 --csv "

TEST(an_open_descriptor_takes_a_table)
{
    if (access("/dev/stdout", W_OK) != 0)
        SKIP("there is no /dev/stdout");
    const char *const commands[] = {
        RUN "file.csv >out",
        RUN "/dev/stdout --quiet | cmp - file.csv",
        RUN "/dev/stdout --quiet >out; cmp out file.csv",
        RUN
        "/dev/stdout >out; head -n 1 out | grep -q 00_cpu && tail -n 2 out | grep -q 'wrote.*/dev/stdout'",
        "test $(grep -c '^[0-9],' out) = 81",
        "echo a >log; " RUN "/dev/stderr --quiet 2>>log && { echo a; cat file.csv; } | cmp - log",
        "{ echo a >&3; " RUN
        "/dev/fd/3 --quiet; echo b >&3; } 3>log; { echo a; cat file.csv; echo b; } | cmp - log",
        "ln -s /proc/self/fd link; " RUN
        "link/4 --quiet 4>>log && { echo a; cat file.csv; echo b; cat file.csv; } "
        "| cmp - log",
        "{ rm log; " RUN "/dev/fd/3 --quiet && cat <&4 | cmp - file.csv; } 3>log 4<log",
        RUN
        "/dev/stdin <file.csv 2>err; test $? = 3 && grep -q '/dev/stdin: it is open for reading only' err",
        RUN "/dev/stdout --every 1 2>err; test $? = 2 && grep -q 'numbered files, and \"/dev/stdout\"' err",
    };
    for (size_t n = 0; n < sizeof commands / sizeof *commands; n++)
        EXPECT(system(commands[n]) == 0);
}

TEST(a_byte_order_mark_is_skipped)
{
    write_file("options", "\xEF\xBB\xBF--size 3x4\n--steps 1\n--csv marked.csv\n");
    EXPECT(is_good("run STAGE poiseuille @options"));
    EXPECT(lines_of("marked.csv") == CSV_HEAD + 3 * 4);
    write_file("options", "\xEF\xBB\xBF# a comment\n--jump\n");
    EXPECT(strstr(lbm("run STAGE poiseuille @options").err, "options, line 2: unknown option \"--jump\""));
}

TEST(an_equals_sign_behind_an_option_is_explained)
{
    write_file("options", "--steps 1\n--size=20\n");
    EXPECT(strcmp(lbm("run STAGE cavity @options").err,
                  "lbm: options, line 2: \"--size=20\": a blank separates an option from its value, as in "
                  "\"--size 20\"\n") == 0);
    EXPECT(strstr(lbm("run STAGE cavity --size=20").err, "as in \"--size 20\""));
    EXPECT(strstr(lbm("bench --sizes=64").err, "as in \"--sizes 64\""));
    EXPECT(strstr(lbm("run STAGE cavity --sizes=20").err, "unknown option \"--sizes=20\""));
}

TEST(quotes_in_option_files_are_explained)
{
    write_file("options", "--steps 1\n--csv \"a b.csv\"\n");
    EXPECT(strstr(lbm("run STAGE cavity @options").err,
                  "line 2: --csv \"a b.csv\" makes no sense: a value stands here without quotes"));
}

TEST(numbers_are_decimal)
{
    EXPECT(strstr(lbm("run STAGE cavity --size 9 --steps 1 --re 1.6e+1").out, "Re 16,"));
    EXPECT(strstr(lbm("run STAGE cavity --size 9 --steps 1 --re .5E2").out, "Re 50,"));
    EXPECT(strstr(lbm("run STAGE bodies --box 9.5,9.5,2.5,2.5 --steps 1").err, "four integers"));
}

TEST(option_files_and_arguments_override_each_other)
{
    write_file("options", "--size 3x4\n--steps 1\n");
    EXPECT(is_good("run STAGE poiseuille @options --size 5x6 --csv after.csv"));
    EXPECT(lines_of("after.csv") == CSV_HEAD + 5 * 6);
    EXPECT(is_good("run STAGE poiseuille --size 5x6 @options --csv before.csv"));
    EXPECT(lines_of("before.csv") == CSV_HEAD + 3 * 4);
}

TEST(every_numbers_the_files)
{
    EXPECT(is_good("run STAGE poiseuille --size 4 --steps 25 --every 10 --csv ./flow.csv --vtk .flow"));
    const char *const names[] = {"flow_00000010.csv", "flow_00000020.csv", "flow_00000025.csv",
                                 ".flow_00000010",    ".flow_00000020",    ".flow_00000025"};
    for (int n = 0; n < 6; n++)
        EXPECT(lines_of(names[n]) > 0);
    EXPECT(count_files() == 7); // and the list of those for ParaView
}

/** The scale of numbered pictures follows from the flow; that of a single one from what is in it. */
TEST(numbered_pictures_keep_one_scale)
{
    if (!can_write_png())
        SKIP("built without libpng");
    const char *const scales[][2] = {
        {"speed", "0.15"},
        {"ux",    "0.15"},
        {"rho",   "0.09"}
    };
    for (int n = 0; n < 3; n++) {
        char line[256];
        empty_folder();
        snprintf(line, sizeof line, "run STAGE cavity --size 9 --u 0.1 --re 10 --steps 3 --field %s",
                 scales[n][0]);
        EXPECT(is_good("%s --every 3 --pixels many.png", line));
        EXPECT(is_good("%s --scale %s --pixels told.png", line, scales[n][1]));
        EXPECT(is_good("%s --pixels own.png", line));
        EXPECT(are_equal("many_00000003.png", "told.png") && !are_equal("many_00000003.png", "own.png"));
    }
}

/** The list says which file is of which time; a name may hold what XML takes for its own. */
TEST(the_list_names_the_numbered_files)
{
    EXPECT(mkdir("sub", 0700) == 0);
    EXPECT(is_good("run STAGE poiseuille --size 4 --steps 25 --every 10 --vtk sub/<a&b>.vti"));
    char text[1024] = "";
    FILE *file = fopen("sub/<a&b>.pvd", "r");
    EXPECT(file);
    if (file) {
        read_stream(file, text, sizeof text);
        fclose(file);
    }
    EXPECT(strcmp(text,
                  "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n"
                  "    <DataSet timestep=\"10\" file=\"&#60;a&#38;b&#62;_00000010.vti\"/>\n"
                  "    <DataSet timestep=\"20\" file=\"&#60;a&#38;b&#62;_00000020.vti\"/>\n"
                  "    <DataSet timestep=\"25\" file=\"&#60;a&#38;b&#62;_00000025.vti\"/>\n"
                  "  </Collection>\n</VTKFile>\n") == 0);
    EXPECT(system("rm -r sub") == 0);
    EXPECT(is_good("run STAGE poiseuille --size 4 --steps 25 --vtk one.vti") && count_files() == 1);
}

TEST(names_that_xml_can_not_hold_get_no_list)
{
    const char *const refused[] = {"a\x01",
                                   "\x7f\x1f",
                                   "\x80",
                                   "a\xff",
                                   "\xc3",
                                   "\xc3(",
                                   "\xc1\x81",
                                   "\xe0\x81\x81",
                                   "\xed\xa0\x80",
                                   "\xef\xbf\xbf",
                                   "\xf4\x90\x80\x80",
                                   "\xf9\x80\x80\x80\x80"};
    const char *const taken[] = {"a\tb", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8c\x8a", "\x7f"};
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        const Outcome o = lbm("run STAGE poiseuille --size 4 --steps 3 --every 3 --vtk %s.vti", refused[n]);
        EXPECT(o.code == 2 && is_one_line(o.err) && strstr(o.err, "XML") && count_files() == 0);
    }
    for (size_t n = 0; n < sizeof taken / sizeof *taken; n++) {
        EXPECT(is_good("run STAGE poiseuille --size 4 --steps 3 --every 3 --vtk %s.vti", taken[n]) &&
               count_files() == 2);
        empty_folder();
    }
    EXPECT(is_good("run STAGE poiseuille --size 4 --steps 3 --vtk %s.vti", refused[0]) &&
           count_files() == 1); // it is in no list
}

TEST(every_leaves_dots_in_folders_alone)
{
    EXPECT(mkdir("a.b", 0700) == 0);
    EXPECT(is_good("run STAGE poiseuille --size 4 --steps 3 --every 3 --csv a.b/flow"));
    EXPECT(lines_of("a.b/flow_00000003") == CSV_HEAD + 4 * 4);
    remove("a.b/flow_00000003");
    remove("a.b");
}

TEST(numbered_files_hold_their_step)
{
    EXPECT(is_good("run STAGE cavity --size 6 --tau 0.8 --steps 2010 --every 7 --csv many.csv"));
    EXPECT(is_good("run STAGE cavity --size 6 --tau 0.8 --steps 1001 --csv one.csv"));
    char many[8192] = "", one[8192] = "!";
    FILE *a = fopen("many_00001001.csv", "r"), *b = fopen("one.csv", "r");
    EXPECT(a && b);
    if (a && b) {
        read_stream(a, many, sizeof many);
        read_stream(b, one, sizeof one);
        fclose(a);
        fclose(b);
    }
    EXPECT(strcmp(many, one) == 0);
    EXPECT(lines_of("many_00002010.csv") == CSV_HEAD + 6 * 6);
}

TEST(warnings_name_what_is_doubtful)
{
    Outcome o = lbm("run STAGE cavity --size 9 --tau 0.8 --u 0.2 --steps 1");
    EXPECT(o.code == 0 && is_one_line(o.err) && strstr(o.err, "warning: Mach 0.346"));
    o = lbm("run STAGE poiseuille --size 9 --tau 0.502 --u 0.02 --steps 1");
    EXPECT(o.code == 0 && is_one_line(o.err) && strstr(o.err, "warning: tau 0.502"));
    o = lbm("run STAGE cavity --size 34 --re 450 --steps 1");
    EXPECT(o.code == 0 && is_one_line(o.err) && strstr(o.err, "warning: the Reynolds number of a cell") &&
           strstr(o.err, "14.1: "));
    o = lbm("run STAGE cavity --size 34 --re 446 --steps 1");
    EXPECT(o.code == 0 && !*o.err);
}

TEST(refusals_name_the_range)
{
    EXPECT(strstr(lbm("run STAGE cavity --tau 1e300").err,
                  "tau 1e+300: tau - 0.5 is 1e+300, and must be from 5.96046448e-08 to 8388608\n"));
    EXPECT(
        strstr(lbm("run STAGE cavity --tau 0.50000001").err, "tau 0.50000001: tau - 0.5 is 1e-08, and must"));
    EXPECT(strstr(lbm("run STAGE cavity --re 1e-300").err,
                  "Reynolds number 1e-300 makes tau 3.84e+301: tau - 0.5 is"));
    EXPECT(strstr(lbm("run STAGE cavity --u 1e-300").err,
                  "speed 1e-300 makes no sense: it must be from 1.08420217249e-19 to"));
    EXPECT(strstr(lbm("run STAGE taylor_green --size 256x16 --u 0.2").err,
                  "below 0.144338, where the fastest speed of taylor_green at 256x16 cells"));
}

TEST(the_ends_of_the_ranges_give_finite_results)
{
    const char *const ends[] = {"--tau 0.50000006", "--tau 8388608", "--tau 0.8 --u 1.1e-19",
                                "--tau 0.50000006 --u 1.1e-19", "--tau 8388608 --u 1.1e-19"};
    for (int n = 0; n < flow_count; n++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            const int plane = flows[n].lattice->dimensions == 2;
            const int side = plane ? 24 : flows[n].body || has_membrane(&flows[n]) ? 20 : 8;
            if (!plane && k == 1)
                continue; // the duct's force is so large that a density of 1 is lost in its rounding
            empty_folder();
            EXPECT(lbm("run STAGE %s --size %d %s --steps 20 --quiet --csv a.csv%s", flows[n].name, side,
                       ends[k], flows[n].body ? " --forces f.csv --sample 5" : "")
                           .code == 0 &&
                   lines_of("a.csv") == CSV_HEAD + side * side * (plane ? 1 : side));
            EXPECT(system("grep -qi 'nan\\|inf' *.csv") != 0);
        }
}

TEST(a_flow_that_only_began_to_move_is_not_steady)
{
    const Outcome o = lbm("run STAGE cavity --size 9 --tau 0.8 --steps 1000 --steady 1e-9 --quiet");
    EXPECT(o.code == 1 && is_one_line(o.err) &&
           strstr(o.err, "1000 steps before step 1000, all was at rest"));
}

TEST(a_flow_at_rest_is_steady)
{
    const Outcome o = lbm("run STAGE taylor_green --size 1 --steady 1e-6");
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, "velocity changed by 0 in 1000 steps\n"));
    EXPECT(!strstr(o.out, "nan"));
}

TEST(divergence_is_noticed)
{
    const Outcome o = lbm("run STAGE cavity --size 34 --tau 0.5051 --u 0.17 --steps 100000 --csv a.csv");
    EXPECT(o.code == 1);
    EXPECT(occurrences(o.err, "\n") == 2 && strstr(o.err, "Reynolds number of a cell")); // warned before
    const char *step = strstr(o.err, "diverged by step ");
    EXPECT(step && atoi(step + strlen("diverged by step ")) <= 2000);
    EXPECT(strstr(o.err, "tau") && strstr(o.err, "0.5051") && strstr(o.err, "Mach") &&
           strstr(o.err, "0.294"));
    EXPECT(count_files() == 0);
}

/** Between two checks nothing looks at the flow but what writes it. */
TEST(what_diverged_is_not_written)
{
    const char *const lines[] = {"--steps 700 --csv a.csv", "--steps 900 --every 700 --csv a.csv"};
    for (int n = 0; n < 2; n++) {
        empty_folder();
        const Outcome o = lbm("run STAGE cavity --size 38 --tau 0.501 --u 0.5 %s", lines[n]);
        EXPECT(o.code == 1 && strstr(o.err, "the flow diverged by step 700"));
        EXPECT(count_files() == 0);
    }
}

/** The last files before it are there, however slow the thread is that writes the series. */
TEST(what_did_not_diverge_is_written)
{
    const Outcome o =
        lbm("run STAGE cavity --size 130 --tau 0.5000001 --u 0.5 --every 10 --csv a.csv --vtk a.vti");
    const int files = system("ls *.csv | wc -l | grep -qx $(ls *.vti | wc -l)");
    EXPECT(o.code == 1 && strstr(o.err, "the flow diverged by step "));
    EXPECT(files == 0 && count_files() >= 5 && lines_of("a.pvd") == 5 + count_files() / 2);
}

TEST(steady_flow_ends_early)
{
    const Outcome o = lbm("run STAGE poiseuille --size 4x10 --steady 1e-4 --csv a.csv");
    EXPECT(o.code == 0 && !*o.err);
    const char *steps = strstr(o.out, "\nsteps ");
    EXPECT(steps && atol(steps + strlen("\nsteps ")) == 2000); // the first check compares with rest
    EXPECT(lines_of("a.csv") == CSV_HEAD + 4 * 10);
}

/** In decaying vortices the relative change in a thousand steps is known. */
TEST(steady_compares_the_change_with_its_tolerance)
{
    const double k = 2.0 * 3.14159265358979 / 32.0, nu = (0.53 - 0.5) / 3.0;
    const double change = 1.0 - exp(-1000.0 * nu * 2.0 * k * k);
    const double tolerance[] = {0.97, 1.03};
    for (int n = 0; n < 2; n++) {
        EXPECT(lbm("run STAGE taylor_green --size 32 --tau 0.53 --steps 1000 --steady %.3f",
                   tolerance[n] * change)
                   .code == (n == 0));
    }
}

TEST(flow_that_gets_not_steady_fails)
{
    const Outcome o = lbm("run STAGE taylor_green --size 16 --steady 1e-9 --steps 1500 --csv b.csv");
    EXPECT(o.code == 1);
    EXPECT(is_one_line(o.err) && strstr(o.err, "not steady by step 1500"));
    EXPECT(lines_of("b.csv") == CSV_HEAD + 16 * 16);
}

/** The tolerance that the program says it takes is reached. */
TEST(a_tolerance_below_the_noise_is_refused)
{
    int found = 0;
    for (int n = 0; n < stage_count; n++) {
        if (stages[n]->unsupported) // they do as the first stage does, and are slow without a GPU
            continue;
        if (!takes_flow(stages[n], find_flow("poiseuille")))
            continue;
        const Outcome o = lbm("run %s poiseuille --size 4x10 --steady 1e-6", stages[n]->name);
        if (stages[n]->rounding == TO_NEAREST) {
            EXPECT(o.code == 0 && !*o.err);
            continue;
        }
        found++;
        const char *least = strstr(o.err, "it takes ");
        EXPECT(o.code == 2 && is_one_line(o.err) && strstr(o.err, "--steady 1e-06 ") && least);
        EXPECT(is_good("run %s poiseuille --size 4x10 --steady %.*s", stages[n]->name,
                       least ? (int)strcspn(least + 9, " ") : 0, least ? least + 9 : ""));
    }
    EXPECT(found > 0);
}

/** Waits until the program has printed a part. */
static void wait_for(Running running, const char *part)
{
    char text[4096] = "";
    for (int n = 0; n < 6000 && !strstr(text, part); n++) {
        sleep_ms(10);
        read_stream(running.out, text, sizeof text);
    }
}

/** Starts a run that would last for hours, and waits until signals are deferred. */
static Running start_long_run(const char *line)
{
    Call call;
    parse_call(&call, line);
    const Running running = start(&call);
    wait_for(running, "memory");
    return running;
}

TEST(a_name_of_two_lines_is_shown_in_one)
{
    const Outcome o = lbm("run STAGE poiseuille --size 4 --steps 1 --csv a\nwrote\033[2Jb");
    EXPECT(o.code == 0 && strstr(o.out, "\nwrote     a?wrote?[2Jb\n"));
    EXPECT(lines_of("a\nwrote\033[2Jb") == CSV_HEAD + 4 * 4 && count_files() == 1);
    const Running running =
        start_long_run("run STAGE cavity --size 9 --tau 0.8 --steps 999999999 --csv a\nwrote\033[2Jb");
    kill(running.pid, SIGINT);
    EXPECT(strstr(finish(running).err, "wrote a?wrote?[2Jb\n"));
}

TEST(signals_end_a_run_with_its_outputs)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (int n = 0; n < 4; n++) {
        empty_folder();
        const Running running =
            start_long_run("run STAGE cavity --size 40x30 --tau 0.8 --steps 999999999 --csv a.csv");
        kill(running.pid, numbers[n]);
        const Outcome o = finish(running);
        EXPECT(!o.killed && o.code == 128 + numbers[n]);
        EXPECT(is_one_line(o.err) && strstr(o.err, "interrupted at step ") && strstr(o.err, "wrote a.csv"));
        EXPECT(lines_of("a.csv") == CSV_HEAD + 40 * 30);
        EXPECT(count_files() == 1);
    }
}

TEST(an_interrupt_loses_no_sample)
{
    const Running running =
        start_long_run("run STAGE channel_cylinder --size 45x17 --re 20 --steps 999999999 "
                       "--forces f.csv --sample 1");
    sleep_ms(300);
    kill(running.pid, SIGINT);
    const Outcome o = finish(running);
    const char *const at = strstr(o.err, "interrupted at step ");
    EXPECT(o.code == 128 + SIGINT && is_one_line(o.err) && at);
    const int step = atoi(at + strlen("interrupted at step "));
    EXPECT(step > 100 && lines_of("f.csv") == 1 + step);
}

/** The checkpoint is written before a file for which there is no place. */
TEST(no_other_file_costs_the_checkpoint)
{
    EXPECT(mkdir("a_00000040.csv", 0700) == 0);
    const Outcome o =
        lbm("run STAGE cavity --size 9 --tau 0.8 --steps 40 --every 20 --csv a.csv --checkpoint c.vti");
    EXPECT(o.code == 3 && is_one_line(o.err) && lines_of("c.vti") > 0 && count_files() == 3);
    EXPECT(rmdir("a_00000040.csv") == 0);
}

/** A second thread writes the series, and finds what is in its way. */
TEST(a_series_that_can_not_go_on_ends_the_run)
{
    EXPECT(mkdir("v_00000002.vti", 0700) == 0);
    const Outcome o = lbm("run STAGE cavity --size 9 --tau 0.8 --steps 999999999 --vtk v.vti --every 1");
    EXPECT(!o.killed && o.code == 3 && is_one_line(o.err) &&
           strstr(o.err, "v_00000002.vti: it is a directory"));
    EXPECT(lines_of("v_00000001.vti") > 0 && lines_of("v.pvd") == 6 && count_files() == 3);
    EXPECT(rmdir("v_00000002.vti") == 0);
}

/** Both signals are there when the stopped program goes on. */
static Outcome finish_by_two_signals(Running running)
{
    kill(running.pid, SIGINT);
    kill(running.pid, SIGTERM);
    kill(running.pid, SIGCONT);
    return finish(running);
}

TEST(second_signal_ends_at_once)
{
    const Running running =
        start_long_run("run STAGE cavity --size 40 --tau 0.8 --steps 999999999 --csv a.csv");
    kill(running.pid, SIGSTOP);
    const Outcome o = finish_by_two_signals(running);
    EXPECT(o.killed && !*o.err);
    EXPECT(count_files() == 0);
}

/** Stops a program while one of its outputs is half written. */
static int stop_while_writing(pid_t pid)
{
    for (int n = 0; n < 5000; n++) {
        int status = 0;
        kill(pid, SIGSTOP);
        if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
            return 0;
        if (count_temporary_files() > 0)
            return 1;
        kill(pid, SIGCONT);
        sleep_ms(1 + n % 7);
    }
    return 0;
}

static const char writes_all_the_time[] =
    "run STAGE cavity --size 200 --tau 0.8 --steps 999999999 --every 1 --csv a.csv";

TEST(second_signal_leaves_no_half_written_file)
{
    const Running running = start_long_run(writes_all_the_time);
    EXPECT(stop_while_writing(running.pid));
    EXPECT(finish_by_two_signals(running).killed);
    EXPECT(count_temporary_files() == 0);
}

TEST(signals_that_are_no_request_leave_no_half_written_file)
{
    const int numbers[] = {SIGQUIT, SIGALRM, SIGUSR1, SIGXCPU};
    for (int n = 0; n < 4; n++) {
        empty_folder();
        const Running running = start_long_run(writes_all_the_time);
        EXPECT(stop_while_writing(running.pid));
        kill(running.pid, numbers[n]);
        kill(running.pid, SIGCONT);
        const Outcome o = finish(running);
        EXPECT(o.killed && o.code == 128 + numbers[n] && !*o.err);
        EXPECT(count_temporary_files() == 0);
    }
}

/** Starts the program into a pipe, reads what it prints up to a part of it, and closes the pipe. */
static Running start_into_closed_pipe(const char *line, const char *part)
{
    Call call;
    int ends[2];
    char text[16384] = "";
    parse_call(&call, line);
    fflush(stdout);
    EXPECT(pipe(ends) == 0);
    Running running = {.out = tmpfile(), .err = tmpfile()};
    running.pid = fork();
    if (running.pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(fileno(running.err), STDERR_FILENO);
        close(ends[0]);
        become_lbm(&call);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t n = 1; n > 0 && !strstr(text, part); length += n > 0 ? (size_t)n : 0)
        n = read(ends[0], text + length, sizeof text - 1 - length);
    close(ends[0]);
    return running;
}

TEST(a_reader_that_has_read_enough_ends_the_program_quietly)
{
    const Outcome o = finish(
        start_into_closed_pipe("bench STAGE --sizes 8,8,8,8,8,8,8,8,8 --repeat 9 --csv a.csv", "command"));
    EXPECT(o.killed && o.code == 128 + SIGPIPE && !*o.err);
    EXPECT(count_files() == 0);
}

/** Ctrl-C reaches whoever reads standard output, as tee does, as well. */
TEST(a_reader_that_is_gone_costs_no_outputs)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int n = 0; n < 3; n++) {
        empty_folder();
        const Running running = start_into_closed_pipe(
            "run STAGE cavity --size 40x30 --tau 0.8 --steps 999999999 --csv a.csv", "memory");
        kill(running.pid, numbers[n]);
        const Outcome o = finish(running);
        EXPECT(!o.killed && o.code == 128 + numbers[n] && strstr(o.err, "wrote a.csv"));
        EXPECT(lines_of("a.csv") == CSV_HEAD + 40 * 30 && count_files() == 1);
    }
}

static const char tells_forces[] =
    "run STAGE channel_cylinder --size 66x22 --re 20 --steps 4000 --sample 10 --checkpoint s.vti "
    "--forces f.csv";

/** Whether a call has ended for this reason, with this exit code, and has left a checkpoint and some forces.
 */
static int kept_its_work(Outcome o, int code, const char *reason)
{
    const int good = !o.killed && o.code == code && is_one_line(o.err) &&
                     strstr(o.err, "interrupted at step ") && strstr(o.err, reason) &&
                     strstr(o.err, "wrote s.vti f.csv\n");
    if (!good)
        printf("exit code %d: %s\n", o.code, o.err);
    return good && lines_of("f.csv") > 1 && lines_of("f.csv") < 400 && lines_of("s.vti") > 0;
}

TEST(a_reader_that_goes_away_costs_no_outputs)
{
    const Outcome o = finish(start_into_closed_pipe(tells_forces, "\nstep "));
    EXPECT(kept_its_work(o, 128 + SIGPIPE, "(can't write to standard output: Broken pipe)"));
    EXPECT(count_files() == 2);
}

TEST(a_reader_that_misses_the_report_costs_no_outputs)
{
    const Outcome o = finish(
        start_into_closed_pipe("run STAGE cavity --size 40x30 --tau 0.8 --steps 3000 --csv a.csv", "memory"));
    EXPECT(o.killed && o.code == 128 + SIGPIPE && !*o.err);
    EXPECT(lines_of("a.csv") == CSV_HEAD + 40 * 30);
}

TEST(a_reader_that_goes_away_leaves_a_bench_its_rows)
{
    const Outcome o =
        finish(start_into_closed_pipe("bench STAGE --sizes 8,8,8,8 --repeat 1 --csv a.csv", "\n00_"));
    EXPECT(!o.killed && o.code == 128 + SIGPIPE && is_one_line(o.err) && strstr(o.err, "wrote a.csv\n"));
    EXPECT(system("grep -q '^# interrupted: ' a.csv && grep -q '^00_' a.csv") == 0);
}

/** Standard output goes to the end of a file that may grow by some hundred bytes. */
static Running start_into_full_file(const char *line)
{
    Call call;
    parse_call(&call, line);
    fflush(stdout);
    Running running = {.out = tmpfile(), .err = tmpfile()};
    running.pid = fork();
    if (running.pid == 0) {
        const int size = 1 << 20, log = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);
        if (ftruncate(log, size - 500) != 0 || setrlimit(RLIMIT_FSIZE, &(struct rlimit){size, size}) != 0)
            _exit(126);
        dup2(log, STDOUT_FILENO);
        dup2(fileno(running.err), STDERR_FILENO);
        become_lbm(&call);
    }
    return running;
}

TEST(a_disk_that_fills_up_costs_no_outputs_elsewhere)
{
    const Outcome o = finish(start_into_full_file(tells_forces));
    EXPECT(kept_its_work(o, 3, "(can't write to standard output: File too large)"));
    EXPECT(count_files() == 3);
}

TEST(ignored_signal_stays_ignored)
{
    signal(SIGHUP, SIG_IGN); // as nohup does
    const Running running = start_long_run("run STAGE cavity --size 40 --tau 0.8 --steps 999999999");
    signal(SIGHUP, SIG_DFL);
    kill(running.pid, SIGHUP);
    sleep_ms(200);
    EXPECT(waitpid(running.pid, NULL, WNOHANG) == 0);
    kill(running.pid, SIGTERM);
    EXPECT(finish(running).code == 128 + SIGTERM);
}

TEST(unwritable_outputs_are_refused_before_the_run)
{
    const char *const paths[] = {"no/such/folder/a", ".", "/proc/a"};
    const char *const options[] = {"--csv", "--vtk"};
    for (int n = 0; n < 6; n++) {
        const Outcome o =
            lbm("run STAGE cavity --tau 0.8 --steps 999999999 %s %s", options[n % 2], paths[n / 2]);
        EXPECT(o.code == 3 && is_one_line(o.err) && !*o.out);
        EXPECT(count_files() == 0);
    }
}

TEST(grid_larger_than_memory_is_refused_at_once)
{
    if (free_memory() / 36 > 46340ull * 46340ull) // what only its populations take
        SKIP("the largest grid fits into this machine's memory");
    const time_t begin = time(NULL);
    const Outcome o = lbm("run STAGE cavity --size 46340 --csv a.csv");
    EXPECT(o.code == 3 && is_one_line(o.err) && strstr(o.err, "GiB"));
    EXPECT(time(NULL) - begin <= 2);
}

TEST(full_standard_output_is_an_error)
{
    if (access("/dev/full", W_OK) != 0)
        SKIP("there is no /dev/full");
    const char *const lines[] = {"list", "run %s cavity --tau 0.8 --steps 999999999 --csv a.csv",
                                 "validate %s", "bench %s --repeat 1000 --csv a.csv", "tune %s --size 8192"};
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) { // at once, not when the work is done
        char line[1024];
        snprintf(line, sizeof line, lines[n], stages[1]->name);
        char command[2048];
        snprintf(command, sizeof command, "ulimit -t 30; '" LBM "' %s >/dev/full 2>err", line);
        const int status = system(command);
        EXPECT(WEXITSTATUS(status) == 3 && lines_of("err") == 1 && count_files() == 1);
        EXPECT(system("grep -q 'standard output: No space left on device' err") == 0);
    }
}

TEST(numbered_outputs_are_refused_before_the_run)
{
    EXPECT(mkdir("a_00000005.csv", 0700) == 0);
    const Outcome o = lbm("run STAGE cavity --tau 0.8 --steps 999999999 --every 5 --csv a.csv");
    EXPECT(o.code == 3 && is_one_line(o.err) && strstr(o.err, "a_00000005.csv") && !*o.out);
}

TEST(numbered_outputs_replace_no_mask)
{
    const Outcome o = lbm("run STAGE bodies --mask d_00000010.png --csv d.png --every 10");
    EXPECT(o.code == 2 && strstr(o.err, "could replace \"d_00000010.png\""));
}

TEST(the_start_is_written_where_no_step_is_made)
{
    EXPECT(lbm("run STAGE cavity --size 9 --steps 0 --every 5 --csv a.csv").code == 0);
    EXPECT(lines_of("a_00000000.csv") == CSV_HEAD + 81 && count_files() == 1);
}

/* ---- units ---- */

TEST(units_agree_with_run)
{
    Outcome o = lbm("units --length 0.01 --speed 0.01 --viscosity 1e-6 --cells 20");
    EXPECT(o.code == 0 && !*o.err && !strstr(o.out, "change"));
    const char *const lines[] = {"Re        100\n",        "dx        0.0005 m\n",
                                 "dt        0.005 s\n",    "tau       0.56\n",
                                 "Mach      0.173\n",      "steps     200 for a second",
                                 "--re 100 --u 0.1,",      "in space  1.17 MiB for a cube of that side, ",
                                 "; 1.6 million updates\n"};
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++)
        EXPECT(strstr(o.out, lines[n]));
    o = lbm("units --length 0.01 --speed 0.01 --viscosity 1e-6 --cells 2000");
    EXPECT(strstr(
        o.out,
        "in space  no run: a cube of that side has 8e+09 cells, and a grid holds at most 4294967295\n"));
    o = lbm("run STAGE cavity --re 100 --u 0.1 --size 22 --steps 1");
    EXPECT(o.code == 0 && strstr(o.out, "tau 0.56, nu 0.02, u 0.1, Re 100, Mach 0.173\n"));
}

/** A call of units. */
typedef struct {
    double length, viscosity;
    char speed[32], cells[32], u[32];
} UnitsCall;

static Outcome units(const UnitsCall *c)
{
    return lbm("units --length %g --viscosity %g --speed %s --cells %s --u %s", c->length, c->viscosity,
               c->speed, c->cells, c->u);
}

/** Whether units finds the numbers good, and so does a run of them, unless its grid is large. */
static int is_taken(const UnitsCall *c)
{
    const Outcome o = units(c);
    char re[32] = "", u[32] = "";
    long cells = 0;
    const char *good = strstr(o.out, "\ngood      for a run: ");
    if (o.code != 0 || *o.err || strstr(o.out, "\nchange ") || !good)
        return 0;
    if (sscanf(good, " good for a run: --re %31s --u %31[^,], and %ld cells", re, u, &cells) != 3)
        return 0;
    if (cells > 200)
        return 1;
    const Outcome run = lbm("run STAGE cavity --re %s --u %s --size %ld --steps 0 --quiet", re, u, cells + 2);
    return run.code == 0 && !*run.err; // nor a warning
}

/** Whether the numbers proposed as good are. */
static int good_numbers_are_good(const UnitsCall *c, const char *out)
{
    UnitsCall first = *c, last = *c;
    const char *good = strstr(out, "\ngood ");
    if (good &&
        sscanf(good, " good --cells %31s with --u from %31s to %31s", first.cells, first.u, last.u) == 3) {
        strcpy(last.cells, first.cells);
        return is_taken(&first) && is_taken(&last);
    }
    double re, cells, most;
    return good &&
           sscanf(good, " good none: Re %lf takes %lf cells, and the finest square grid has %lf between", &re,
                  &cells, &most) == 3 &&
           cells > most;
}

/** Whether a change takes away the line that proposes it. */
static int change_helps(UnitsCall changed, const char *line)
{
    char name[64] = "\nchange    ";
    strncat(name, line, strcspn(line, " "));
    strcat(name, " ");
    const Outcome o = units(&changed);
    return o.code == 0 && !*o.err && !strstr(o.out, name);
}

/** Whether each change that a line proposes helps. `line` is behind "change"; a run's refusal proposes none.
 */
static int changes_help(const UnitsCall *c, const char *line)
{
    char text[256] = "", copied[256], value[32];
    snprintf(copied, sizeof copied, "%.*s", (int)strcspn(line, "\n"), line);
    if (strncmp(copied, "run ", 4) == 0)
        return 1;
    snprintf(text, sizeof text, "%s", strstr(copied, ": ") ? strstr(copied, ": ") : "");
    int proposed = strstr(text, "a smaller Reynolds number") != NULL, good = 1;
    UnitsCall changed = *c;
    if (strstr(text, "at least ") && sscanf(strstr(text, "at least "), "at least %31s cells", value) == 1) {
        strcpy(changed.cells, value);
        good &= change_helps(changed, copied);
        proposed++;
    }
    changed = *c;
    if (strstr(text, "--u ") && sscanf(strstr(text, "--u "), "--u %31s", value) == 1) {
        strcpy(changed.u, value);
        good &= change_helps(changed, copied);
        proposed++;
    }
    changed = *c;
    if (strstr(text, "at most ") && sscanf(strstr(text, "at most "), "at most %31s m/s", value) == 1) {
        strcpy(changed.speed, value);
        good &= change_helps(changed, copied);
        proposed++;
    }
    return good && proposed > 0;
}

/** Whether all that units says of a flow is right. */
static int units_keep_their_word(const UnitsCall *c)
{
    static char out[sizeof(Outcome)];
    const Outcome o = units(c);
    int good = o.code == 0 && !*o.err;
    snprintf(out, sizeof out, "%s", o.out);
    if (good && !strstr(out, "\nchange "))
        good &= is_taken(c);
    else if (good)
        good &= good_numbers_are_good(c, out);
    for (char *line = strstr(out, "\nchange    "); good && line; line = strstr(line + 1, "\nchange    "))
        good &= changes_help(c, line + strlen("\nchange    "));
    if (!good)
        printf("--length %g --viscosity %g --speed %s --cells %s --u %s:\n%s%s", c->length, c->viscosity,
               c->speed, c->cells, c->u, o.err, out);
    return good;
}

/** Each limit by itself, and numbers on a limit. */
TEST(units_say_what_to_change)
{
    const char *const calls[][4] = {
        {"0.01",      "2000",   "0.2",   "u 0.2 is above 0.1: --u 0.1 at most\n"                        },
        {"0.01",      "2000",   "0.15",  "u 0.15 is above 0.1: --u 0.1 at most\n"                       },
        {"0.01",      "20",     "0.005", "tau 0.503 is below 0.505: at least 34 cells, or --u 0.00834"  },
        {"0.15",      "100",    "0.1",
         "cell Re 15 is above 14: at least 108 cells, or a speed of at "
         "most 0.14 m/s\n"                                                                              },
        {"0.2800001", "200",    "0.1",
         "cell Re 14.00001 is above 14: at least 201 cells, or a speed of "
         "at most 0.28"                                                                                 },
        {"1e-4",      "20",     "0.1",   "slip 0.4775 is above 0.01: --u 0.0161 at most\n"              },
        {"1e-4",      "9",      "1e-4",  "cells 9 is below 10: at least 10 cells\n"                     },
        {"160",       "200",    "0.5",   "tau 0.50019 is below 0.505: at least 5334 cells\n"            },
        {"15",        "2499",   "0.1",   "tau 0.504998 is below 0.505: at least 2500 cells\n"           },
        {"1e5",       "4000",   "1e-15", "tau 0.5 is below 0.505: a smaller Reynolds number"            },
        {"1e5",       "4000",   "0.1",   "good      none: Re 1e+09 takes 71428572 cells, and the finest"},
        {"0.01",      "100000", "0.1",   "run refuses it: size 100002x100002 is too large"              },
        {"0.01",      "65534",  "0.1",   "run refuses it: size 65536x65536 is too large"                },
        {"1e-14",     "20",     "1e-2",  "run refuses it: Reynolds number 1e-10 makes tau 6e+09"        },
        {"0.01",      "20",     "0.6",   "run refuses it: speed 0.6 makes no sense: it must be from "   },
    };
    for (size_t n = 0; n < sizeof calls / sizeof *calls; n++) {
        UnitsCall c = {0.01, 1e-6, "", "", ""};
        strcpy(c.speed, calls[n][0]);
        strcpy(c.cells, calls[n][1]);
        strcpy(c.u, calls[n][2]);
        const Outcome o = units(&c);
        EXPECT(strstr(o.out, "\nchange ") && strstr(o.out, calls[n][3]));
        EXPECT(units_keep_their_word(&c));
    }
    const UnitsCall on_limits[] = {
        {0.1,  1e-6, "0.028", "200",   "0.1" },
        {0.01, 1e-6, "0.01",  "100",   "0.1" },
        {0.01, 1e-6, "0.01",  "65533", "0.1" },
        {1.0,  1e-3, "0.3",   "50",    "0.01"},
    };
    for (int n = 0; n < 4; n++)
        EXPECT(!strstr(units(&on_limits[n]).out, "\nchange ") && units_keep_their_word(&on_limits[n]));
}

static unsigned dice = 1;

/** A number whose logarithm is evenly distributed, with so many digits. */
static double random_number(double least, double most)
{
    dice = 1664525u * dice + 1013904223u;
    return least * pow(most / least, (dice >> 8) / 16777216.0);
}

/** What it proposes its own parser takes, and finds good; what it finds good a run takes without a warning.
 */
TEST(units_keep_their_word_whatever_they_are_given) // long
{
    for (int n = 0; n < 80; n++) {
        const double scale = n % 4 == 0 ? 1e30 : 1e3, re = random_number(n % 4 == 0 ? 1e-12 : 1e-2, 1e6);
        UnitsCall c = {random_number(1.0 / scale, 1.0), random_number(1.0 / scale, 1.0), "", "", ""};
        const double speed = re * (c.viscosity / c.length), cells = ceil(random_number(1.0, 2e9));
        snprintf(c.speed, sizeof c.speed, "%.*g", 2 + n % 9, fmin(fmax(speed, 1e-30), 1e30));
        snprintf(c.cells, sizeof c.cells, "%.10g", n % 3 == 0 ? cells : ceil(random_number(1.0, 200.0)));
        snprintf(c.u, sizeof c.u, "%.*g", 1 + n % 7,
                 n % 5 == 0 ? random_number(1e-20, 10.0) : random_number(1e-3, 0.2));
        const double given_re = atof(c.speed) * c.length / c.viscosity;
        if (given_re > 1.1e-12 && given_re < 0.9e12)
            EXPECT(units_keep_their_word(&c));
    }
}

/* ---- converge ---- */

/** The number in a column of a row of a CSV file, both from 0 on; NaN if there is none. */
static double number_in(const char *path, int row, int column)
{
    char line[1024] = "";
    FILE *file = fopen(path, "r");
    for (int n = 0; file && n <= row; n++)
        if (!fgets(line, sizeof line, file))
            line[0] = '\0';
    if (file)
        fclose(file);
    const char *field = line;
    while (column-- > 0 && field)
        field = strchr(field, ',') ? strchr(field, ',') + 1 : NULL;
    return field && *field && *field != '\n' && *field != ',' ? atof(field) : NAN;
}

enum { SIZE_COLUMN = 2, RE_COLUMN = 6, TAU_COLUMN = 7, ERROR_COLUMN = 11, ORDER_COLUMN = 12 };

TEST(converge_writes_what_it_prints)
{
    const Outcome o = lbm("converge STAGE cavity --sizes 8,12 --csv a.csv");
    EXPECT(o.code == 0 && !*o.err && lines_of("a.csv") == 1 + 2 * 3 && count_files() == 1);
    EXPECT(strstr(o.out, "\nheld      Re 100 and tau 0.596;"));
    EXPECT(occurrences(o.out, "\n    8 ") == 3 && occurrences(o.out, "\n   12 ") == 3);
    EXPECT(occurrences(o.out, "      -\n") == 3);
    for (int row = 1; row <= 6; row++) {
        const double error = number_in("a.csv", row, ERROR_COLUMN);
        EXPECT(number_in("a.csv", row, SIZE_COLUMN) == (row <= 3 ? 8 : 12));
        EXPECT(error > 0.0 && error < 0.2);
        const double before = number_in("a.csv", row - 3, ERROR_COLUMN);
        if (row <= 3)
            EXPECT(isnan(number_in("a.csv", row, ORDER_COLUMN)));
        else
            EXPECT_NEAR(number_in("a.csv", row, ORDER_COLUMN), log(before / error) / log(1.5), 1e-6);
    }
}

TEST(converge_plots_where_it_can_draw)
{
    const Outcome o = lbm("converge STAGE cavity --sizes 8,12 --plot a.svg");
    if (can_draw())
        EXPECT(o.code == 0 && !*o.err && count_files() == 1);
    else
        EXPECT(o.code == 2 && strstr(o.err, "lacks Cairo") && count_files() == 0);
}

/** In the channel all error is the slip of its walls, over the root mean square of the parabola. */
TEST(the_channels_error_is_the_slip_of_its_walls)
{
    EXPECT(is_good("converge STAGE poiseuille --sizes 8,11,16 --csv a.csv"));
    for (int row = 1; row <= 3; row++) {
        const double slip =
            slip_at_walls(number_in("a.csv", row, TAU_COLUMN), number_in("a.csv", row, SIZE_COLUMN));
        EXPECT_NEAR(number_in("a.csv", row, ERROR_COLUMN) / (slip / sqrt(8.0 / 15.0)), 1.0, 0.02);
        if (row > 1)
            EXPECT_NEAR(number_in("a.csv", row, ORDER_COLUMN), 2.0, 0.05);
    }
}

TEST(vortices_and_cavity_are_of_second_order)
{
    EXPECT(is_good("converge STAGE taylor_green --sizes 32,64 --csv a.csv"));
    EXPECT_NEAR(number_in("a.csv", 3, ORDER_COLUMN), 2.0, 0.1);
    EXPECT(is_good("converge STAGE cavity --sizes 16,32 --csv a.csv"));
    EXPECT_NEAR(number_in("a.csv", 4, ORDER_COLUMN), 2.2, 0.3);
}

/** Sound from the start is most of its error, and falls as 1 / size. */
TEST(sound_slows_the_convergence_of_the_pressure)
{
    const Outcome o = lbm("converge STAGE taylor_green --sizes 32,64 --csv a.csv");
    EXPECT(o.code == 0 && lines_of("a.csv") == 1 + 2 * 2);
    EXPECT(occurrences(o.out, "  pressure against the solution, L2 ") == 2);
    EXPECT_NEAR(number_in("a.csv", 2, ERROR_COLUMN), 0.049, 0.004);
    EXPECT_NEAR(number_in("a.csv", 4, ERROR_COLUMN), 0.030, 0.002);
    EXPECT_NEAR(number_in("a.csv", 4, ORDER_COLUMN), 0.72, 0.1);
}

TEST(the_cylinder_has_three_quantities) // long
{
    int fast = 0; // the last one in the plane that needs nothing but one core
    for (int n = 0; n < stage_count; n++)
        if (stages[n]->lattice == &d2q9 && !stage_info[n].on_gpu && !stage_info[n].threaded)
            fast = n;
    EXPECT(is_good("converge %s channel_cylinder --sizes 10,20 --csv a.csv", stages[fast]->name));
    const double bound[] = {0.03, 0.005, 0.05};
    for (int q = 0; q < 3; q++) {
        EXPECT(number_in("a.csv", 4 + q, ERROR_COLUMN) < bound[q]);
        EXPECT(number_in("a.csv", 4 + q, ORDER_COLUMN) > 0.3);
        EXPECT_NEAR(number_in("a.csv", 4 + q, RE_COLUMN), 20.0, 1e-6);
    }
}

TEST(flows_of_which_nothing_is_known_are_refused)
{
    const Outcome o = lbm("converge STAGE cylinder --sizes 8,16");
    EXPECT(o.code == 2 && is_one_line(o.err) && !*o.out && strstr(o.err, "of cylinder "));
    EXPECT(strstr(o.err, "poiseuille, cavity, taylor_green, channel_cylinder, duct, abc"));
}

TEST(unwritable_orders_are_refused_before_the_work)
{
    const Outcome o = lbm("converge STAGE poiseuille --csv no/such/a.csv");
    EXPECT(o.code == 3 && is_one_line(o.err) && !*o.out);
}
