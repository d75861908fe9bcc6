#include "check.h"
#include "output/checkpoint.h"
#include "run_flow.h"
#include "run_lbm.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>

/** Whether a text is in a file. */
static int holds(const char *path, const char *text)
{
    char command[1024];
    snprintf(command, sizeof command, "grep -qF '%s' %s", text, path);
    return system(command) == 0;
}

/** Whether a call is refused with one line that has the reason in it, and changes no file. */
static int is_refused(Outcome o, const char *reason, int files)
{
    const int good =
        o.code == 2 && is_one_line(o.err) && !*o.out && strstr(o.err, reason) && count_files() == files;
    if (!good)
        printf("exit code %d, %d files, expected \"%s\":\n%s%s", o.code, count_files(), reason, o.out, o.err);
    return good;
}

/** Whether a stage stores 32 bits, has those of the first one, and takes the cavity. */
static int has_the_first_bits(int n)
{
    return stage_info[n].reference == 0 && stages[n]->epsilon == stages[0]->epsilon &&
           !stage_reason(stages[n], 24, 18);
}

static const char cavity[] = "cavity --size 24x18 --re 100 --quiet";

/* ---- Going on ---- */

TEST(ten_thousand_steps_are_four_and_six) // long
{
    for (int n = 0; n < stage_count; n++) {
        const char *const stage = stages[n]->name;
        if (!has_the_first_bits(n))
            continue;
        const int all = stages[n]->unsupported ? 1000 : 10000; // blocks that run together are slow to emulate
        EXPECT(is_good("run %s %s --steps %d --checkpoint whole.vti --csv whole.csv", stage, cavity, all));
        EXPECT(is_good("run %s %s --steps %d --checkpoint part.vti", stage, cavity, all / 10 * 4));
        EXPECT(is_good("run %s %s --steps %d --restart part.vti --checkpoint rest.vti --csv rest.csv", stage,
                       cavity, all));
        EXPECT(are_equal("whole.vti", "rest.vti") && are_equal("whole.csv", "rest.csv"));
    }
}

/** After odd and even numbers of steps, of which stages that work in one grid store the state in two ways. */
TEST(one_stage_goes_on_where_another_was)
{
#ifndef GPU_ON_CPU
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
    EXPECT(is_good("run STAGE %s --steps 12 --checkpoint whole.vti", cavity));
    for (int n = 0; n < stage_count; n++)
        for (int first = 6; first <= 7 && has_the_first_bits(n); first++) {
            const int k = n && has_the_first_bits(n - 1) ? n - 1 : 0;
            EXPECT(is_good("run %s %s --steps %d --checkpoint part.vti", stages[n]->name, cavity, first));
            EXPECT(is_good("run %s %s --steps 12 --restart part.vti --checkpoint rest.vti", stages[k]->name,
                           cavity));
            EXPECT(are_equal("whole.vti", "rest.vti"));
            EXPECT(is_good("run %s %s --steps %d --checkpoint part.vti", stages[k]->name, cavity, first));
            EXPECT(is_good("run %s %s --steps 12 --restart part.vti --checkpoint rest.vti", stages[n]->name,
                           cavity));
            EXPECT(are_equal("whole.vti", "rest.vti"));
        }
}

TEST(every_flow_goes_on)
{
    const char *const bodies = "bodies --size 40x30 --circle 10,15,4 --box 20,8,4,5 --tau 0.8";
    for (int n = 0; n <= flow_count; n++) {
        char flow[128] = "";
        if (n < flow_count)
            snprintf(flow, sizeof flow, "%s --size %s --tau 0.8", flows[n].name,
                     flows[n].lattice->dimensions == 2 ? "40x30"
                     : flows[n].body                   ? "20x7x7"
                     : has_membrane(&flows[n])         ? "13x21x10"
                                                       : "13");
        const char *const which = n < flow_count ? flow : bodies;
        EXPECT(is_good("run STAGE %s --steps 61 --checkpoint whole.vti --quiet", which));
        EXPECT(is_good("run STAGE %s --steps 20 --checkpoint part.vti --quiet", which));
        EXPECT(is_good("run STAGE %s --steps 61 --restart part.vti --checkpoint part.vti --quiet", which));
        EXPECT(are_equal("whole.vti", "part.vti"));
    }
}

/** Whether the results of a stage are those of the first one on its lattice, which stores all that it
 * computes with. */
