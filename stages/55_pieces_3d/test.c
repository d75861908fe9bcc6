#include "floats_in_space.h"

TEST(the_facts_hold)
{
    EXPECT(STAGE.lattice == &d3q19);
    EXPECT(STAGE.bytes_per_update == 2.0 * 9.0 * 4.0 / 3.0);
    EXPECT(STAGE.bytes_per_cell == 2.0 * 9.0 * 4.0 + 4.0 + 1.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 3 && STAGE.magic_tau == 7.0 / 8.0);
}
