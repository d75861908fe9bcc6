#include "check.h"
#include "csv_text.h"
#include "host/allocate.h"
#include "run_lbm.h"

#include <signal.h>

static int has_head(const char *text, const char *command)
{
    const char *const keys[] = {"# command: ", "# date: 20", "# commit: ",   "# device: ", "# driver: ",
                                "# CUDA: ",    "# host: ",   "# compiler: ", "# backend: "};
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++)
        if (occurrences(text, keys[n]) != 1)
            return 0;
    return strstr(text, command) != NULL;
}

TEST(bench_writes_what_it_prints)
{
    const Outcome o = lbm("bench STAGE %s --sizes 8,17 --repeat 2 --csv a.csv", stages[1]->name);
    EXPECT(o.code == 0 && !*o.err && count_files() == 1);
    EXPECT(occurrences(o.out, "\n00_") == 2 && strstr(o.out, "MLUPS") &&
           strstr(o.out, "GB/s read and written"));

    const char *csv = contents("a.csv");
    EXPECT(has_head(csv, "# command: lbm bench 00_"));
    for (int n = 1; n <= 4; n++) {
        const Stage *stage = stages[(n - 1) % 2];
        const double mean = value(csv, "mlups_mean", n), bandwidth = value(csv, "gbs", n);
        EXPECT(strncmp(row(csv, n), stage->name, strlen(stage->name)) == 0);
        EXPECT(value(csv, "size", n) == (n <= 2 ? 8 : 17));
        EXPECT(value(csv, "repeats", n) == 2);
        EXPECT(fmod(value(csv, "steps", n), stage->cycle) == 0.0);
        EXPECT(mean > 0.0 && value(csv, "mlups_min", n) <= mean && mean <= value(csv, "mlups_max", n));
        EXPECT(value(csv, "cv_percent", n) >= 0.0 && value(csv, "copy_percent", n) > 0.0);
        EXPECT_NEAR(bandwidth, stage->bytes_per_update * mean / 1e3, 1e-6 * bandwidth);
        EXPECT(value(csv, "setup_ms", n) > 0.0 && value(csv, "read_ms", n) > 0.0);
        const double ratio = mean / value(csv, "mlups_mean", n - 1);
        if (n % 2)
            EXPECT(isnan(value(csv, "over_before", n)) && isnan(value(csv, "over_first", n)));
        else
            EXPECT_NEAR(value(csv, "over_before", n), ratio, 1e-6 * ratio);
    }
    EXPECT(!*row(csv, 5));
}

TEST(bench_says_that_emulation_measures_nothing)
{
    const Outcome o = lbm("bench STAGE --sizes 8 --repeat 1 --scenario cavity");
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, "flow      cavity"));
    EXPECT(count_files() == 0 && !strstr(o.out, "left out"));
#ifdef GPU_ON_CPU
    EXPECT(strstr(o.out, "emulator") && strstr(o.out, "means nothing"));
#endif
}

TEST(bench_leaves_out_what_does_not_fit)
{
    if (free_memory() / 110 > 46340ull * 46340ull)
        SKIP("the largest grid fits into this machine's memory");
    const Outcome o = lbm("bench STAGE --sizes 46340,8 --repeat 1 --csv a.csv");
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, "left out") && strstr(o.out, "at 46340: needs "));
    EXPECT(value(contents("a.csv"), "size", 1) == 8);
#ifdef GPU_ON_CPU // 17 bytes of density, velocity and type, and 73 of the stage, for each of 46340^2 cells
    EXPECT(strstr(lbm("bench %s --sizes 46340,8 --repeat 1", stages[1]->name).out, "needs 180.0 GiB"));
#endif
}

TEST(bench_without_a_single_case_fails)
{
    if (free_memory() / 110 > 46340ull * 46340ull)
        SKIP("the largest grid fits into this machine's memory");
    const Outcome o = lbm("bench STAGE --sizes 46340 --repeat 1 --csv a.csv");
    EXPECT(o.code == 3 && strstr(o.err, "nothing was measured") && count_files() == 0);
}

TEST(copies_are_as_large_as_they_are_asked_to_be)
{
    for (int n = 0; n < 2; n++) {
        char line[256];
        snprintf(line, sizeof line, "bench %s --sizes 8 --repeat 1", stages[n]->name);
        const char *const wrong[] = {"", "0", "65537", "8x", "many"};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            setenv("LBM_COPY_MIB", wrong[k], 1);
            const Outcome o = lbm("%s", line);
            EXPECT(o.code == 2 && is_one_line(o.err) && strstr(o.err, "an integer from 1 to 65536"));
        }
        setenv("LBM_COPY_MIB", "3", 1);
        EXPECT(strstr(lbm("%s", line).out, "copies    of 3 MiB"));
    }
}

