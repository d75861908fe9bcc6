#include "speed.h"

#include "check.h"
#include "refused.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

static const Effort short_effort = {.repeats = 3, .shortest = 0.01, .longest = 0.02};

/* ---- Steps ---- */

static const Effort usual = {.repeats = 5, .shortest = 0.3, .longest = 0.5};

TEST(total_work_is_the_same_where_time_allows)
{
    const double pace = 8e9; // updates a second
    const double large = 8192.0 * 8192.0, small = 1024.0 * 1024.0;
    const Effort patient = {.repeats = 1, .shortest = 0.1, .longest = 10.0};
    EXPECT(choose_steps(large, large / pace, &patient) == 128);
    EXPECT(choose_steps(small, small / pace, &patient) == 64 * 128);
}

TEST(a_repeat_lasts_long_enough_and_not_too_long)
{
    EXPECT(choose_steps(1e6, 1e-5, &usual) == 30000); // as many updates as usual would take 0.09 s
    EXPECT(choose_steps(4096.0, 1e-6, &usual) == 500000);
    EXPECT(choose_steps(4096.0, 1e-4, &usual) == 5000);
}

TEST(steps_are_even_and_at_least_two)
{
    EXPECT(choose_steps(1e8, 3.0, &usual) == 2);
    EXPECT(choose_steps(1e8, 0.5 / 3.0, &usual) == 4);
    for (int n = 1; n < 200; n++)
        EXPECT(choose_steps(12345.0, 0.5 / n, &usual) % 2 == 0);
}

TEST(steps_fit_an_int)
{
    const Effort endless = {.repeats = 1, .shortest = 1e30, .longest = 1e30};
    const int steps = choose_steps(1.0, 1e-9, &endless);
    EXPECT(steps > 0 && steps <= INT_MAX - 1);
    EXPECT(choose_steps(1.0, 0.0, &usual) > 0); // a clock that did not move
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

static Solver *fake_create(const Scenario *scenario, Block block)
{
    (void)block;
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

static void fake_read(const Solver *solver, float *f)
{
    sleep_for(0.02);
    memset(f, 0, 9 * solver->cells * sizeof *f);
}

static void fake_destroy(Solver *solver)
{
    seen.destroyed++;
    free(solver);
}

static const Stage fake = {
    "fake", "time passes", 80.0, 37.0, 1e-7, fake_create, fake_advance, fake_read, fake_destroy,
};

static Scenario tiny(void)
{
    return create_scenario(find_flow("poiseuille"), (Parameters){.width = 10, .height = 10});
}

TEST(speed_counts_the_steps_alone)
{
    Scenario s = tiny();
    float f[900];
    memset(&seen, 0, sizeof seen);
    const Measurement m = measure(&fake, &s, (Block){1, 1}, &short_effort, f);
    EXPECT(m.steps >= 2 && m.steps <= 20);            // a busy machine only makes them slower
    EXPECT(m.mlups.mean > 0.0 && m.mlups.mean < 0.1); // 100 cells a millisecond
    EXPECT(m.mlups.min <= m.mlups.mean && m.mlups.mean <= m.mlups.max);
    EXPECT(m.setup >= 0.05 && m.read_back >= 0.02);
    EXPECT(seen.created == 1 && seen.destroyed == 1 && seen.odd_calls == 0);
    EXPECT(f[899] == 0.0f);
    destroy_scenario(&s);
}

TEST(phases_tell_even_from_odd_steps)
{
    Scenario s = tiny();
    float f[900];
    memset(&seen, 0, sizeof seen);
    seen.slow = 0.004;
    const Phases p = measure_phases(&fake, &s, (Block){1, 1}, &short_effort, f);
    EXPECT(p.pairs >= 1);
    EXPECT(p.even.mean >= 0.001);
    EXPECT(p.odd.mean >= 0.005 && p.odd.mean > p.even.mean);
    EXPECT(seen.created == 1 && seen.destroyed == 1 && f[899] == 0.0f);
    destroy_scenario(&s);
}

static void read_nothing(const Solver *solver, float *f)
{
    (void)solver, (void)f;
}

static void measure_what_delivers_nothing(void)
{
    Stage idle = fake;
    idle.read = read_nothing;
    Scenario s = tiny();
    float f[900] = {0};
    measure(&idle, &s, (Block){1, 1}, &short_effort, f);
}

static void time_phases_of_what_diverges(void)
{
    Stage idle = fake;
    idle.read = read_nothing;
    Scenario s = tiny();
    float f[900] = {0};
    f[450] = NAN; // in row 5
    measure_phases(&idle, &s, (Block){1, 1}, &short_effort, f);
}

TEST(what_makes_no_sense_is_not_measured)
{
    char text[256];
    EXPECT(exit_code_of(measure_what_delivers_nothing, text, sizeof text) == EXIT_CHECK);
    EXPECT(strstr(text, "fake diverged on poiseuille at 10 x 10"));
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
