#include "hard_grids.h"
#include "lattice/d3q19.h"
#include "same_bits.h"

#include "check.h"

TEST(the_bits_are_those_of_the_stage_before)
{
    need_exact_arithmetic();
    EXPECT(bits_apart(&STAGE, stage_before(&STAGE)) == 0);
}

/** One layer, whose populations go up and come back from below, and more. */
TEST(few_layers_have_the_bits_of_the_stage_before)
{
    need_exact_arithmetic();
    for (int side = 1; side <= 3; side++) {
        Scenario s = create_scenario(find_flow("abc"), (Parameters){.width = side, .tau = 0.6});
        EXPECT(bits_apart_within(&STAGE, stage_before(&STAGE), &s, 5) == 0);
        destroy_scenario(&s);
    }
}

TEST(a_cut_run_is_a_whole_one)
{
    static const int parts[] = {0, 1, 2, 0, 7};
    Scenario s = create_maze_in_space(13, 9, 11, 4);
    Snapshot whole = run_flow(&STAGE, &s, small_block, 10), cut = run_flow_cut(&STAGE, &s, parts, 5);
    EXPECT(different_bits(&cut, &whole) == 0);
    destroy_snapshot(&cut);
    destroy_snapshot(&whole);
    destroy_scenario(&s);
}
