/**
 * @file bits_of_the_stage_before.h
 * Tests of the stages that do the operations of the stage that they follow, in the same order; their test.c includes
 * this file: 01 to 03, 05, 06, 10, 11, 13, 14, 20 and 21.
 */
#ifndef BITS_OF_THE_STAGE_BEFORE_H
#define BITS_OF_THE_STAGE_BEFORE_H

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
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 1, 9, 3) == 0); // a cell is its own neighbour
    // Some cells are walled in on all sides.
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 40, 40, 13) == 0);
}

#endif