static int goes_on_exactly(int n)
{
    int first = 0;
    while (stages[first]->lattice != stages[n]->lattice)
        first++;
    return stage_info[n].reference == stage_info[first].reference &&
           stages[n]->epsilon == stages[first]->epsilon;
}

/** The flow of a checkpoint; the caller destroys it. */
static Snapshot load_flow(const Scenario *s, const char *path)
{
    Snapshot r = create_snapshot(s);
    r.step = read_checkpoint(path, s, r.f);
    find_moments(&r);
    return r;
}

/** The difference of the velocities of two checkpoints, over the flow's. */
static double checkpoint_difference(const Scenario *s, const char *path, const char *other)
{
    Snapshot r = load_flow(s, path), expected = load_flow(s, other);
    const double difference = r.step == expected.step ? velocity_difference(&r, &expected) : NAN;
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return difference;
}

/** In space a checkpoint holds all layers, after whatever step it is written. */
TEST(stages_in_space_go_on_after_any_step) // long
{
    const char *const duct = "duct --size 5x6x7 --tau 0.8 --quiet";
    Scenario s =
        create_scenario(find_flow("duct"), (Parameters){.width = 5, .height = 6, .depth = 7, .tau = 0.8});
    for (int n = 0; n < stage_count; n++) {
        const char *const stage = stages[n]->name;
        if (stages[n]->lattice->dimensions == 2)
            continue;
        EXPECT(is_good("run %s %s --steps 9 --checkpoint whole.vti --csv whole.csv", stage, duct));
        for (int first = 0; first <= 9; first++) {
            EXPECT(is_good("run %s %s --steps %d --checkpoint part.vti", stage, duct, first));
            EXPECT(is_good("run %s %s --steps 9 --restart part.vti --checkpoint part.vti --csv rest.csv",
                           stage, duct));
            if (goes_on_exactly(n))
                EXPECT(are_equal("whole.vti", "part.vti") && are_equal("whole.csv", "rest.csv"));
            else
                EXPECT(checkpoint_difference(&s, "part.vti", "whole.vti") <= 6.0 * stages[n]->epsilon);
        }
    }
    EXPECT(count_files() == 4);
    destroy_scenario(&s);
}

/** A list of volumes goes on, too. */
TEST(series_in_space_go_on)
{
    const char *const abc = "abc --size 6 --every 4 --vtk f.vti --quiet";
    EXPECT(is_good("run STAGE %s --steps 12", abc));
    EXPECT(rename("f.pvd", "whole.pvd") == 0 && rename("f_00000012.vti", "whole.vti") == 0);
    EXPECT(is_good("run STAGE %s --steps 8 --checkpoint s.vti", abc));
    EXPECT(is_good("run STAGE %s --steps 12 --restart s.vti", abc));
    EXPECT(are_equal("f.pvd", "whole.pvd") && are_equal("f_00000012.vti", "whole.vti"));
    EXPECT(holds("f.pvd", "timestep=\"4\" file=\"f_00000004.vti\"") &&
           holds("f_00000004.vti", "WholeExtent=\"0 6 0 6 0 6\""));
}

TEST(steps_count_from_the_start_of_the_flow)
{
    EXPECT(is_good("run STAGE %s --steps 40 --checkpoint part.vti", cavity));
    Outcome o = lbm("run STAGE cavity --size 24x18 --re 100 --steps 100 --restart part.vti");
    EXPECT(ended_well(o) && strstr(o.out, "\nrestart   from step 40, which part.vti holds\n"));
    EXPECT(strstr(o.out, "\nsteps     60 in "));
    EXPECT(
        is_good("run STAGE %s --steps 40 --restart part.vti --csv same.csv --checkpoint same.vti", cavity));
    EXPECT(are_equal("part.vti", "same.vti") && holds("same.csv", "; step 40"));
    EXPECT(is_refused(lbm("run STAGE %s --steps 39 --restart part.vti", cavity),
                      "\"part.vti\" is at step 40, and the run ends at step 39: --steps takes 40 or more",
                      3));
}

