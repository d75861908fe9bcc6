#include "resident.h"

TEST(rows_may_be_as_long_as_a_block_has_threads)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 1024, .height = 5, .tau = 0.6});
    EXPECT(agree_on(&STAGE, stages[0], &s, 20));
    destroy_scenario(&s);
    EXPECT(stage_reason(&STAGE, 1025, 5));
}

/** A GPU fuses operations, and rounds otherwise. An H200 showed 5.6 epsilon sqrt(steps). */
TEST(all_flows_are_those_of_two_plain_grids_but_for_rounding)
{
    enum { STEPS = 101 };
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], (Parameters){.width = 130, .height = 66, .tau = 0.6});
        Snapshot r = run_flow(&STAGE, &s, small_block, STEPS), expected = run_plain_pairs(&s, STEPS);
        const double unit = STAGE.epsilon * sqrt(STEPS);
        EXPECT_NEAR(velocity_difference_in(&r, &expected, IN_FLUID), 0.0, 8.0 * unit);
        EXPECT_NEAR(velocity_difference_in(&r, &expected, IN_OUTFLOW), 0.0, 10.0 * unit);
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
        destroy_scenario(&s);
    }
}
