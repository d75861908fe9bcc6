#include "check_exercise.h"

#include EXERCISE

/** `read` is right after even numbers of steps; the rest is exercise `aa_read`. */
static void expect_pairs(const char *flow, int width, int height, int steps)
{
    Scenario s = small_flow(flow, width, height);
    expect_same(&STAGE, &s, steps, 2);
    destroy_scenario(&s);
}

/** The same with a body force, for which a flow and its mirror image differ. */
static void expect_forced_pairs(void)
{
    Scenario s = small_flow("taylor_green", 37, 21);
    s.physics.force_x = 1e-3f;
    s.physics.force_y = 2e-3f;
    expect_same(&STAGE, &s, 4, 2);
    destroy_scenario(&s);
}

void check(void)
{
    part("TODO(1), TODO(2) and TODO(3)",
         "step 1 is even_step's and right, step 2 is yours: which slot holds "
         "the population that arrives here, and where does the one that leaves belong?");
    expect_pairs("taylor_green", 37, 21, 2);
    part("TODO(1), TODO(2) and TODO(3)",
         "a slot must be read and written by the same thread and by no other");
    expect_no_race(&STAGE, "taylor_green", 37, 21, 4);
    part("TODO(2) and TODO(3)",
         "without a body force all is right: the collision gets the populations turned "
         "round, and they are turned back after it. Which direction does the one in slot[i] fly in?");
    expect_forced_pairs();
    part("TODO(1)", "away from walls all is right: boundary() tells where a wall sends a population");
    expect_pairs("poiseuille", 5, 9, 4);
    part("TODO(1), TODO(2) and TODO(3)", "at walls at rest all is right: the lid gives its gain in each of "
                                         "the two steps that odd_step streams");
    expect_pairs("cavity", 13, 9, 4);
    expect_pairs("cavity", 37, 21, 20);
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
