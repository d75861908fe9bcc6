#include "check_exercise.h"

#include EXERCISE

void check(void)
{
    part("TODO(1)", "after an even number of steps, 0 too, each population lies in its own slot");
    expect_flow(&STAGE, "taylor_green", 37, 21, 0);
    part("TODO(1)", "after an odd number of steps a slot holds a population after its collision that has not "
                    "been streamed yet: "
                    "where is the one that is to arrive here?");
    expect_flow(&STAGE, "taylor_green", 37, 21, 4);
    part("TODO(1)", "away from walls all is right: what comes from a wall has never left its cell");
    expect_flow(&STAGE, "poiseuille", 5, 9, 4);
    part("TODO(1)", "at walls at rest all is right: the gain of the lid has not been added yet");
    expect_flow(&STAGE, "cavity", 13, 9, 5);
}
