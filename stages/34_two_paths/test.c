#include "in_parts.h"
#include "marching_bits.h"

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update == (2.0 * 6.0 * 4.0 + 4.0) / 5.0);
    EXPECT(STAGE.bytes_per_cell == 2.0 * 6.0 * 4.0 + 4.0 + 1.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 5 && STAGE.magic_tau == 7.0 / 8.0);
}
