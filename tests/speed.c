#include "speed/speed.h"
#include "fake.h"
#include "lattice/d2q9.h"

#include "check.h"
#include "refused.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

static const Effort long_effort = {.repeats = 1, .shortest = 0.3, .longest = 0.4};
static const Effort short_effort = {.repeats = 3, .shortest = 0.01, .longest = 0.02};

/* ---- Steps ---- */

static const Effort usual = {.repeats = 5, .shortest = 0.3, .longest = 0.5};

TEST(total_work_is_the_same_where_time_allows)
{
    const double pace = 8e9; // updates a second
    const double large = 8192.0 * 8192.0, small = 1024.0 * 1024.0;
    const Effort patient = {.repeats = 1, .shortest = 0.1, .longest = 10.0};
    EXPECT(choose_steps(large, large / pace, 2, &patient) == 128);
    EXPECT(choose_steps(small, small / pace, 2, &patient) == 64 * 128);
}

TEST(a_repeat_lasts_long_enough_and_not_too_long)
{
    EXPECT(choose_steps(1e6, 1e-5, 2, &usual) == 30000); // as many updates as usual would take 0.09 s
    EXPECT(choose_steps(4096.0, 1e-6, 2, &usual) == 500000);
    EXPECT(choose_steps(4096.0, 1e-4, 2, &usual) == 5000);
}

TEST(steps_are_whole_passes)
{
    EXPECT(choose_steps(1e8, 3.0, 1, &usual) == 1);
    EXPECT(choose_steps(1e8, 3.0, 2, &usual) == 2);
    EXPECT(choose_steps(1e8, 0.5 / 3.0, 1, &usual) == 3);
    EXPECT(choose_steps(1e8, 0.5 / 3.0, 2, &usual) == 4);
    EXPECT(choose_steps(1e8, 0.5 / 3.0, 5, &usual) == 5);
    for (int cycle = 1; cycle <= 8; cycle++)
        for (int n = 1; n < 200; n++)
            EXPECT(choose_steps(12345.0, 0.5 / n, cycle, &usual) % cycle == 0);
}

TEST(steps_fit_an_int)
{
    const Effort endless = {.repeats = 1, .shortest = 1e30, .longest = 1e30};
    const int steps = choose_steps(1.0, 1e-9, 2, &endless);
    EXPECT(steps > 0 && steps <= INT_MAX - 1);
    EXPECT(choose_steps(1.0, 0.0, 2, &usual) > 0); // a clock that did not move
}

/* ---- A stage that only takes time ---- */

struct Solver {
    size_t cells;
    long steps;
};

static struct {
    int created, destroyed, odd_calls;
    double slow;
} seen;

static void sleep_for(double seconds)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

static Solver *fake_create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)type, (void)block;
    seen.created++;
    sleep_for(0.05);
    Solver *solver = calloc(1, sizeof *solver);
    solver->cells = cell_count(scenario);
    return solver;
}

/** A millisecond a step; odd ones take `slow` seconds more. */
static void fake_advance(Solver *solver, int steps)
{
    seen.odd_calls += steps % 2;
    for (int n = 0; n < steps; n++, solver->steps++)
        sleep_for(0.001 + (solver->steps % 2 ? seen.slow : 0.0));
}

static void fake_read(const Solver *solver, Cells cells, Real *f)
{
    (void)solver;
    sleep_for(0.02);
    memset(f, 0, DIRECTIONS * cells.count * sizeof *f);
}

static void fake_destroy(Solver *solver)
{
    seen.destroyed++;
    free(solver);
}

static const Stage fake = {
    .name = "fake",
    .summary = "time passes",
    .lattice = &d2q9,
    .bytes_per_update = 80.0,
    .bytes_per_cell = 37.0,
    .epsilon = 1e-7,
    .rounding = TO_NEAREST,
    .cycle = 2,
    .magic_tau = BGK_MAGIC_TAU,
    .create = fake_create,
    .write = write_nothing,
    .advance = fake_advance,
    .read = fake_read,
    .destroy = fake_destroy,
};

static Scenario tiny(void)
{
    return create_scenario(find_flow("poiseuille"), (Parameters){.width = 10, .height = 10});
}

