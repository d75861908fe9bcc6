#include "same_bits.h"

#include "check.h"

TEST(a_start_moves)
{
    EXPECT(moves_its_start(&STAGE));
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update == 2.0 * 6.0 * 4.0 / 5.0);
    EXPECT(STAGE.bytes_per_cell == 2.0 * 6.0 * 4.0 + 4.0 + 1.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 5 && STAGE.magic_tau == 7.0 / 8.0);
}

TEST(one_rank_has_the_bits_of_the_stage_before) // on a GPU too: nothing is fused but what says so
{
    EXPECT(bits_apart(&STAGE, stage_before(&STAGE)) == 0);
}

TEST(few_rows_and_mazes_have_them_too)
{
    for (int height = 1; height <= 25; height += height < 6 ? 1 : 19)
        for (unsigned solid = 2; solid <= 14; solid += 6) {
            Scenario s = create_maze(47, height, solid);
            EXPECT(bits_apart_within(&STAGE, stage_before(&STAGE), &s, 2 * STAGE.cycle + 2) == 0);
            destroy_scenario(&s);
        }
}
