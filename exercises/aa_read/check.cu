#include "check_exercise.h"
#include "run_flow.h"

#include EXERCISE

/** What is handed out of walls: zeros, as at the start. */
static void expect_empty_walls(void)
{
    Scenario s = small_flow("cavity", 13, 9);
    Snapshot r = run_flow(&STAGE, &s, small_block, 1);
    for (size_t n = 0; n < 9 * cell_count(&s); n++)
        if (is_wall(s.type[n / 9]) && !(r.f[n] == 0.0f))
            wrong("wall cell x=%d y=%d, direction %s: expected 0, got %.4g (cavity, 13 x 9, after step 1)",
                  (int)(n / 9 % s.width), (int)(n / 9 / s.width), direction_name(n % 9), r.f[n]);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

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
    part("TODO(1)", "fluid is right: but walls hold no populations, and nothing arrives there");
    expect_empty_walls();
}
