#include "check_exercise.h"
#include "fence.h"
#include "simulation/simulation.h"

#include EXERCISE

/** A box all of whose walls move, along the fluid and into it: each direction has a gain. */
static void expect_gain_at_all_walls(void)
{
    Scenario s = small_flow("cavity", 13, 9);
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        if (is_wall(s.type[cell]))
            s.type[cell] = MOVING_WALL;
    for (int i = 0; i < 9; i++)
        s.physics.wall_gain[i] = -6.0f * weight(i) * dot(i, 0.1f, 0.05f);
    expect_same(&STAGE, &s, 10, 1);
    destroy_scenario(&s);
}

/** Nine floats and the type of each cell is all that may be taken, from the first step to the last. */
static void expect_one_grid(void)
{
    Scenario s = small_flow("taylor_green", 37, 21);
    const size_t before = device_bytes, allowed = cell_count(&s) * 9 * sizeof(float);
    Simulation *solver = begin_simulation(&STAGE, &s, (Block){32, 8});
    advance_simulation(solver, 4);
    end_simulation(solver);
    if (device_bytes - before > allowed)
        wrong("%zu bytes of device memory are taken for %zu cells; expected at most %zu, one grid "
              "types",
              device_bytes - before, cell_count(&s), allowed);
    destroy_scenario(&s);
}

void check(void)
{
    part("TODO(1) and TODO(2)", "this slot is read by one thread and written by another, and nothing says "
                                "who comes first. Whose are the "
                                "two slots at the link between two cells?");
    expect_no_race(&STAGE, "taylor_green", 37, 21, 3);
    part("TODO(1) and TODO(2)",
         "no race, and yet not streamed: follow the two populations on one link with a pencil");
    expect_flow(&STAGE, "taylor_green", 37, 21, 10);
    part("TODO(2)", "at a wall there is no partner to change places with, and the lid adds its gain");
    expect_no_race(&STAGE, "cavity", 37, 21, 10);
    expect_flow(&STAGE, "cavity", 37, 21, 10);
    part("TODO(2)",
         "with a lid all is right; here the other walls move too, and what they send back gains as well");
    expect_gain_at_all_walls();
    part("TODO(2)", "the width is 1: the neighbour to the east is the cell itself");
    expect_flow(&STAGE, "poiseuille", 1, 10, 10);
    part("TODO(1) and TODO(2)", "a grid so large that some blocks are done before others begin");
    expect_flow(&STAGE, "taylor_green", 2048, 512, 2);
    part("TODO(1) and TODO(2)",
         "right, with memory that stage 02 takes as well; the task is to do without it");
    expect_one_grid();
}
