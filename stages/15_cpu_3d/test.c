#include "hard_grids.h"
#include "lattice/d3q19.h"
#include "run_flow.h"

#include "check.h"

/** The stage that this one agrees with but for rounding. */
static const Stage *reference(void)
{
    int n = 0;
    while (stages[n] != &STAGE)
        n++;
    return stages[stage_info[n].reference];
}

/** Largest difference of the velocities, over the reference speed and epsilon. */
static double epsilons_apart(const Scenario *s, int steps)
{
    Snapshot r = run_flow(&STAGE, s, small_block, steps),
             expected = run_flow(reference(), s, small_block, steps);
    const double difference = velocity_difference(&r, &expected) / STAGE.epsilon;
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return difference;
}

TEST(all_flows_are_those_of_the_reference_but_for_rounding)
{
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int steps = 100; steps <= 101; steps++)
            EXPECT(has_outflow(&s) ? agree_on(&STAGE, reference(), &s, steps)
                                   : epsilons_apart(&s, steps) <= 6.0); // 2.2 was seen
        destroy_scenario(&s);
    }
}

TEST(mazes_in_space_are_those_of_the_reference_but_for_rounding)
{
    static const int sizes[][3] = {
        {1,  3, 3 },
        {2,  3, 5 },
        {33, 4, 3 },
        {7,  9, 11}
    };
    for (int n = 0; n < 4; n++)
        for (unsigned solid = 2; solid <= 10; solid += 4) {
            Scenario s = create_maze_in_space(sizes[n][0], sizes[n][1], sizes[n][2], solid);
            s.physics.open_centre = 1.5f;
            s.physics.open_curvature = 0.02f;
            for (int steps = 6; steps <= 7; steps++)
                EXPECT(epsilons_apart(&s, steps) <= 20.0); // 10 was seen, in outflow cells
            destroy_scenario(&s);
        }
}

TEST(small_cubes_are_those_of_the_reference_but_for_rounding)
{
    for (int side = 1; side <= 4; side++) {
        Scenario s = create_scenario(find_flow("abc"), (Parameters){.width = side, .tau = 0.6});
        EXPECT(epsilons_apart(&s, 5) <= 3.0);
        destroy_scenario(&s);
    }
}
