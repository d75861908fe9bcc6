#include "bits_of_the_stage_before.h"

TEST(every_parity_reads_right)
{
    const Parameters parameters = {.width = 21, .height = 14};
    Scenario s = create_scenario(find_flow("cavity"), parameters);
    for (int steps = 1; steps <= 4; steps++) {
        Snapshot expected = run_flow(stages[0], &s, small_block, steps);
        Snapshot r = run_flow(&STAGE, &s, small_block, steps);
        EXPECT_NEAR(velocity_difference(&r, &expected), 0.0, 1e-6);
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
    }
    destroy_scenario(&s);
}

TEST(a_moving_wall_counts_once_per_step)
{
    const Parameters parameters = {.width = 4, .height = 3, .tau = 1.0}; // two fluid cells, walls all round
    Scenario s = create_scenario(find_flow("cavity"), parameters);
    for (int steps = 1; steps <= 2; steps++) {
        Snapshot expected = run_flow(stages[0], &s, small_block, steps);
        Snapshot r = run_flow(&STAGE, &s, small_block, steps);
        EXPECT(expected.f[9 * 5 + 7] != 0.0f && expected.f[9 * 6 + 8] != 0.0f);
        for (int n = 9 * 5; n < 9 * 7; n++)
            EXPECT_NEAR(r.f[n], expected.f[n], 1e-8);
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
    }
    destroy_scenario(&s);
}
