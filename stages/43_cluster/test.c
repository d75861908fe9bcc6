#include "resident.h"

TEST(a_launch_of_many_steps_is_followed_by_another) // long
{
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 3, .height = 5, .tau = 0.8});
    EXPECT(agree_on(&STAGE, stages[0], &s, 16400));
    destroy_scenario(&s);
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update < 0.1); // once in a launch of many steps
    EXPECT(STAGE.bytes_per_cell == 9.0 * 4.0 + 1.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 1);
}
