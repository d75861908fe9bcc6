#include "same_bits.h"
#include "simulation/simulation.h"

TEST(the_bits_are_those_of_the_stage_before)
{
    EXPECT(bits_apart(&STAGE, stage_before(&STAGE)) == 0);
}

TEST(the_bits_are_the_same_on_small_grids)
{
    EXPECT(bits_apart_on_small_grids(&STAGE, stage_before(&STAGE)) == 0);
}

TEST(the_bits_are_the_same_in_a_maze)
{
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 40, 31, 2) == 0);
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 31, 40, 8) == 0);
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 1, 9, 3) == 0); // its own neighbour
}

TEST(single_steps_are_as_good_as_many)
{
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 21, .height = 15});
    Snapshot expected = run_flow(&STAGE, &s, small_block, 9), r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    for (int n = 0; n < 3; n++)
        advance_simulation(solver, 3);
    read_snapshot(&r, solver);
    EXPECT(different_bits(&r, &expected) == 0);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}
