#include "run_flow.h"

#include "check.h"

TEST(a_start_is_read_back_as_it_was)
{
    const Parameters parameters = {.width = 37, .height = 5};
    Scenario s = create_scenario(find_flow("taylor_green"), parameters);
    Result start = initial_result(&s);
    EXPECT(start.f[0] != start.f[9] && start.f[0] != start.f[1]); // or an order would not show
    Result r = run_flow(&STAGE, &s, small_block, 0);
    EXPECT(different_bits(&r, &start) == 0);
    destroy_result(&r);
    destroy_result(&start);
    destroy_scenario(&s);
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update == 2.0 * 9.0 * 4.0 + 1.0);
    EXPECT(STAGE.bytes_per_cell == 2.0 * 9.0 * 4.0 + 1.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 1);
}

TEST(the_cavity_is_that_of_the_first_stage)
{
    EXPECT_NEAR(cavity_difference(&STAGE, stages[0]), 0.0, 2e-6);
}

TEST(the_bits_are_those_of_the_first_stage)
{
#ifdef GPU_ON_CPU
    EXPECT(bits_apart(&STAGE, stages[0]) == 0);
#else
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}