/** Rows of tables, files and lists go on as if there had been no end. */
TEST(numbers_go_on)
{
    const char *const options = "channel_cylinder --size 66x22 --quiet --sample 7 --probe 40,10 --every 20";
    EXPECT(is_good("run STAGE %s --steps 100 --csv whole.csv --vtk f.vti --forces f.csv --probes p.csv",
                   options));
    EXPECT(rename("f.pvd", "whole.pvd") == 0 && rename("f_00000100.vti", "whole.vti") == 0);
    EXPECT(is_good(
        "run STAGE channel_cylinder --size 66x22 --quiet --every 20 --steps 60 --vtk f.vti --checkpoint "
        "s.vti --forces f1.csv --probe 40,10 --probes p1.csv --sample 7"));
    EXPECT(is_good(
        "run STAGE %s --steps 100 --restart s.vti --csv rest.csv --vtk f.vti --forces f2.csv --probes p2.csv",
        options));
    EXPECT(
        system("sed 1d f2.csv | cat f1.csv - | cmp - f.csv && sed 1d p2.csv | cat p1.csv - | cmp - p.csv") ==
        0);
    EXPECT(are_equal("f.pvd", "whole.pvd") && are_equal("f_00000100.vti", "whole.vti"));
    EXPECT(are_equal("whole_00000080.csv", "rest_00000080.csv") && lines_of("rest_00000060.csv") == -1);
}

/** What ParaView shows as one series is one flow, and all its files are there. */
TEST(a_list_forgets_other_flows_and_lost_files)
{
    const char *const flow = "poiseuille --size 4x10 --quiet";
    EXPECT(is_good("run STAGE %s --steps 60 --every 20 --vtk f.vti", cavity));
    EXPECT(is_good("run STAGE %s --steps 40 --checkpoint s.vti", flow));
    EXPECT(is_good("run STAGE %s --steps 60 --restart s.vti --every 5 --vtk f.vti --checkpoint s.vti", flow));
    EXPECT(!holds("f.pvd", "\"20\"") && !holds("f.pvd", "\"40\"") && holds("f.pvd", "\"45\""));
    EXPECT(remove("f_00000050.vti") == 0 && mkfifo("f_00000050.vti", 0600) == 0); // opened, it would wait
    EXPECT(is_good("run STAGE %s --steps 70 --restart s.vti --every 5 --vtk f.vti", flow));
    EXPECT(holds("f.pvd", "\"45\"") && !holds("f.pvd", "\"50\"") && holds("f.pvd", "\"55\"") &&
           holds("f.pvd", "\"70\""));
}

/** A checkpoint from elsewhere begins no interval of --steady. */
TEST(steady_compares_whole_intervals)
{
    const char *const flow = "poiseuille --size 4x10";
    EXPECT(is_good("run STAGE %s --quiet --steps 999 --checkpoint s.vti", flow));
    EXPECT(is_good("run STAGE %s --steady 1e-4 --restart s.vti --csv a.csv", flow) &&
           holds("a.csv", "; step 2000"));
    EXPECT(is_refused(lbm("run STAGE %s --steady 1e-4 --restart s.vti --steps 1999", flow),
                      "it takes 2000 or more", 2));
}

/* ---- Numbers that are almost zero ---- */

/** A cavity so high that after 160 steps the fluid below is still at rest. */
static Scenario create_high_cavity(void)
{
    return create_scenario(find_flow("cavity"), (Parameters){.width = 50, .height = 200, .tau = 0.8});
}

/** The checkpoint that the program writes then; the caller destroys it. */
static Snapshot run_high_cavity(const Scenario *s, const Stage *stage, int steps)
{
    empty_folder();
    EXPECT(is_good("run %s cavity --size 50x200 --tau 0.8 --steps %d --quiet --checkpoint s.vti", stage->name,
                   steps));
    Snapshot r = load_flow(s, "s.vti");
    empty_folder();
    return r;
}

static size_t count_subnormals(const Snapshot *r)
{
    size_t count = 0;
    for (size_t n = 0; n < population_count(r->scenario); n++)
        count += fpclassify(r->f[n]) == FP_SUBNORMAL;
    return count;
}

/** Populations that are further apart than `most`; NaN is. */
static size_t count_apart(const Snapshot *r, const Snapshot *other, double most)
{
    size_t count = 0;
    for (size_t n = 0; n < population_count(r->scenario); n++)
        count += !(fabs((double)r->f[n] - other->f[n]) <= most);
    return count;
}

/** Whether a stage is compared with the first one: not where a GPU fuses operations. */
static int is_compared(int n)
{
    return stages[n]->lattice == &d2q9 && has_the_first_bits(n) && (!stage_info[n].on_gpu || gpu_is_emulated);
}

