/**
 * @file unsupported.c
 * Grids that a stage refuses: what each command makes of them. The program is lbm with one more stage,
 * `refusing`, which takes up to 40 x 40 cells (refusing.cu).
 */
#include "check.h"
#include "gpu/device.h"
#include "gpu/known_devices.h"
#include "refused.h"
#include "run_lbm.h"

/** Whether a call ends with exit code 2 and one line, which says that the stage refuses so many cells and
 * what it takes, before it prints or writes anything. */
static int is_refused_with(const char *line, const char *cells, const char *taken)
{
    char expected[256];
    snprintf(expected, sizeof expected, "lbm: refusing refuses %s cells: it takes up to 40 x 40%s\n", cells,
             taken);
    const Outcome o = lbm("%s", line);
    const int good = o.code == 2 && !*o.out && strcmp(o.err, expected) == 0 && count_files() == 0;
    if (!good)
        printf("%s: exit code %d, %d files, expected \"%s\":\n%s%s", line, o.code, count_files(), expected,
               o.out, o.err);
    empty_folder();
    return good;
}

static int is_refused(const char *line, const char *cells)
{
    return is_refused_with(line, cells, "");
}

TEST(run_refuses_the_grid_before_it_reads_or_writes)
{
    EXPECT(is_refused("run refusing cavity --size 41 --re 100 --steps 1 --csv a.csv --checkpoint c.vti",
                      "41 x 41"));
    EXPECT(is_refused_with("run refusing cavity --size 40x41 --re 100 --steps 1", "40 x 41",
                           "; at this width up to 40 x 40"));
    EXPECT(is_refused("run refusing cavity --size 60000 --re 100 --steps 1", "60000 x 60000"));
    EXPECT(is_refused("run refusing cavity --size 41 --re 100 --steps 9 --restart none.vti", "41 x 41"));
    EXPECT(is_refused("run refusing channel_cylinder --forces f.csv", "442 x 84"));
}

TEST(a_grid_that_is_taken_runs)
{
    const Outcome o = lbm("run refusing cavity --size 40 --re 100 --steps 5 --csv a.csv");
    EXPECT(o.code == 0 && !*o.err && count_files() == 1);
}

TEST(a_grid_that_makes_no_sense_is_no_matter_of_the_stage)
{
    const Outcome o = lbm("run refusing cavity --size 2x99 --re 100");
    EXPECT(o.code == 2 && is_one_line(o.err) && !strstr(o.err, "refuses"));
}

TEST(converge_refuses_any_of_its_grids)
{
    EXPECT(is_refused("converge refusing taylor_green --sizes 16,32,64 --csv a.csv", "64 x 64"));
    EXPECT(is_refused("converge refusing cavity", "66 x 66"));
}

TEST(tune_refuses_the_grid)
{
    EXPECT(is_refused_with("tune refusing --size 40x41 --csv a.csv", "40 x 41",
                           "; at this width up to 40 x 40"));
}

TEST(traffic_refuses_the_grid)
{
#ifndef CAN_RECORD
    SKIP("the compiler is not one that lbm traffic takes");
#endif
    EXPECT(is_refused("traffic refusing --size 41x40 --csv a.csv --svg a.svg", "41 x 40"));
    EXPECT(is_refused("traffic refusing", "512 x 512"));
}

TEST(bench_refuses_if_nothing_is_left)
{
    EXPECT(is_refused("bench refusing --sizes 41,64 --repeat 1 --csv a.csv", "41 x 41"));
    EXPECT(is_refused("bench refusing --repeat 1 --phases", "64 x 64"));
}

