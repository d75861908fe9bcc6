#include "run_flow.h"
#include "studies/accuracy.h"
#include "validate_rows.h"

#include "check.h"
#include "simulation/simulation.h"

enum { HIGHEST = 66, MEAN = 2000 };

TEST(two_runs_give_the_same_bits)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 38, .height = 31, .tau = 0.6});
    Snapshot r = run_flow(&STAGE, &s, small_block, 101), again = run_flow(&STAGE, &s, small_block, 101);
    EXPECT(different_bits(&r, &again) == 0);
    destroy_snapshot(&again);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/* ---- Random numbers. In these tests population 1 of every cell is 0.4 of a spacing above 1/2 ---- */

enum { ROWS = 32, MOST_CELLS = 64 * ROWS, TIMES = 9 }; // the start, and each of eight steps

/** Rounds population 1 of each cell at the start. */
static void round_start(Scenario *s, char *rounded_up)
{
    Snapshot start = create_snapshot(s);
    for (size_t cell = 0; cell < cell_count(s); cell++)
        start.f[9 * cell + 1] = 0.5f * (1.0f + 0.4f / 1024.0f);
    s->start = (Start){.f = start.f};
    Simulation *simulation = begin_simulation(&STAGE, s, small_block);
    read_now(&STAGE, simulation, 0, &start);
    for (size_t cell = 0; cell < cell_count(s); cell++)
        rounded_up[cell] = start.f[9 * cell + 1] > 0.5f;
    end_simulation(simulation);
    destroy_snapshot(&start);
}

/** Makes `before` steps without any change, and one in which a force adds the 0.4 of a spacing. */
static void round_after(Scenario *s, int before, char *rounded_up)
{
    Snapshot r = create_snapshot(s);
    for (size_t cell = 0; cell < cell_count(s); cell++)
        r.f[9 * cell + 1] = 0.5f;
    s->start = (Start){.f = r.f};
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    advance_simulation(solver, before);
    s->physics.force_x = 3.0f * 0.5f * 0.4f / 1024.0f; // every launch passes the current physics
    advance_simulation(solver, 1);
    s->physics.force_x = 0.0f;
    read_snapshot(&r, solver);
    end_simulation(solver);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) // population 1 has since moved to the neighbour on the right
            rounded_up[y * s->width + x] = r.f[9 * (y * s->width + wrap(x + 1, s->width)) + 1] > 0.5f;
    destroy_snapshot(&r);
}

static double part_rounded_up(const Scenario *s, const char *rounded_up)
{
    double count = 0.0;
    for (size_t cell = 0; cell < cell_count(s); cell++)
        count += rounded_up[cell];
    return count / (double)cell_count(s);
}

/** Correlation of the roundings of all cells at one time, and of their neighbours, so far away, at another.
 */
static double correlation(const Scenario *s, const char *one, const char *other, int right, int above)
{
    double sum = 0.0;
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int neighbour = (y + above) % s->height * s->width + (x + right) % s->width;
            sum += (one[y * s->width + x] - 0.4) * (other[neighbour] - 0.4);
        }
    return sum / (0.4 * 0.6) / (double)cell_count(s);
}

/** Correlations of 2000 independent random numbers are about 0.02. */
static void expect_independent_rounding(int width)
{
    static char rounded_up[TIMES][MOST_CELLS];
    Scenario s =
        create_scenario(find_flow("taylor_green"), (Parameters){.width = width, .height = ROWS, .tau = 0.8});
    s.physics.omega = 0.0f; // no collision
    round_start(&s, rounded_up[0]);
    for (int n = 1; n < TIMES; n++)
        round_after(&s, n - 1, rounded_up[n]);
    for (int n = 0; n < TIMES; n++) {
        EXPECT_NEAR(part_rounded_up(&s, rounded_up[n]), 0.4, 0.05);
        EXPECT_NEAR(correlation(&s, rounded_up[n], rounded_up[n], 1, 0), 0.0, 0.1);
        EXPECT_NEAR(correlation(&s, rounded_up[n], rounded_up[n], 2, 0), 0.0, 0.1);
        EXPECT_NEAR(correlation(&s, rounded_up[n], rounded_up[n], 0, 1), 0.0, 0.1);
        for (int before = 0; before < n; before++)
            EXPECT_NEAR(correlation(&s, rounded_up[n], rounded_up[before], 0, 0), 0.0, 0.1);
    }
    s.start = (Start){0};
    destroy_scenario(&s);
}

TEST(every_cell_and_step_has_its_own_random_numbers)
{
    expect_independent_rounding(64);
}

/** With an odd width a thread handles its two cells one after the other. */
TEST(so_has_every_cell_of_an_odd_width)
{
    expect_independent_rounding(63);
}

/** Mean velocity of each row of a channel, over all columns. */
static void add_profile(double *profile, const Snapshot *r, double share)
{
    for (int y = 0; y < r->scenario->height; y++)
        for (int x = 0; x < r->scenario->width; x++)
            profile[y] += moments_at(r, x, y).ux * share / r->scenario->width;
}

/** Relative L2 error of a profile of the steady channel. */
static double profile_error(const double *profile, const Scenario *s)
{
    double error = 0.0, norm = 0.0;
    for (int y = 1; y < s->height - 1; y++) {
        const double exact = exact_at(s, 0.0, (Position){0, y, 0}).ux;
        error += pow(profile[y] - exact, 2.0);
        norm += exact * exact;
    }
    return sqrt(error / norm);
}

/** The channel in which rounding to nearest loses a tenth of the flow at a height of 34, and a quarter at 66.
 */
static void expect_little_lost(int width, int height)
{
    const Parameters parameters = {.width = width, .height = height, .tau = 0.9330127, .u = 0.05};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    const int steps = (int)s.flow->duration(&s);
    double mean[HIGHEST] = {0.0};
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    advance_simulation(solver, steps);
    read_snapshot(&r, solver);
    const double error = exact_error(&r);
    for (int n = 1; n <= MEAN; n++) {
        advance_simulation(solver, 1);
        read_snapshot(&r, solver);
        add_profile(mean, &r, 1.0 / MEAN);
    }
    end_simulation(solver);
    printf("error of one instant %.1e, of the mean %.1e\n", error, profile_error(mean, &s));
    EXPECT(error <= 3e-3);
    EXPECT(profile_error(mean, &s) <= 5e-4);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(a_small_force_is_not_lost)
{
    expect_little_lost(16, 34);
}

TEST(slow_a_smaller_force_is_not_lost)
{
    expect_little_lost(64, HIGHEST);
}

/** So that a run with --steady ends where it is to, and one that never would is refused. */
TEST(what_steady_takes_is_reached_and_not_much_more) // long
{
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = 34, .height = 34, .re = 100.0, .u = 0.05});
    Snapshot before = create_snapshot(&s), r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    advance_simulation(solver, 10000);
    for (int n = 10; n < 20; n++) {
        read_snapshot(&before, solver);
        advance_simulation(solver, 1000);
        read_snapshot(&r, solver);
        const double change = relative_change(&r, before.moments);
        EXPECT(change <= change_by_rounding(&STAGE));
        EXPECT(change >= 0.25 * change_by_rounding(&STAGE));
    }
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_snapshot(&before);
    destroy_scenario(&s);
}

TEST(validate_tells_it_from_rounding_to_nearest)
{
    Stage wrong = STAGE;
    wrong.rounding = TO_NEAREST;
    EXPECT(count_rows(&STAGE, CHANNEL, "", " FAIL") == 0);
    EXPECT(count_rows(&wrong, CHANNEL, "along the channel", " FAIL") == 1);
}