/**
 * The emulator keeps them, as a GPU does without --ftz=true. Stages that otherwise have the same bits round
 * otherwise from there on: on 200 x 200 cells they are 4e-25 apart after 160 steps, and 2e-8 after 640, when
 * the flow is everywhere.
 */
TEST(stages_differ_by_the_subnormal_populations_that_cpus_flush) // long
{
    Scenario s = create_high_cavity();
    Snapshot early = run_high_cavity(&s, stages[0], 160), late = run_high_cavity(&s, stages[0], 640);
    size_t kept = 0;
    for (int n = 1; n < stage_count; n++) {
        if (!is_compared(n))
            continue;
        Snapshot r = run_high_cavity(&s, stages[n], 160);
        EXPECT(count_apart(&r, &early, 1e-20) == 0);
        kept += count_subnormals(&r);
        destroy_snapshot(&r);
        r = run_high_cavity(&s, stages[n], 640);
        EXPECT(count_apart(&r, &late, 1e-7) == 0);
        destroy_snapshot(&r);
    }
    EXPECT(!gpu_is_emulated || kept > 0);
    destroy_snapshot(&late);
    destroy_snapshot(&early);
    destroy_scenario(&s);
}

TEST(cpu_stages_flush_subnormal_populations)
{
    Scenario s = create_high_cavity();
    for (int n = 0; n < stage_count; n++) {
        if (stages[n]->lattice != &d2q9 || stage_info[n].on_gpu)
            continue;
        Snapshot r = run_high_cavity(&s, stages[n], 160);
        EXPECT(count_subnormals(&r) == 0);
        destroy_snapshot(&r);
    }
    destroy_scenario(&s);
}

/* ---- Writing ---- */

static int step_of(const char *path)
{
    char text[512] = "";
    FILE *file = fopen(path, "r");
    if (file) {
        read_stream(file, text, sizeof text);
        fclose(file);
    }
    const char *step = strstr(text, "; step ");
    return step ? atoi(step + strlen("; step ")) : -1;
}

TEST(a_signal_leaves_what_a_run_goes_on_from)
{
    const Outcome o = interrupt("run STAGE cavity --size 24x18 --re 100 --steps 999999999 --checkpoint s.vti",
                                "memory", 200, SIGINT);
    EXPECT(o.code == 128 + SIGINT && is_one_line(o.err) && strstr(o.err, "wrote s.vti\n") &&
           count_files() == 1);
    const int step = step_of("s.vti");
    EXPECT(step > 0);
    EXPECT(is_good("run STAGE %s --steps %d --restart s.vti --checkpoint s.vti", cavity, step + 5));
    EXPECT(is_good("run STAGE %s --steps %d --checkpoint whole.vti", cavity, step + 5));
    EXPECT(are_equal("s.vti", "whole.vti"));
}

/** Killed, a run leaves the checkpoint that it wrote last. */
TEST(checkpoints_are_written_on_the_way)
{
    Call line;
    parse_call(
        &line,
        "run STAGE cavity --size 24x18 --re 100 --steps 999999999 --checkpoint s.vti --save 700 --quiet");
    const Running running = start(&line);
    for (int n = 0; n < 3000 && step_of("s.vti") < 1400; n++)
        sleep_ms(10);
    kill(running.pid, SIGKILL);
    EXPECT(finish(running).killed);
    const int step = step_of("s.vti");
    EXPECT(step >= 1400 && step % 700 == 0);
    EXPECT(is_good("run STAGE %s --steps %d --restart s.vti", cavity, step));
}

TEST(a_flow_that_diverges_leaves_the_checkpoint_before)
{
    const char *const flow = "cavity --size 38 --tau 0.501 --u 0.5 --quiet --checkpoint s.vti";
    EXPECT(lbm("run STAGE %s --steps 5", flow).code == 0);
    const Outcome o = lbm("run STAGE %s --steps 5000 --save 700", flow);
    EXPECT(o.code == 1 && step_of("s.vti") == 5 && count_files() == 1);
}

/** The checkpoint is there though another file could not be written at the end. */
TEST(a_checkpoint_comes_before_other_files)
{
    const Outcome o =
        lbm("run STAGE %s --steps 50 --checkpoint s.vti --save 20 --every 40 --csv a.csv", cavity);
    EXPECT(ended_well(o));
    EXPECT(remove("a_00000050.csv") == 0 && mkdir("a_00000050.csv", 0700) == 0 && remove("s.vti") == 0);
    EXPECT(lbm("run STAGE %s --steps 50 --checkpoint s.vti --every 40 --csv a.csv", cavity).code == 3);
    EXPECT(step_of("s.vti") == 50);
}

