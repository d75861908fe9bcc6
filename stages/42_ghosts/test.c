#include "hard_grids.h"
#include "run_flow.h"
#include "stage/refusal.h"

#include "check.h"

#include <stdlib.h>

TEST(both_transposes_undo_each_other)
{
    const Parameters parameters = {.width = 37, .height = 5};
    Scenario s = create_scenario(find_flow("taylor_green"), parameters);
    Result start = initial_result(&s);
    EXPECT(start.f[0] != start.f[9] && start.f[0] != start.f[1]); // or an order would not show
    Result r = run_flow(&STAGE, &s, small_block, 0);
    EXPECT(different_bits(&r, &start) == 0);
    destroy_result(&r);
    destroy_result(&start);
    destroy_scenario(&s);
}

TEST(steps_in_any_parts_are_the_same_steps)
{
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 21, .height = 35});
    Result expected = run_flow(&STAGE, &s, small_block, 24), r = create_result(&s);
    for (int part = 1; part <= 4; part++) {
        Solver *solver = STAGE.create(&s, small_block);
        for (int steps = 0; steps < 24; steps += part)
            STAGE.advance(solver, part);
        read_result(&r, &STAGE, solver, 24);
        STAGE.destroy(solver);
        EXPECT(different_bits(&r, &expected) == 0);
    }
    destroy_result(&r);
    destroy_result(&expected);
    destroy_scenario(&s);
}

TEST(more_steps_than_a_launch_makes_are_as_good)
{
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 3, .height = 5, .tau = 0.8});
    Result expected = run_flow(stages[0], &s, small_block, 9001), r = run_flow(&STAGE, &s, small_block, 9001);
    EXPECT(agree(&STAGE, &r, &expected, 9001));
    destroy_result(&r);
    destroy_result(&expected);
    destroy_scenario(&s);
}

TEST(the_largest_square_is_taken_and_the_next_is_refused)
{
    int size = 1;
    while (!stage_refusal(&STAGE, size + 1, size + 1))
        size++;
    char text[32];
    snprintf(text, sizeof text, "up to %d x %d", size, size);
    EXPECT(strstr(stage_refusal(&STAGE, size + 1, size + 1), text));
    EXPECT(strstr(stage_refusal(&STAGE, 100000, 100000), text));
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = size, .height = size, .tau = 0.6});
    Result expected = run_flow(stages[0], &s, small_block, 3), r = run_flow(&STAGE, &s, small_block, 3);
    EXPECT(agree(&STAGE, &r, &expected, 3));
    destroy_result(&r);
    destroy_result(&expected);
    destroy_scenario(&s);
}

/** Cells of all types in any neighbourhood, and below as many rows of walls as a block has ghost rows. */
static Scenario create_low_maze(int width, int height, int wall_rows)
{
    Scenario s = create_maze(width, height, 3);
    for (int cell = 0; cell < wall_rows * width; cell++)
        s.type[cell] = WALL;
    return s;
}

TEST(low_grids_are_right)
{
    for (int height = 1; height <= 20; height++)
        for (int wall_rows = 0; wall_rows < height && wall_rows <= 4; wall_rows++) {
            Scenario s = create_low_maze(9, height, wall_rows);
            Result expected = run_flow(stages[0], &s, small_block, 14),
                   r = run_flow(&STAGE, &s, small_block, 14);
            EXPECT(agree(&STAGE, &r, &expected, 14));
            if (gpu_is_emulated)
                EXPECT(different_bits(&r, &expected) == 0);
            destroy_result(&r);
            destroy_result(&expected);
            destroy_scenario(&s);
        }
}

TEST(blocks_may_come_late)
{
    static const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    for (int wall_rows = 0; wall_rows <= 8; wall_rows += 4) {
        Scenario s = create_low_maze(9, 14, wall_rows);
        Result expected = run_flow(stages[0], &s, small_block, 40);
        for (int k = 0; k < 3; k++) {
            setenv("LBM_THREAD_ORDER", orders[k], 1);
            Result r = run_flow(&STAGE, &s, small_block, 40);
            unsetenv("LBM_THREAD_ORDER");
            EXPECT(agree(&STAGE, &r, &expected, 40));
            destroy_result(&r);
        }
        destroy_result(&expected);
        destroy_scenario(&s);
    }
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update < 0.1); // once in a launch of many steps
    EXPECT(STAGE.bytes_per_cell == 9.0 * 4.0 + 1.0 + 6.0 * 16.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 1);
}

TEST(the_bits_are_those_of_the_first_stage)
{
#ifdef GPU_ON_CPU
    EXPECT(bits_apart(&STAGE, stages[0]) == 0);
#else
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}
