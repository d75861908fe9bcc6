#include "check_exercise.h"

#include EXERCISE

void check(void)
{
    part("TODO(1), TODO(2) and TODO(3)", "step 1 is even_step's and right, step 2 is yours: which slot holds "
                                         "the population that arrives here, and "
                                         "where does the one that leaves belong?");
    expect_flow(&STAGE, "taylor_green", 37, 21, 2);
    part("TODO(1), TODO(2) and TODO(3)",
         "a slot must be read and written by the same thread and by no other");
    expect_no_race(&STAGE, "taylor_green", 37, 21, 4);
    part("TODO(1)", "away from walls all is right: boundary() tells where a wall sends a population");
    expect_flow(&STAGE, "poiseuille", 5, 9, 4);
    part("TODO(1), TODO(2) and TODO(3)", "at walls at rest all is right: the lid gives its gain in each of "
                                         "the two steps that odd_step streams");
    expect_flow(&STAGE, "cavity", 13, 9, 4);
    expect_flow(&STAGE, "cavity", 37, 21, 20);
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