TEST(bench_leaves_out_what_is_refused)
{
    const char *const lines[] = {"bench refusing --sizes 64,16 --repeat 1 --csv a.csv",
                                 "bench refusing --sizes 16,64 --repeat 1 --csv a.csv --phases"};
    for (int n = 0; n < 2; n++) {
        const Outcome o = lbm("%s", lines[n]);
        EXPECT(o.code == 0 && !*o.err && occurrences(o.out, "\nrefusing ") == 1);
        EXPECT(occurrences(o.out, "\nleft out  refusing at 64: it takes up to 40 x 40\n") == 1);
        EXPECT(system("grep -q '^refusing,16,' a.csv") == 0 && system("grep -q '^refusing,64,' a.csv") != 0);
        EXPECT(system("grep -q '^# left out: refusing at 64: it takes up to 40 x 40$' a.csv") == 0);
    }
}

TEST(bench_measures_the_others)
{
    const Outcome o = lbm("bench STAGE refusing --sizes 64 --repeat 1");
    EXPECT(o.code == 0 && !*o.err && occurrences(o.out, "\n00_") == 1 &&
           strstr(o.out, "left out  refusing at 64"));
}

/* ---- Devices that can't run a stage ---- */

/** What each command makes of a stage that the device refuses for that reason; `other` takes the same flow.
 */
static void expect_left_out(const Stage *stage, const char *reason, const Stage *other)
{
    char line[512], expected[512];
    snprintf(line, sizeof line, "bench %s %s --sizes 8,16 --repeat 1", other->name, stage->name);
    snprintf(expected, sizeof expected, "\nleft out  %s: %s\n", stage->name, reason);
    Outcome o = lbm("%s", line);
    EXPECT(o.code == 0 && !*o.err && occurrences(o.out, expected) == 1);
    EXPECT(occurrences(o.out, "\nleft out") == 1 && occurrences(o.out, other->name) >= 2);

    const char *const commands[] = {"run %s %s --steps 1", "converge %s %s", "tune %s --scenario %s",
                                    "bench %s --scenario %s", "validate %s"};
    for (int n = 0; n < 5; n++) {
        o = lbm(commands[n], stage->name, first_flow(stage)->name);
        EXPECT(o.code == 2 && !*o.out && is_one_line(o.err) && strstr(o.err, reason));
    }
}

TEST(what_a_device_can_not_run_is_left_out)
{
    if (!gpu_is_emulated)
        SKIP("there is one device");
    int count = 0;
    for (int d = 1; d < known_device_count; d++)
        for (int n = 0; n < stage_count; n++) {
            char text[300];
            int other = 0;
            setenv("LBM_DEVICE", known_devices[d].name, 1);
            const char *reason = device_reason(stages[n]);
            snprintf(text, sizeof text, "%s", reason ? reason : "");
            while (stages[other]->lattice != stages[n]->lattice)
                other++;
            if (reason)
                expect_left_out(stages[n], text, stages[other]);
            count += reason != NULL;
        }
    unsetenv("LBM_DEVICE");
    EXPECT(count > 0);
}

/* ---- The functions ---- */

static Stage changed;

static const char *refuse_ten_columns(int width, int height)
{
    (void)height;
    return width == 10 ? "any but 10 columns" : NULL;
}

/** The longest columns have 1000 cells less as many as a row has. */
static const char *refuse_high_columns(int width, int height)
{
    static char text[300];
    snprintf(text, sizeof text, "%0250d", width); // no caller has room for more than this
    return height > 1000 - width ? text : NULL;
}

static void check_ten_columns(void)
{
    check_grid(&changed, 10, 20);
}

TEST(a_stage_without_the_function_takes_any_grid)
{
    EXPECT(!stage_reason(stages[0], 1, 1) && !stage_reason(stages[0], 60000, 60000));
    check_grid(stages[0], 60000, 60000);
}

TEST(a_refusal_is_that_of_the_stage)
{
    changed = *stages[0];
    changed.unsupported = refuse_ten_columns;
    EXPECT(!stage_reason(&changed, 20, 10));
    check_grid(&changed, 20, 10);
    EXPECT(stage_reason(&changed, 10, 20) &&
           strcmp(stage_reason(&changed, 10, 20), "any but 10 columns") == 0);
    EXPECT(refuses(check_ten_columns, "refuses 10 x 20 cells: any but 10 columns"));
}

