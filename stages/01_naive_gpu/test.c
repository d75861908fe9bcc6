#include "bits_of_the_stage_before.h"

TEST(threads_beyond_the_edge_do_nothing)
{
    const Parameters parameters = {.width = 33, .height = 9};
    Scenario s = create_scenario(find_flow("taylor_green"), parameters);
    Snapshot expected = run_flow(stages[0], &s, small_block, 40);
    Snapshot r = run_flow(&STAGE, &s, small_block, 40); // blocks of 32 x 8: a column and a row too many
    EXPECT_NEAR(velocity_difference(&r, &expected), 0.0, allowed_difference(&STAGE, 40));
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

TEST(one_thread_is_enough)
{
    const Parameters parameters = {.width = 1, .height = 1};
    Scenario s = create_scenario(find_flow("taylor_green"), parameters);
    Snapshot expected = run_flow(stages[0], &s, small_block, 3);
    Snapshot r = run_flow(&STAGE, &s, (Block){1, 1}, 3);
    for (int i = 0; i < 9; i++)
        EXPECT_NEAR(r.f[i], expected.f[i], 1e-8);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}
