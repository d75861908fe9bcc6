#include "accuracy.h"
#include "run_flow.h"
#include "validate_rows.h"

#include "check.h"

enum { HIGHEST = 66, MEAN = 2000 };

TEST(two_runs_give_the_same_bits)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 38, .height = 31, .tau = 0.6});
    Result r = run_flow(&STAGE, &s, small_block, 101), again = run_flow(&STAGE, &s, small_block, 101);
    EXPECT(different_bits(&r, &again) == 0);
    destroy_result(&again);
    destroy_result(&r);
    destroy_scenario(&s);
}

TEST(each_cell_draws_for_itself)
{
    Scenario s =
        create_scenario(find_flow("poiseuille"), (Parameters){.width = 64, .height = 32, .tau = 0.8});
    memset(s.type, FLUID, cell_count(&s));
    s.physics.omega = 0.0f; // no collision: a force gives population 1 of every cell 1/2 and 0.4 of a spacing
    s.physics.force_x = 1.5f * (1.0f + 0.4f / 1024.0f);
    const int cells = (int)cell_count(&s);
    Result r = run_flow(&STAGE, &s, small_block, 1);
    int up = 0, like_neighbour = 0;
    for (int cell = 1; cell < cells; cell++) {
        up += r.f[9 * cell + 1] > 0.5f;
        like_neighbour += r.f[9 * cell + 1] == r.f[9 * (cell - 1) + 1];
    }
    EXPECT_NEAR((double)up / cells, 0.4, 0.05);
    EXPECT_NEAR((double)like_neighbour / cells, 0.52, 0.05);
    destroy_result(&r);
    destroy_scenario(&s);
}

/** Mean velocity of each row of a channel, over all columns. */
static void add_profile(double *profile, const Result *r, double share)
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
        const double exact = s->flow->exact(s, 0.0, 0, y).ux;
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
    Result r = create_result(&s);
    Solver *solver = STAGE.create(&s, small_block);
    STAGE.advance(solver, steps);
    read_result(&r, &STAGE, solver, steps);
    const double error = exact_error(&r);
    for (int n = 1; n <= MEAN; n++) {
        STAGE.advance(solver, 1);
        read_result(&r, &STAGE, solver, steps + n);
        add_profile(mean, &r, 1.0 / MEAN);
    }
    STAGE.destroy(solver);
    printf("error of one instant %.1e, of the mean %.1e\n", error, profile_error(mean, &s));
    EXPECT(error <= 3e-3);
    EXPECT(profile_error(mean, &s) <= 5e-4);
    destroy_result(&r);
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
TEST(what_steady_takes_is_reached_and_not_much_more)
{
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = 34, .height = 34, .re = 100.0, .u = 0.05});
    Result before = create_result(&s), r = create_result(&s);
    Solver *solver = STAGE.create(&s, small_block);
    STAGE.advance(solver, 10000);
    for (int n = 10; n < 20; n++) {
        read_result(&before, &STAGE, solver, 1000L * n);
        STAGE.advance(solver, 1000);
        read_result(&r, &STAGE, solver, 1000L * (n + 1));
        const double change = relative_change(&r, before.moments);
        EXPECT(change <= change_by_rounding(&STAGE));
        EXPECT(change >= 0.25 * change_by_rounding(&STAGE));
    }
    STAGE.destroy(solver);
    destroy_result(&r);
    destroy_result(&before);
    destroy_scenario(&s);
}

TEST(validate_tells_it_from_rounding_to_nearest)
{
    Stage wrong = STAGE;
    wrong.rounding = TO_NEAREST;
    EXPECT(count_rows(&STAGE, CHANNEL, "", " FAIL") == 0);
    EXPECT(count_rows(&wrong, CHANNEL, "along the channel", " FAIL") == 1);
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update == 2.0 * 9.0 * 2.0 + 1.0);
    EXPECT(STAGE.bytes_per_cell == 9.0 * 2.0 + 2.0);
    EXPECT(STAGE.epsilon == 1.0 / 1024.0 && STAGE.rounding == UNBIASED && STAGE.pass == 2);
}
