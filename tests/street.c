#include "result/shedding.h"
#include "run_flow.h"

#include "check.h"
#include "simulation/simulation.h"

#ifdef GPU_ON_CPU
enum { RADIUS = 8 }; // a GPU has time for twice that; the showcase has 32
#else
enum { RADIUS = 16 };
#endif
enum { PERIODS = 110, SAMPLES = 60 * PERIODS };

static Force sample[SAMPLES];

/** A Karman street in a box of 32 x 16 radii: the velocity across the stream at its centre, over time. */
static Shedding street(const Stage *stage)
{
    Bodies bodies = {.count = 1, .body = {disc(8.0 * RADIUS - 0.5, 8.0 * RADIUS - 0.5, RADIUS)}};
    const Parameters parameters = {
        .width = 32 * RADIUS, .height = 16 * RADIUS, .re = 250.0, .u = 0.15, .bodies = bodies};
    Scenario s = create_scenario(find_flow("bodies"), parameters);
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(stage, &s, small_block);
    for (int n = 0; n < SAMPLES; n++) {
        advance_simulation(solver, RADIUS);
        read_snapshot(&r, solver);
        sample[n] = (Force){RADIUS * (n + 1.0), 0.0, moments_at(&r, s.width / 2, s.height / 2).uy, 0.0};
    }
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return sum_up(sample, SAMPLES);
}

/** From the fiftieth period or so on, stages that store populations in 16 bits, and take any grid, see what
 * those in 32 see. */
TEST(slow_coarse_storage_keeps_the_street)
{
    const Stage *fine = fast_stage();
    const Shedding expected = street(fine);
    printf("%s: period %.2f, amplitude %.5f over %d periods from step %.0f\n", fine->name, expected.period,
           0.5 * (expected.lift.max - expected.lift.min), expected.periods, expected.from);
    EXPECT(expected.periods >= 40);
    for (int n = 0; n < stage_count; n++) {
        if (stages[n]->epsilon == stages[0]->epsilon || stages[n]->unsupported)
            continue;
        const Shedding found = street(stages[n]);
        const double swing = expected.lift.max - expected.lift.min;
        printf("%s: period %.2f, amplitude %.5f\n", stages[n]->name, found.period,
               0.5 * (found.lift.max - found.lift.min));
        EXPECT_NEAR(found.period, expected.period, 0.01 * expected.period);
        EXPECT_NEAR(found.lift.max - found.lift.min, swing, 0.01 * swing);
    }
}

/** How far a cell's velocity along the stream swings from step to step, in units of the stream's. */
static double swing_at(Simulation *solver, Snapshot *r, int x, int y)
{
    const double weight[] = {0.25, -0.5, 0.25};
    double swing = 0.0;
    for (int n = 0; n < 3; n++) {
        read_snapshot(r, solver);
        swing += weight[n] * moments_at(r, x, y).ux / r->scenario->u;
        advance_simulation(solver, 1);
    }
    return fabs(swing);
}

/** The swing of the outflow's velocity half way up after so many steps in a box twice as long as high, and
 * that ten cells before it. */
static void find_swings(int height, int steps, double *at_end, double *before)
{
    Scenario s = create_scenario(find_flow("cylinder"),
                                 (Parameters){.width = 2 * height, .height = height, .re = 20.0});
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(fast_stage(), &s, small_block);
    advance_simulation(solver, steps);
    *at_end = swing_at(solver, &r, s.width - 1, s.height / 2);
    *before = swing_at(solver, &r, s.width - 11, s.height / 2);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** The outflow keeps an oscillation with a period of two steps, which the wake excites when it arrives. */
TEST(the_velocity_swings_beside_the_outflow)
{
    double at_end, before;
    find_swings(100, 1000, &at_end, &before);
    EXPECT_NEAR(at_end, 0.0203, 0.002);
    EXPECT(before < 0.002);
}

TEST(slow_the_swing_decays_as_one_over_the_root_of_time)
{
    double at_end, before;
    find_swings(200, 3000, &at_end, &before);
    EXPECT_NEAR(at_end, 0.045, 0.005);
    find_swings(200, 20000, &at_end, &before);
    EXPECT_NEAR(at_end, 0.017, 0.002);
    EXPECT(before < 4e-4);
}
