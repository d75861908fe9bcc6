#include "run_flow.h"

#include "check.h"

TEST(the_cavity_is_that_of_the_first_stage)
{
    const double difference = cavity_difference(&STAGE, stages[0]);
    EXPECT_NEAR(difference, 0.0, 1.5e-6);
    EXPECT(difference > 0.0); // other roundings: the pairs are there
}

/** Its collision rounds in another order: 4.2 epsilon sqrt(steps) were seen in the fluid. */
TEST(all_flows_are_those_of_the_first_stage_but_for_rounding)
{
    enum { STEPS = 101 };
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], (Parameters){.width = 130, .height = 66, .tau = 0.6});
        Snapshot r = run_flow(&STAGE, &s, small_block, STEPS);
        Snapshot expected = run_flow(stages[0], &s, small_block, STEPS);
        const double unit = STAGE.epsilon * sqrt(STEPS);
        EXPECT_NEAR(velocity_difference_in(&r, &expected, IN_FLUID), 0.0, 5.0 * unit);
        EXPECT_NEAR(velocity_difference_in(&r, &expected, IN_OUTFLOW), 0.0, 8.0 * unit);
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
        destroy_scenario(&s);
    }
}
