/**
 * @file marching_bits.h
 * Tests of the stages that march as the stage before them does, to the last bit, to be included by their
 * test.c.
 */
#ifndef MARCHING_BITS_H
#define MARCHING_BITS_H

#include "marching.h"
#include "same_bits.h"

TEST(it_has_the_bits_of_the_stage_before) // on a GPU too: nothing is fused but what says so
{
    const Stage *before = stage_before(&STAGE);
    EXPECT(bits_apart(&STAGE, before) == 0);
    EXPECT(bits_apart_on_small_grids(&STAGE, before) == 0);
    for (unsigned solid = 2; solid <= 14; solid += 6)
        EXPECT(bits_apart_in_a_maze(&STAGE, before, 40, 31, solid) == 0);
}

TEST(any_width_and_few_rows)
{
    for (int n = 0; n < STRIP_WIDTHS; n++)
        for (int height = 1; height <= 12; height += height < 6 ? 1 : 5) {
            Scenario s = create_maze(strip_widths[n], height, 3);
            EXPECT(bits_apart_within(&STAGE, stage_before(&STAGE), &s, 2 * STAGE.cycle) == 0);
            destroy_scenario(&s);
        }
}

TEST(one_cell_that_is_no_fluid_in_any_column) // long
{
    for (int n = 0; n < SINGLE_CELLS; n++) {
        Scenario s = create_single_cell(n);
        EXPECT(bits_apart_within(&STAGE, stage_before(&STAGE), &s, STAGE.cycle + 1) == 0);
        destroy_scenario(&s);
    }
}

#endif
