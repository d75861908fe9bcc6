#include "check_exercise.h"
#include "fence.h"

#ifndef __CUDACC__
#define __managed__
#endif

/** The rows of the cells of the first two threads along x. */
static __device__ __managed__ int rows[2];

static __device__ void note_row(int y)
{
    if (blockIdx.x + blockIdx.y + threadIdx.y == 0 && threadIdx.x < 2)
        rows[threadIdx.x] = y;
}

#define boundary(physics, type, x, y, i) (note_row(y), boundary(physics, type, x, y, i))
#include EXERCISE

/** Right, but slower by far; that is not what this exercise asks, and so it is said, and not refused. */
static void look_at_neighbours(void)
{
    expect_flow(&STAGE, "taylor_green", 64, 24, 1);
    if (rows[0] != rows[1])
        remark("all is right, but threads that are neighbours along threadIdx.x work on cells of different "
               "rows, far apart in memory, and their loads are not coalesced (primer_gpu, \"Memory comes in "
               "sectors\"). Let x follow threadIdx.x; exercise 08 measures what the other way costs.");
}

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
    look_at_neighbours();
}
