#include "hard_grids.h"
#include "resident.h"

/** Cells of all types in any neighbourhood, and below as many rows of walls as a block has ghost rows. */
static Scenario create_low_maze(int width, int height, int wall_rows)
{
    Scenario s = create_maze(width, height, 3);
    for (int cell = 0; cell < wall_rows * width; cell++)
        s.type[cell] = WALL;
    return s;
}

/** Whether the stage makes steps as the plain program does, on the emulator to the last bit. */
static int is_right(const Scenario *s, int steps)
{
    Snapshot expected = run_plain_pairs(s, steps), r = run_flow(&STAGE, s, small_block, steps);
    const int is =
        agree(&STAGE, &r, &expected, steps) && !(gpu_is_emulated && different_bits(&r, &expected) > 0);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return is;
}

TEST(low_grids_are_right)
{
    for (int height = 1; height <= 20; height++)
        for (int wall_rows = 0; wall_rows < height && wall_rows <= 4; wall_rows++) {
            Scenario s = create_low_maze(9, height, wall_rows);
            EXPECT(is_right(&s, 14));
            destroy_scenario(&s);
        }
}

TEST(blocks_may_come_late)
{
    static const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    for (int wall_rows = 0; wall_rows <= 8; wall_rows += 4) {
        Scenario s = create_low_maze(9, 14, wall_rows);
        for (int k = 0; k < 3; k++) {
            setenv("LBM_THREAD_ORDER", orders[k], 1);
            EXPECT(is_right(&s, 100));
            unsetenv("LBM_THREAD_ORDER");
        }
        destroy_scenario(&s);
    }
}
