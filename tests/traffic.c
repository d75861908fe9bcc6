/**
 * @file traffic.c
 * The command `traffic`: what it prints and writes, and what it refuses.
 */
#include "run_lbm.h"

#include "check.h"

#include "host/fail.h"

#include <limits.h>

static Outcome traffic(const char *line)
{
    return lbm("traffic %s", line);
}

/** Whether some line of a text begins with a word, and holds these numbers in their order. */
static int has_row(const char *text, const char *word, double requests, double sectors, double used)
{
    for (text = strstr(text, word); text; text = strstr(text + 1, word)) {
        double number[3];
        if (sscanf(text + strlen(word), "%lf %lf %lf", &number[0], &number[1], &number[2]) == 3 &&
            number[0] == requests && number[1] == sectors && number[2] == used)
            return 1;
    }
    return 0;
}

TEST(the_first_stages_are_what_a_profiler_says)
{
    Outcome o = traffic("01_naive_gpu");
    EXPECT(o.code == EXIT_GOOD && *o.err == '\0');
    EXPECT(has_row(o.out, "  load ", 155072, 16.00, 15.1) && has_row(o.out, "  store ", 73440, 32.00, 12.5));
    o = traffic("02_soa");
    EXPECT(o.code == EXIT_GOOD && *o.err == '\0');
    EXPECT(has_row(o.out, "  load ", 155072, 2.74, 88.5) && has_row(o.out, "  store ", 73440, 4.67, 85.7));
    EXPECT(strstr(o.out, "  of L2             39.60     41.83\n  of DRAM, least    36.86     35.86 "));
}

TEST(a_cycle_of_two_steps_shows_both_kernels)
{
    const Outcome o = traffic("03_aa cavity --size 40x30 --block 16x2");
    EXPECT(o.code == EXIT_GOOD && strstr(o.out, "cavity, 40x30 cells") && strstr(o.out, "16 x 2 threads"));
    EXPECT(strstr(o.out, "\neven_step, 1 launch, 45 blocks\n") &&
           strstr(o.out, "\nodd_step, 1 launch, 45 blocks\n"));
}

/** What traffic says of a stage; first on a device that may refuse it. Each stage has flows enough for all.
 */
static Outcome traffic_on_a_device(const char *line, int n)
{
    const char *const devices[] = {"rtx2080", "rtx3060", "rtx5090", "a100", "h200"};
    char call[512];
    snprintf(call, sizeof call, "%s --device %s", line, devices[n % 5]);
    const Outcome o = traffic(call);
    if (o.code == EXIT_GOOD)
        return o;
    EXPECT(o.code == EXIT_USAGE && !*o.out && is_one_line(o.err) && strstr(o.err, " refuses "));
    return traffic(line);
}

TEST(every_stage_on_the_gpu_has_its_traffic_in_a_third_of_the_flows)
{
    for (int n = 0; n < stage_count; n++)
        for (int k = 0; k < flow_count && stage_info[n].on_gpu && !stage_reason(stages[n], 61, 47); k++) {
            char line[256];
            if ((n + k) % 3 != 0 || !takes_flow(stages[n], &flows[k]))
                continue;
            snprintf(line, sizeof line, "%s %s --size %s", stages[n]->name, flows[k].name,
                     flows[k].lattice->dimensions == 2 ? "61x47"
                     : flows[k].body                   ? "23x9x11"
                     : has_membrane(&flows[k])         ? "13x21x10"
                                                       : "13");
            const Outcome o = traffic_on_a_device(line, k);
            EXPECT(o.code == EXIT_GOOD && *o.err == '\0');
            EXPECT(strstr(o.out, "  load ") && strstr(o.out, "  store ") && !strstr(o.out, "nan"));
        }
}

TEST(lines_are_shown_with_their_text)
{
    const Outcome o = traffic("02_soa --size 32 --lines");
    EXPECT(o.code == EXIT_GOOD);
    EXPECT(strstr(o.out, "f[i] = from[at(cell, i, cells)];\n      load of 4 bytes"));
    EXPECT(strstr(o.out, "  02_soa/solver.cu:") && strstr(o.out, "  lattice/d2q9.h:"));
}

