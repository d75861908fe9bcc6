/**
 * @file resident.h
 * Tests that stages 41 to 43 run, whose blocks wait for each other within a launch, and which take no more than a
 * square; their test.c includes this file.
 */
#ifndef RESIDENT_H
#define RESIDENT_H

#include "many_launches.h"
#include "plain_pairs.h"

#include "check.h"

#include <stdlib.h>

TEST(steps_in_any_parts_are_the_same_steps)
{
    enum { ROUNDS = 6, PARTS = 4 };
    static const int parts[ROUNDS][PARTS] = {
        {1, 1, 11, 0},
        {6, 0, 7,  0},
        {2, 2, 2,  7},
        {3, 3, 3,  4},
        {4, 4, 4,  1},
        {5, 5, 2,  1}
    };
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 21, .height = 35});
    Snapshot expected = run_flow(&STAGE, &s, small_block, 13);
    for (int k = 0; k < ROUNDS; k++) {
        Snapshot r = run_flow_cut(&STAGE, &s, parts[k], PARTS);
        EXPECT(different_bits(&r, &expected) == 0);
        destroy_snapshot(&r);
    }
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

TEST(more_steps_than_a_launch_makes_are_as_good) // long
{
    EXPECT(launches_follow_each_other(&STAGE, 73.0));
}

TEST(the_largest_square_is_taken_and_the_next_is_refused)
{
    int size = 1;
    while (!stage_reason(&STAGE, size + 1, size + 1))
        size++;
    char text[32];
    snprintf(text, sizeof text, "up to %d x %d", size, size);
    EXPECT(strstr(stage_reason(&STAGE, size + 1, size + 1), text));
    EXPECT(strstr(stage_reason(&STAGE, 100000, 100000), text));
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = size, .height = size, .tau = 0.6});
    EXPECT(agree_on(&STAGE, stages[0], &s, 3));
    destroy_scenario(&s);
}

TEST(a_block_of_walls_alone_may_come_late)
{
    static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 5, .height = 9, .tau = 0.8});
    for (int k = 0; k < 4; k++) { // a block for each row, of walls at both ends
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        EXPECT(agree_on(&STAGE, stages[0], &s, 60));
        unsetenv("LBM_THREAD_ORDER");
    }
    destroy_scenario(&s);
}

TEST(the_bits_are_those_of_two_plain_grids)
{
#ifdef GPU_ON_CPU
    EXPECT(bits_apart_from_plain_pairs(&STAGE) == 0);
#else
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}

#endif