TEST(repeats_are_as_long_as_they_are_asked_to_be)
{
    const char *const wrong[] = {"", "0", "1001", "8x", "many"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        setenv("LBM_REPEAT_MS", wrong[k], 1);
        const Outcome o = lbm("bench STAGE --sizes 8 --repeat 1");
        EXPECT(o.code == 2 && is_one_line(o.err) && !*o.out && strstr(o.err, "an integer from 1 to 1000"));
    }
    setenv("LBM_REPEAT_MS", "50", 1);
    EXPECT(strstr(lbm("bench STAGE --sizes 8 --repeat 1").out,
                  "at least 0.05 s of solver time (LBM_REPEAT_MS)"));
    unsetenv("LBM_REPEAT_MS");
    EXPECT(strstr(lbm("bench STAGE --sizes 8 --repeat 1").out, "at least 0.3 s of solver time, after"));
}

/** A stage's share of a copy is that of the memory it works in; the other one is not even measured here. */
TEST(a_share_is_that_of_the_memory_in_use)
{
    const char *const copies[] = {"# host copy: ", "# copy: "};
    for (int n = 0; n < 2; n++) {
        EXPECT(lbm("bench %s --sizes 8 --repeat 1 --csv a.csv", stages[n]->name).code == 0);
        const char *csv = contents("a.csv"), *copy = strstr(csv, copies[n]);
        EXPECT(copy && occurrences(csv, " GB/s read and written") == 1);
        const double rate = copy ? atof(copy + strlen(copies[n])) : NAN;
        EXPECT_NEAR(100.0 * value(csv, "gbs", 1) / value(csv, "copy_percent", 1), rate, 0.051);
    }
}

TEST(speed_ups_are_over_the_stage_that_it_follows_and_the_first)
{
    EXPECT(lbm("bench STAGE %s %s --sizes 8 --repeat 1 --csv a.csv", stages[1]->name, stages[2]->name).code ==
           0);
    const char *csv = contents("a.csv");
    const double first = value(csv, "mlups_mean", 1), before = value(csv, "mlups_mean", 2),
                 mean = value(csv, "mlups_mean", 3);
    EXPECT_NEAR(value(csv, "over_before", 3), mean / before, 1e-6 * mean / before);
    EXPECT_NEAR(value(csv, "over_first", 3), mean / first, 1e-6 * mean / first);
}

TEST(phases_are_timed_apart)
{
    const Stage *stage = stages[0];
    for (int n = 1; n < stage_count; n++)
        stage = stage_reason(stages[n], 16, 16) ? stage : stages[n];
    const double cells = stage->lattice->dimensions == 2 ? 16 * 16 : 16 * 16 * 16;
    const Outcome o = lbm("bench %s --phases --sizes 16 --repeat 2 --csv p.csv", stage->name);
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, " phase "));
    const char *csv = contents("p.csv");
    EXPECT(has_head(csv, "--phases"));
    const double first = value(csv, "step_us", 1);
    for (int phase = 0; phase < stage->cycle; phase++) {
        const double us = value(csv, "step_us", phase + 1);
        EXPECT(value(csv, "phase", phase + 1) == phase);
        EXPECT(us > 0.0 && fmod(value(csv, "steps", phase + 1), stage->cycle) == 0.0);
        EXPECT_NEAR(value(csv, "over_first_phase", phase + 1), us / first, 1e-6 * us / first);
        EXPECT_NEAR(value(csv, "mlups", phase + 1), cells / us, 1e-6 * cells / us);
    }
    EXPECT(isnan(value(csv, "phase", stage->cycle + 1)));
}

TEST(tune_ranks_every_shape)
{
    const Outcome o = lbm("tune %s --size 20x9 --csv s.csv", stages[1]->name);
    EXPECT(o.code == 0 && !*o.err && count_files() == 1);
    const char *csv = contents("s.csv");
    EXPECT(has_head(csv, "# command: lbm tune"));
    int widest = 0, flattest = 0;
    for (int n = 1; n <= 51; n++) {
        const double x = value(csv, "block_x", n), y = value(csv, "block_y", n);
        const double best = value(csv, "mlups_mean", 1), mean = value(csv, "mlups_mean", n);
        EXPECT(value(csv, "rank", n) == n);
        EXPECT(value(csv, "threads", n) == x * y && x * y >= 32.0 && x * y <= 1024.0);
        EXPECT(n == 1 || mean <= value(csv, "mlups_mean", n - 1));
        EXPECT_NEAR(value(csv, "percent_of_best", n), 100.0 * mean / best, 1e-4);
        widest += x == 1024.0 && y == 1.0;
        flattest += x == 1.0 && y == 1024.0;
    }
    EXPECT(widest == 1 && flattest == 1 && !*row(csv, 52));
}

