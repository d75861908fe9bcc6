#include "same_bits.h"

TEST(the_bits_are_those_of_the_stage_before)
{
    need_exact_arithmetic();
    EXPECT(bits_apart(&STAGE, stage_before(&STAGE)) == 0);
}

TEST(the_bits_are_the_same_on_small_grids)
{
    need_exact_arithmetic();
    EXPECT(bits_apart_on_small_grids(&STAGE, stage_before(&STAGE)) == 0);
}

TEST(the_bits_are_the_same_in_a_maze)
{
    need_exact_arithmetic();
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 40, 31, 2) == 0);
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 31, 40, 8) == 0);
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 40, 40, 13) ==
           0); // some are walled in on all sides
}
