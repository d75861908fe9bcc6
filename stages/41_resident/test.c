#include "resident.h"

TEST(rows_may_be_as_long_as_a_block_has_threads)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 1024, .height = 5, .tau = 0.6});
    EXPECT(agree_on(&STAGE, stages[0], &s, 20));
    destroy_scenario(&s);
    EXPECT(stage_refusal(&STAGE, 1025, 5));
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update < 0.1); // once in a launch of many steps
    EXPECT(STAGE.bytes_per_cell == 9.0 * 4.0 + 1.0 + 4.0 * 16.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 1);
}