TEST(one_repeat_has_no_variation)
{
    const Outcome o = lbm("bench STAGE --sizes 8 --repeat 1 --csv a\nb");
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, " --csv a?b\n")); // the name has one line
    EXPECT(isnan(value(contents("a\nb"), "cv_percent", 1)) && value(contents("a\nb"), "gbs", 1) > 0.0);
}

/** Without bodies of the user, the flow's own must fit: that is found before the first case. */
TEST(sizes_too_small_for_the_body_are_refused_before_the_work)
{
    const Outcome o = lbm("bench STAGE --scenario bodies --sizes 32,8 --repeat 1 --csv a.csv");
    EXPECT(o.code == 2 && !*o.out && count_files() == 0);
}

TEST(unwritable_tables_are_refused_before_the_work)
{
    const char *const lines[] = {"bench STAGE --sizes 8 --csv no/such/folder/a", "bench STAGE --csv .",
                                 "bench STAGE --phases --csv /proc/a"};
    for (int n = 0; n < 3; n++) {
        const Outcome o = lbm("%s", lines[n]);
        EXPECT(o.code == 3 && is_one_line(o.err) && !*o.out && count_files() == 0);
    }
}

/** Whether a file says in its first line that a signal cut it short. */
static int is_marked(const char *csv)
{
    return strncmp(csv, "# interrupted: ", strlen("# interrupted: ")) == 0;
}

TEST(interrupted_bench_keeps_its_rows)
{
    unsetenv("LBM_REPEAT_MS"); // it must not end before the signal
    const Outcome o = interrupt("bench STAGE --sizes 8,9,8,9,8,9,8,9,8,9,8,9,8,9,8,9,8,9,8,9,8,9,8,9,8,9 "
                                "--repeat 1 --csv a.csv",
                                "\n00_", 0, SIGINT);
    const char *csv = contents("a.csv");
    const int rows = occurrences(o.out, "\n00_");
    EXPECT(!o.killed && o.code == 128 + SIGINT && count_files() == 1);
    EXPECT(is_one_line(o.err) && strstr(o.err, "interrupted") && strstr(o.err, "wrote a.csv"));
    EXPECT(is_marked(csv) && has_head(csv, "# command: lbm bench"));
    EXPECT(rows >= 1 && rows < 26 && *row(csv, rows) && !*row(csv, rows + 1));
}

/** The first case would take minutes; an old table stays. */
TEST(bench_ends_between_repeats)
{
    const char *const options[] = {"", "--phases"};
    unsetenv("LBM_REPEAT_MS"); // it must not end before the signal
    for (int n = 0; n < 2; n++) {
        char line[128];
        snprintf(line, sizeof line, "bench STAGE --sizes 8 --repeat 1000 --csv a.csv %s", options[n]);
        write_file("a.csv", "old\n");
        const Outcome o = interrupt(line, "\nstage  ", 700, SIGINT);
        EXPECT(!o.killed && o.code == 128 + SIGINT && is_one_line(o.err) && strstr(o.err, "wrote nothing"));
        EXPECT(strcmp(contents("a.csv"), "old\n") == 0 && count_files() == 1);
        empty_folder();
    }
}

/** Nothing shows when a shape is measured: later and later, until there is one. */
TEST(interrupted_tune_ranks_what_it_has)
{
    char line[128];
    int rows = 0;
    snprintf(line, sizeof line, "tune %s --size 64 --csv s.csv", stages[1]->name);
    for (long ms = 100; ms < 10000 && rows == 0; ms *= 2) {
        const Outcome o = interrupt(line, "repeats", ms, SIGTERM);
        EXPECT(!o.killed && o.code == 128 + SIGTERM && is_one_line(o.err) && strstr(o.err, "interrupted"));
        const char *csv = contents("s.csv");
        EXPECT(!*csv || is_marked(csv));
        while (*row(csv, rows + 1))
            rows++;
    }
    const char *csv = contents("s.csv");
    EXPECT(rows >= 1 && rows < 51);
    for (int n = 1; n <= rows; n++)
        EXPECT(value(csv, "rank", n) == n && value(csv, "mlups_mean", n) <= value(csv, "mlups_mean", 1));
}

TEST(complete_tables_are_not_marked)
{
    EXPECT(lbm("bench STAGE --sizes 8 --repeat 1 --csv a.csv").code == 0);
    EXPECT(!strstr(contents("a.csv"), "interrupted"));
}