/* ---- Refusals ---- */

TEST(options_that_change_nothing_are_refused)
{
    EXPECT(is_refused(lbm("run STAGE cavity --save 5"), "--save 5 changes nothing without --checkpoint F.vti",
                      0));
    EXPECT(is_refused(lbm("run STAGE cavity --checkpoint a --save 0"), "an integer from 1 on", 0));
    EXPECT(is_refused(lbm("run STAGE cavity --checkpoint sub/"), "a file name", 0));
    EXPECT(is_refused(lbm("run STAGE cavity --checkpoint ''"), "a file name", 0));
    EXPECT(is_refused(lbm("run STAGE cavity --restart"), "lacks its value", 0));
}

TEST(files_are_kept_apart)
{
    EXPECT(is_good("run STAGE %s --steps 20 --checkpoint s_00000040.vti", cavity));
    EXPECT(link("s_00000040.vti", "hard") == 0);
    const char *const others[] = {"--csv s_00000040.vti",
                                  "--vtk hard",
                                  "--vtk s.vti --every 40",
                                  "--forces ./hard",
                                  "--checkpoint c_00000020.vti --vtk c.vti --every 20",
                                  "--checkpoint a --csv a",
                                  "--csv c.pvd --vtk c.vti --every 20",
                                  "--checkpoint c.pvd --vtk c.vti --every 20"};
    for (int n = 0; n < 8; n++)
        EXPECT(
            is_refused(lbm("run STAGE %s --steps 60 --restart s_00000040.vti %s", cavity, others[n]), "", 2));
    EXPECT(is_good("run STAGE %s --steps 60 --restart s_00000040.vti --checkpoint hard", cavity));
    EXPECT(step_of("hard") == 60 && step_of("s_00000040.vti") == 20);
    EXPECT(is_good("run STAGE %s --steps 60 --restart s_00000040.vti --checkpoint s_00000040.vti", cavity));
    EXPECT(are_equal("hard", "s_00000040.vti") && count_files() == 2);
    write_file("options", "--steps 1\n");
    EXPECT(is_refused(lbm("run STAGE %s @options --checkpoint options", cavity), "would replace", 3));
}

TEST(other_flows_are_refused)
{
    const char *const bodies = "run STAGE bodies --size 40x30 --tau 0.8 --steps 9 --quiet";
    EXPECT(is_good("run STAGE %s --steps 20 --checkpoint s.vti", cavity));
    const char *const others[] = {"cavity --size 24x18 --re 101", "cavity --size 18x24 --re 100",
                                  "cavity --size 24x18 --re 100 --u 0.05", "cavity",
                                  "taylor_green --size 24x18"};
    for (int n = 0; n < 5; n++) {
        const Outcome o = lbm("run STAGE %s --restart s.vti --csv a.csv", others[n]);
        EXPECT(is_refused(o, "it holds cavity, 24x18 cells, Re 100, tau 0.566, u 0.1, and this run is ", 1));
        EXPECT(strstr(o.err, n < 4 ? "run is cavity, " : "run is taylor_green, 24x18 cells, "));
    }
    EXPECT(is_good("%s --box 10,10,4,4 --checkpoint s.vti", bodies));
    EXPECT(is_refused(
        lbm("%s --box 10,11,4,4 --restart s.vti", bodies),
        "its cell 10,10 is of type 6, and that of this run of type 0: the bodies must be the same", 1));
}

TEST(other_flows_in_space_are_refused)
{
    EXPECT(is_good("run STAGE duct --size 4x5x6 --tau 0.8 --steps 9 --checkpoint s.vti --quiet"));
    const char *const others[] = {"duct --size 4x6x5 --tau 0.8", "duct --size 4x5x6 --tau 0.9",
                                  "abc --size 5 --tau 0.8"};
    for (int n = 0; n < 3; n++)
        EXPECT(is_refused(lbm("run STAGE %s --restart s.vti --csv a.csv", others[n]),
                          "it holds duct, 4x5x6 cells, Re ", 1));
    EXPECT(is_refused(lbm("run STAGE duct --size 4x5 --tau 0.8 --restart s.vti"), "4x5x1 is too small", 1));
}

