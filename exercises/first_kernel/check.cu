#include "check_exercise.h"
#include "fence.h"

#include EXERCISE

#include "fenced_types.h"

void check(void)
{
    part("TODO(1) and TODO(3)",
         "does every cell have its thread? If all but 9 are wrong, either one thread runs or all work on the "
         "same cell; if about three in four are, see that x counts along a row of the block and y across");
    expect_flow(&STAGE, "taylor_green", 32, 8, 3); // one block of 32 x 8
    part("TODO(1) and TODO(3)", "one block is right, several are not: what tells a thread which block it is "
                                "in, and how many blocks run?");
    expect_flow(&STAGE, "taylor_green", 64, 24, 3);

    part("TODO(2)", "33 x 9 cells take 2 x 2 blocks of 32 x 8: there are threads with x >= width or y >= "
                    "height. Which x and y are the first without a cell, and what do these threads touch "
                    "before they leave?");
    expect_types_inside(33, 9, (Block){32, 8});
    expect_flow(&STAGE, "taylor_green", 33, 9, 3);
    part("TODO(2)", "all rows but one are right: which x and y are the first without a cell?");
    expect_flow(&STAGE, "taylor_green", 63, 15, 3);
    part("TODO(3)", "the grid says how many blocks there are, the block how many threads are in each, at "
                    "most 1024; which of them does LAUNCH take first?");
    expect_flow(&STAGE, "taylor_green", 1050, 250, 1); // 33 x 32 blocks: too many for the threads of a block
    part("TODO(1), TODO(2) and TODO(3)", "a longer flow with walls and a lid");
    expect_flow(&STAGE, "cavity", 37, 21, 20);
    part("TODO(3)", "two threads work on the same cell");
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
