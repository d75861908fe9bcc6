#include "check_exercise.h"

#include EXERCISE

static void expect_index(size_t cell, int i, size_t cells)
{
    const size_t expected = i * cells + cell, got = at(cell, i, cells);
    if (got != expected)
        wrong("first wrong index: population %s of cell %zu in a grid of %zu cells: expected place %zu, got "
              "%zu",
              direction_name(i), cell, cells, expected, got);
}

void check(void)
{
    part("TODO(1)", "all populations 0 of all cells come first, then all populations 1, and so on");
    expect_index(0, 0, 100);
    expect_index(1, 0, 100);
    expect_index(0, 1, 100);
    expect_index(70, 8, 100);
    part("TODO(1)",
         "32768 x 32768 cells have more populations than 32 bits count, with or without a sign: in "
         "which type is the place computed?");
    expect_index((size_t)32768 * 32768 - 1, 8, (size_t)32768 * 32768);

    part("TODO(2) and TODO(3)",
         "one step: do `put` and `get` store and load each population in its own place?");
    expect_flow(&STAGE, "taylor_green", 37, 5, 1);
    part("TODO(2) and TODO(3)", "more steps: does the kernel find what `put` has stored?");
    expect_flow(&STAGE, "taylor_green", 37, 5, 2);
    part("TODO(1)", "a longer flow with walls and a lid");
    expect_flow(&STAGE, "cavity", 37, 21, 20);
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