/** The bytes of a file; returns how many there are. */
static size_t read_bytes(const char *path, char *bytes, size_t most)
{
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, most, file) : 0;
    if (file)
        fclose(file);
    return size;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
}

static char bytes[1 << 16];

static Outcome resume(void)
{
    return lbm("run STAGE cavity --size 9 --re 10 --steps 30 --restart s.vti --csv a.csv --quiet");
}

/** Whatever is changed: the run is refused. */
TEST(damaged_checkpoints_are_refused)
{
    EXPECT(is_good("run STAGE cavity --size 9 --re 10 --steps 20 --checkpoint s.vti --quiet"));
    const size_t size = read_bytes("s.vti", bytes, sizeof bytes);
    EXPECT(size > 81 * 61 && size < sizeof bytes);
    EXPECT(ended_well(resume()) && remove("a.csv") == 0);
    unsigned random = 1;
    for (int n = 0; n < 300; n++) {
        random = 1664525u * random + 1013904223u;
        const size_t at = (random >> 8) % size;
        const char was = bytes[at];
        bytes[at] ^= (char)(1 << n % 8);
        write_bytes("s.vti", bytes, size);
        bytes[at] = was;
        EXPECT(is_refused(resume(), "", 1));
    }
}

TEST(damaged_checkpoints_in_space_are_refused)
{
    const char *const line =
        "run STAGE duct --size 3x4x5 --tau 0.8 --steps 7 --quiet --restart s.vti --csv a.csv";
    empty_folder();
    EXPECT(is_good("run STAGE duct --size 3x4x5 --tau 0.8 --steps 5 --quiet --checkpoint s.vti"));
    const size_t size = read_bytes("s.vti", bytes, sizeof bytes);
    EXPECT(size > 60 * (19 * 4 + 37) && size < sizeof bytes);
    EXPECT(is_good("%s", line) && remove("a.csv") == 0);
    for (size_t n = 0; n < 20; n++) {
        const size_t at = n * (size - 1) / 19;
        bytes[at] ^= 4;
        write_bytes("s.vti", bytes, size);
        bytes[at] ^= 4;
        EXPECT(is_refused(lbm("%s", line), "", 1));
        write_bytes("s.vti", bytes, at);
        EXPECT(is_refused(lbm("%s", line), "", 1));
    }
}

TEST(truncated_and_foreign_files_are_refused)
{
    EXPECT(is_good("run STAGE cavity --size 9 --re 10 --steps 20 --checkpoint s.vti --vtk flow.vti --quiet"));
    const size_t size = read_bytes("s.vti", bytes, sizeof bytes - 1);
    for (size_t n = 0; n <= size + 1; n += n < 300 || n > size - 40 ? 1 : 97) {
        if (n == size)
            continue;
        write_bytes("s.vti", bytes, n);
        EXPECT(is_refused(resume(),
                          n < 58 ? "it is no checkpoint" : "it is damaged, or not all of it is there: ", 2));
    }
    write_bytes("s.vti", bytes, size - 1);
    EXPECT(is_refused(resume(), "its last line must be the checksum ", 2));
    char *const number = strstr(bytes, "format 3:");
    EXPECT(number);
    if (number)
        number[7] = '7';
    write_bytes("s.vti", bytes, size);
    EXPECT(is_refused(resume(), "its format is 7, and this program reads 1, 2 and 3", 2));
    EXPECT(remove("s.vti") == 0 && rename("flow.vti", "s.vti") == 0);
    EXPECT(is_refused(resume(), "it is no checkpoint; --checkpoint F.vti writes one", 1));
    write_file("s.vti", "");
    EXPECT(is_refused(resume(), "it is no checkpoint", 1));
    EXPECT(remove("s.vti") == 0);
    EXPECT(is_refused(resume(), "No such file or directory", 0));
    EXPECT(mkdir("s.vti", 0700) == 0);
    EXPECT(is_refused(resume(), "it is no regular file", 1));
    EXPECT(remove("s.vti") == 0 && mkfifo("s.vti", 0600) == 0);
    EXPECT(is_refused(resume(), "it is no regular file", 1));
    EXPECT(
        is_refused(lbm("run STAGE cavity --size 9 --re 10 --restart /dev/zero"), "it is no regular file", 1));
}