TEST(speed_counts_the_steps_alone)
{
    Scenario s = tiny();
    memset(&seen, 0, sizeof seen);
    const Measurement m = measure(&fake, &s, (Block){1, 1}, &short_effort);
    EXPECT(m.steps >= 2 && m.steps <= 20);            // a busy machine only makes them slower
    EXPECT(m.mlups.mean > 0.0 && m.mlups.mean < 0.1); // 100 cells a millisecond
    EXPECT(m.mlups.min <= m.mlups.mean && m.mlups.mean <= m.mlups.max);
    EXPECT(m.setup >= 0.05 && m.look >= 0.02);
    EXPECT(seen.created == 1 && seen.destroyed == 1 && seen.odd_calls == 0);
    destroy_scenario(&s);
}

/** Times a cycle of so many steps, of which those with an odd number are slow; returns the cycles of a
 * repeat.
 */
static int time_phases(int cycle, Statistics *step)
{
    Stage stage = fake;
    stage.cycle = cycle;
    Scenario s = tiny();
    memset(&seen, 0, sizeof seen);
    seen.slow = 0.004;
    const int cycles = measure_phases(&stage, &s, (Block){1, 1}, &long_effort, step);
    EXPECT(seen.created == 1 && seen.destroyed == 1);
    destroy_scenario(&s);
    return cycles;
}

TEST(phases_tell_the_steps_of_a_cycle_apart)
{
    Statistics step[4];
    const int cycles = time_phases(2, step);
    EXPECT(cycles >= 1 && cycles * (step[0].mean + step[1].mean) <= 5.0 * long_effort.longest); // not a sum
    EXPECT(step[0].mean >= 0.001 && step[1].mean >= 0.005 && step[1].mean > step[0].mean);
    EXPECT(time_phases(4, step) >= 1);
    EXPECT(step[1].mean >= 0.005 && step[3].mean >= 0.005);
    EXPECT(step[0].mean < step[1].mean && step[2].mean < step[3].mean);
    EXPECT(time_phases(1, step) >= 1);
    EXPECT(step[0].mean >= 0.002); // of odd and even ones alike
}

static void read_one_nan(const Solver *solver, Cells cells, Real *f)
{
    fake_read(solver, cells, f);
    f[50] = NAN; // in row 5
}

static void measure_what_reads(void (*read)(const Solver *, Cells, Real *), int phases)
{
    Stage stage = fake;
    stage.read = read;
    Statistics step[2];
    Scenario s = tiny();
    if (phases)
        measure_phases(&stage, &s, (Block){1, 1}, &short_effort, step);
    else
        measure(&stage, &s, (Block){1, 1}, &short_effort);
}

static void measure_what_diverges(void)
{
    measure_what_reads(read_one_nan, 0);
}

static void time_phases_of_what_diverges(void)
{
    measure_what_reads(read_one_nan, 1);
}

TEST(what_makes_no_sense_is_not_measured)
{
    char text[256];
    EXPECT(exit_code_of(measure_what_diverges, text, sizeof text) == EXIT_CHECK);
    EXPECT(strstr(text, "fake diverged on poiseuille at 10x10:"));
    EXPECT(exit_code_of(time_phases_of_what_diverges, text, sizeof text) == EXIT_CHECK);
}

/* ---- What a speed means ---- */

TEST(comparison_of_speeds)
{
    const Comparison c = compare(&fake, 25000.0, 3000.0, 10000.0, 50.0);
    EXPECT_NEAR(c.bandwidth, 2000.0, 1e-9); // 80 bytes x 25 billion a second
    EXPECT_NEAR(c.share, 2.0 / 3.0, 1e-12);
    EXPECT_NEAR(c.over_before, 2.5, 1e-12);
    EXPECT_NEAR(c.over_first, 500.0, 1e-12);
}

TEST(what_was_not_measured_stays_unknown)
{
    const Comparison c = compare(&fake, 25000.0, 3000.0, NAN, NAN);
    EXPECT(isnan(c.over_before) && isnan(c.over_first) && !isnan(c.share));
}
