/**
 * @file beyond_32_bits_in_rows.cu
 * The same as beyond_32_bits.cu where moments lie row by row. The build defines SOLVER, the stage's file.
 */
#include SOLVER

#include "check.h"

TEST(the_last_moment_of_many_rows_lies_at_the_end)
{
    Physics physics = {};
    physics.width = 65535, physics.height = 65537;
    const size_t width = physics.width, cells = width * physics.height, last_row = cells - width;
    EXPECT(at(cells - 1, MOMENTS - 1, &physics) == MOMENTS * cells - 1);
    EXPECT(at(last_row, 0, &physics) - at(last_row - width, 0, &physics) == MOMENTS * width);
    for (int i = 0; i < MOMENTS; i++)
        EXPECT(at(last_row + 7, i, &physics) - at(last_row, 0, &physics) ==
               i / 2 * 2 * width + 2 * 7 + i % 2);
}