TEST(a_refusal_names_the_height_that_fits_the_width)
{
    static const int widths[] = {1, 10, 500, 998, 999};
    changed = *stages[0];
    changed.unsupported = refuse_high_columns;
    for (int n = 0; n < 5; n++)
        for (int height = 1001 - widths[n]; height < 65536; height = 3 * height + 1) {
            char expected[300];
            snprintf(expected, sizeof expected, "%0250d; at this width up to %d x %d", widths[n], widths[n],
                     1000 - widths[n]);
            EXPECT(strcmp(stage_reason(&changed, widths[n], height), expected) == 0);
        }
    EXPECT(strstr(stage_reason(&changed, 1000, 1), "at this width") == NULL);
    EXPECT(strstr(stage_reason(&changed, 1000, 500), "at this width") == NULL);
}

/* ---- Stages that keep the grid on the chip ---- */

TEST(stages_on_chip_refuse_what_does_not_fit_there)
{
    int count = 0;
    for (int n = 0; n < stage_count; n++)
        if (stage_info[n].on_chip) {
            count++;
            EXPECT(keeps_grid_on_chip(stages[n]) && stage_info[n].on_gpu && stages[n]->unsupported);
            EXPECT(stage_reason(stages[n], 60000, 60000));
        }
    EXPECT(count > 1);
}

/** The names of those that keep such a grid on the chip, in the order of all stages. */
static void expect_names(const Stage *stage, int width, int height)
{
    char names[1024] = "lbm bench", expected[1024] = "lbm bench";
    for (int n = 0; n < stage_count; n++)
        if (stage_info[n].on_chip && stages[n]->lattice == stage->lattice &&
            !stage_reason(stages[n], width, height)) {
            strcat(expected, " ");
            strcat(expected, stages[n]->name);
        }
    append_stages_on_chip(names, sizeof names, stage, width, height);
    if (strcmp(names, expected) != 0)
        printf("%s, %d x %d: \"%s\", expected \"%s\"\n", stage->name, width, height, names, expected);
    EXPECT(strcmp(names, expected) == 0);
}

TEST(others_are_told_of_them_where_the_grid_fits)
{
    for (int n = 0; n < stage_count; n++) {
        if (stage_info[n].on_gpu && !stage_info[n].on_chip) {
            expect_names(stages[n], 16, 16);
            expect_names(stages[n], 600, 100);
            expect_names(stages[n], 60000, 60000);
        } else {
            char names[64] = "";
            append_stages_on_chip(names, sizeof names, stages[n], 16, 16);
            EXPECT(!*names);
        }
    }
}

/** On the emulator all stages are slow, so that none is worth a hint. */
TEST(run_hints_at_them_on_a_gpu)
{
    const Stage *on_gpu = NULL, *on_chip = NULL;
    for (int n = 0; n < stage_count; n++) {
        on_gpu = on_gpu || !stage_info[n].on_gpu ? on_gpu : stages[n];
        on_chip = on_chip || !stage_info[n].on_chip ? on_chip : stages[n];
    }
    char line[256], hint[256];
    snprintf(line, sizeof line, "run %s cavity --size 16x25 --re 50 --steps 1", on_gpu->name);
    snprintf(hint, sizeof hint, "which is fastest here: lbm bench %s %s", on_gpu->name, on_chip->name);
    Outcome o = lbm("%s", line);
    EXPECT(o.code == 0 && !*o.err && (strstr(o.out, hint) == NULL) == gpu_is_emulated);
    EXPECT(occurrences(o.out, "\nhint      ") == !gpu_is_emulated);
    EXPECT(occurrences(o.out, " --sizes 20\n") == !gpu_is_emulated);
    strcat(line, " --quiet");
    o = lbm("%s", line);
    EXPECT(o.code == 0 && !*o.err && !*o.out);
    EXPECT(!strstr(lbm("run %s cavity --size 16 --re 50 --steps 1", on_chip->name).out, "hint"));
    EXPECT(!strstr(lbm("run STAGE cavity --size 16 --re 50 --steps 1").out, "hint"));
}
