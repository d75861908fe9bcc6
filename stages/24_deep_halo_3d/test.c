#include "hard_grids.h"
#include "lattice/d3q19.h"
#include "same_bits.h"

#include "check.h"

TEST(a_start_moves)
{
    EXPECT(moves_its_start(&STAGE));
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.lattice == &d3q19);
    EXPECT(STAGE.bytes_per_update == (2.0 * 9.0 * 4.0 + 4.0) / 3.0);
    EXPECT(STAGE.bytes_per_cell == 2.0 * 9.0 * 4.0 + 4.0 + 1.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 3 && STAGE.magic_tau == 7.0 / 8.0);
}

TEST(the_bits_are_those_of_the_stage_before)
{
    EXPECT(bits_apart(&STAGE, stage_before(&STAGE)) == 0);
}

/** One chunk, two at the ends, and others between them. */
TEST(few_layers_have_the_bits_of_the_stage_before)
{
    for (int depth = 3; depth <= 11; depth++) {
        Scenario s = create_maze_in_space(7, 5, depth, depth);
        EXPECT(bits_apart_within(&STAGE, stage_before(&STAGE), &s, 8) == 0);
        destroy_scenario(&s);
    }
}

/** Two chunks between those at the ends, the upper of which is partial. */
TEST(many_layers_have_the_bits_of_the_stage_before)
{
    Scenario s = create_maze_in_space(7, 5, 389, 4);
    EXPECT(bits_apart_within(&STAGE, stage_before(&STAGE), &s, 5) == 0);
    destroy_scenario(&s);
}

TEST(a_cut_run_is_a_whole_one)
{
    static const int parts[] = {0, 1, 2, 0, 3, 4, 5, 6, 7};
    Scenario s = create_maze_in_space(13, 9, 11, 4);
    Snapshot whole = run_flow(&STAGE, &s, small_block, 28), cut = run_flow_cut(&STAGE, &s, parts, 9);
    EXPECT(different_bits(&cut, &whole) == 0);
    destroy_snapshot(&cut);
    destroy_snapshot(&whole);
    destroy_scenario(&s);
}
