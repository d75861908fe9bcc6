/**
 * @file marching_moments.h
 * Tests that stages 31 and 32 run, which keep moments and march up strips of columns; their test.c includes this
 * file, and with it the tests of in_parts.h and moments.h.
 */
#ifndef MARCHING_MOMENTS_H
#define MARCHING_MOMENTS_H

#include "in_parts.h"
#include "marching.h"
#include "moments.h"

TEST(any_width_and_few_rows) // long
{
    for (int n = 0; n < STRIP_WIDTHS; n++)
        for (int height = 1; height <= 12; height += height < 6 ? 1 : 5) {
            Scenario s = create_maze(strip_widths[n], height, 3);
            for (int steps = 0; steps <= 2 * STAGE.cycle; steps++)
                EXPECT(apart(&s, steps) <= 5e-7);
            destroy_scenario(&s);
        }
}

TEST(the_chunks_of_a_strip_join)
{
    Scenario s = create_maze(43, 300, 3);
    for (int steps = 1; steps <= 2 * STAGE.cycle + 1; steps++)
        EXPECT(apart(&s, steps) <= 5e-7);
    destroy_scenario(&s);
}

TEST(one_cell_that_is_no_fluid_in_any_column)
{
    for (int n = 0; n < SINGLE_CELLS; n++) {
        Scenario s = create_single_cell(n);
        EXPECT(apart(&s, 2 * STAGE.cycle + 1) <= 5e-7);
        destroy_scenario(&s);
    }
}

#endif
