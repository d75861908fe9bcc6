#include "check_exercise.h"

#include EXERCISE

void check(void)
{
    part("TODO(1) and TODO(2)", "this slot is read by one thread and written by another, and nothing says "
                                "who comes first. Whose are the "
                                "two slots at the link between two cells?");
    expect_no_race(&STAGE, "taylor_green", 37, 21, 3);
    part("TODO(1) and TODO(2)",
         "no race, and yet not streamed: follow the two populations on one link with a pencil");
    expect_flow(&STAGE, "taylor_green", 37, 21, 10);
    part("TODO(2)", "at a wall there is no partner to trade with, and the lid adds its gain");
    expect_no_race(&STAGE, "cavity", 37, 21, 10);
    expect_flow(&STAGE, "cavity", 37, 21, 10);
    part("TODO(2)", "the width is 1: the neighbour to the east is the cell itself");
    expect_flow(&STAGE, "poiseuille", 1, 10, 10);
    part("TODO(1) and TODO(2)", "a grid so large that some blocks are done before others begin");
    expect_flow(&STAGE, "taylor_green", 2048, 512, 2);
}
