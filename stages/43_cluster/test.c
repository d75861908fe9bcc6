#include "resident.h"

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update < 0.1); // once in a launch of many steps
    EXPECT(STAGE.bytes_per_cell == 9.0 * 4.0 + 1.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 1);
}
