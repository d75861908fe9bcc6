/**
 * @file beyond_32_bits_in_rows.cu
 * The same as beyond_32_bits.cu where moments lie row by row. The build defines SOLVER, the stage's file.
 */
#include SOLVER

#include "check.h"

TEST(the_last_moment_of_many_rows_lies_at_the_end)
{
    const int width = 65535, height = 65537;
    EXPECT(at(width - 1, height - 1, MOMENTS - 1, width) == (size_t)MOMENTS * width * height - 1);
    EXPECT(at(0, height - 1, 0, width) - at(0, height - 2, 0, width) == (size_t)MOMENTS * width);
    for (int i = 0; i < MOMENTS; i++)
        EXPECT(at(7, height - 1, i, width) - at(0, height - 1, 0, width) ==
               (size_t)i / 2 * 2 * width + 2 * 7 + i % 2);
}