TEST(a_table_for_programs_has_a_row_for_each_access_and_line)
{
    EXPECT(traffic("02_soa --size 32 --csv a.csv").code == EXIT_GOOD);
    EXPECT(lines_of("a.csv") == 4 + 1 + 2);
    EXPECT(traffic("02_soa --size 32 --csv b.csv --lines").code == EXIT_GOOD);
    EXPECT(lines_of("b.csv") == 4 + 1 + 2 + 4);
}

TEST(a_cache_keeps_a_small_grid)
{
    const Outcome o = traffic("02_soa --size 128 --l2 60M --csv a.csv");
    EXPECT(o.code == EXIT_GOOD && *o.err == '\0');
    EXPECT(strstr(o.out, "  of DRAM, kept      0.00      0.00  (L2, 60 MiB, "));
    EXPECT(strstr(o.out, "  of DRAM, empty    36.44      0.00  ("));
    EXPECT(strstr(o.out, "  of DRAM, least    36.44     35.44  ("));
    EXPECT(system("grep -q 'distinct_bytes,l2_kept_bytes,l2_empty_bytes,conflicts$' a.csv") == 0);
    EXPECT(strcmp(traffic("02_soa --size 128 --l2 60m").out, o.out) == 0);
    EXPECT(system("grep -q '^step.*,load,.*,0,596992,0$' a.csv && grep -q '^step.*,store,.*,0,0,0$' a.csv") ==
           0);
}

TEST(a_stage_on_chip_states_no_bytes_of_one_launch)
{
    for (int n = 0; n < stage_count; n++)
        if (stage_info[n].on_chip || strcmp(stages[n]->name, "02_soa") == 0) {
            char line[64];
            snprintf(line, sizeof line, "%s --size 32", stages[n]->name);
            const Outcome o = traffic(line);
            EXPECT(o.code == EXIT_GOOD && (strstr(o.out, " states ") == NULL) == stage_info[n].on_chip);
            EXPECT((strstr(o.out, "(in a launch of one step)\n") != NULL) == stage_info[n].on_chip);
        }
}

/** Where nothing but fluid is; the ghost layers of a slab are moved as well. */
TEST(a_stage_states_the_bytes_that_its_kernels_move)
{
    for (int n = 0; n < stage_count; n++) {
        const int layers = stages[n]->lattice->dimensions == 2 ? 128 : 32;
        if (!stage_info[n].on_gpu || stage_info[n].on_chip || stage_reason(stages[n], layers, layers))
            continue;
        char line[64];
        snprintf(line, sizeof line, "%s %s --size %d", stages[n]->name, layers == 32 ? "abc" : "taylor_green",
                 layers);
        const Outcome o = traffic(line);
        double loaded = NAN, stored = NAN;
        const char *row = strstr(o.out, "of DRAM, least ");
        EXPECT(row && sscanf(row, "of DRAM, least %lf %lf", &loaded, &stored) == 2);
        const double more = (loaded + stored) / stages[n]->bytes_per_update - 1.0;
        EXPECT(more >= -0.001 && more <= 0.01 + 2.2 * stages[n]->ghosts / layers);
        if (!(more >= -0.001 && more <= 0.01 + 2.2 * stages[n]->ghosts / layers))
            printf("%s moves %g bytes\n", stages[n]->name, loaded + stored);
    }
}

TEST(a_bandwidth_scales_the_limit)
{
    EXPECT(strstr(traffic("02_soa taylor_green --size 32 --bandwidth 730").out, "10.0 GLUPS at 730 GB/s"));
}

