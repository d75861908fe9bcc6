/**
 * @file beyond_32_bits_in_lines.cu
 * The same as beyond_32_bits.cu where all moments of 32 cells of a row lie together. The build defines
 * SOLVER, the stage's file.
 */
#include SOLVER

#include "check.h"

TEST(the_last_moment_of_many_lines_lies_at_the_end)
{
    Physics physics = {};
    physics.width = 4095, physics.height = 1023, physics.depth = 1023;
    const size_t width = physics.width, rows = (size_t)physics.height * physics.depth, lines = 128;
    const size_t last_row = (rows - 1) * width;
    EXPECT(at(last_row, 0, &physics) == (rows - 1) * lines * 32 * MOMENTS);
    EXPECT(at(last_row + width - 1, MOMENTS - 1, &physics) == rows * lines * 32 * MOMENTS - 2);
    for (int i = 0; i < MOMENTS; i++) {
        EXPECT(at(last_row + 7, i, &physics) - at(last_row, 0, &physics) == (size_t)(i * 32 + 7));
        EXPECT(at(last_row + 71, i, &physics) - at(last_row + 7, i, &physics) == 2 * 32 * MOMENTS);
    }
}