TEST(a_device_has_its_own_limit)
{
    const char *limit = "limit     10.0 GLUPS at 730 GB/s, where the grid is too large for L2 (";
    Outcome o = traffic("02_soa taylor_green --size 32 --device rtx4090 --csv a.csv");
    EXPECT(o.code == EXIT_GOOD && *o.err == '\0');
    EXPECT(strstr(o.out, "\ndevice    GeForce RTX 4090: compute capability 8.9, 128 multiprocessors\n"));
    EXPECT(strstr(o.out, "limit     13.8 GLUPS at 1008 GB/s, where the grid is too large for L2 "
                         "(72 MiB hold at most 1016x1016 cells)\n"));
    EXPECT(system("grep -q '^# limits: of GeForce RTX 4090$' a.csv") == 0);
    setenv("LBM_DEVICE", "rtx4090", 1);
    EXPECT(strcmp(traffic("02_soa taylor_green --size 32").out, o.out) == 0);
    EXPECT(strstr(traffic("02_soa taylor_green --size 32 --bandwidth 730").out, limit));
    unsetenv("LBM_DEVICE");
    EXPECT(strstr(traffic("50_d3q19 --size 8 --device a100").out, "GLUPS at 2039 GB/s"));
    EXPECT(strstr(traffic("50_d3q19 --size 8 --device a100").out, "(40 MiB hold at most 64x64x64 cells)\n"));
}

TEST(the_order_of_threads_changes_no_line) // long
{
    static const char *const orders[] = {"reverse", "shuffle:1", "shuffle:3"};
    char line[256], forward[sizeof traffic("").out];
    for (int n = 0; n < stage_count; n++) {
        if (!stage_info[n].on_gpu)
            continue;
        snprintf(line, sizeof line, "%s --size %s --lines", stages[n]->name,
                 stages[n]->lattice->dimensions == 2 ? "37x53" : "13x9x11");
        snprintf(forward, sizeof forward, "%s", traffic(line).out);
        EXPECT(strstr(forward, "of DRAM, least"));
        for (int k = 0; k < 3; k++) {
            setenv("LBM_THREAD_ORDER", orders[k], 1);
            const int same = strcmp(traffic(line).out, forward) == 0;
            if (!same)
                printf("%s in the order %s\n", line, orders[k]);
            EXPECT(same);
        }
        unsetenv("LBM_THREAD_ORDER");
    }
}

static int is_refused(const char *line, const char *reason)
{
    const Outcome o = traffic(line);
    const int good = o.code == EXIT_USAGE && is_one_line(o.err) && strstr(o.err, reason) && *o.out == '\0';
    if (!good)
        printf("lbm traffic %s: exit code %d, \"%s\"\n", line, o.code, o.err);
    return good;
}

TEST(what_cannot_be_recorded_is_refused_with_what_can)
{
    EXPECT(is_refused("", "takes a stage"));
    EXPECT(is_refused("99_none", "there are 00_cpu_aos, "));
    EXPECT(is_refused("STAGE", "takes a stage on the GPU"));
    EXPECT(is_refused("02_soa lake", "cavity"));
    EXPECT(is_refused("02_soa cavity cavity", "3 names"));
    EXPECT(is_refused("02_soa --size 2049x2048", "up to 4194304 cells"));
    EXPECT(is_refused("02_soa --block 2048x1", "up to 1024 threads"));
    EXPECT(is_refused("02_soa --bandwidth 0", "--bandwidth"));
    EXPECT(is_refused("02_soa --device rtx3090", "it takes rtx2080, rtx3060, ") &&
           is_refused("02_soa --device ''", "a100, h100 or h200"));
    EXPECT(is_refused("02_soa --l2 60", "from 1M to 4096M") && is_refused("02_soa --l2 0M", "4096M"));
    EXPECT(is_refused("02_soa --l2 60K", "as in 60M or 60m") && is_refused("02_soa --l2 60MM", "4096M"));
    EXPECT(is_refused("02_soa --l2 4097m", "4096M") &&
           is_refused("02_soa --l2 99999999999999999999M", "4096M"));
}

TEST(an_unwritable_table_is_refused_before_the_work)
{
    const Outcome o = traffic("02_soa --size 2048 --csv none/a.csv");
    EXPECT(o.code == EXIT_MACHINE && is_one_line(o.err) && *o.out == '\0');
    EXPECT(count_files() == 0);
}

TEST(without_its_program_the_command_says_where_that_would_be)
{
    char line[PATH_MAX + 64];
    snprintf(line, sizeof line, "cp %s lonely && ./lonely traffic 02_soa >out 2>err", LBM);
    EXPECT(WEXITSTATUS(system(line)) == EXIT_MACHINE);
    EXPECT(system("grep -q 'lonely_traffic: No such file or directory; .* where gcc is there$' err") == 0);
}
