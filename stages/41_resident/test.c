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
    static const int parts[][3] = {
        {13, 0, 0 },
        {1,  1, 11},
        {6,  0, 7 }
    };
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 21, .height = 35});
    Result expected = run_flow(&STAGE, &s, small_block, 13), r = create_result(&s);
    for (int k = 0; k < 3; k++) {
        Solver *solver = STAGE.create(&s, small_block);
        for (int part = 0; part < 3; part++)
            STAGE.advance(solver, parts[k][part]);
        read_result(&r, &STAGE, solver, 13);
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

TEST(rows_longer_than_a_block_has_threads_are_right)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 1500, .height = 9, .tau = 0.6});
    Result expected = run_flow(stages[0], &s, small_block, 20), r = run_flow(&STAGE, &s, small_block, 20);
    EXPECT(agree(&STAGE, &r, &expected, 20));
    destroy_result(&r);
    destroy_result(&expected);
    destroy_scenario(&s);
}

TEST(a_block_of_walls_alone_may_come_late)
{
    static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 5, .height = 9, .tau = 0.8});
    Result expected = run_flow(stages[0], &s, small_block, 60); // a block for each row, of walls at both ends
    for (int k = 0; k < 4; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        Result r = run_flow(&STAGE, &s, small_block, 60);
        unsetenv("LBM_THREAD_ORDER");
        EXPECT(agree(&STAGE, &r, &expected, 60));
        destroy_result(&r);
    }
    destroy_result(&expected);
    destroy_scenario(&s);
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update < 0.1); // once in a launch of many steps
    EXPECT(STAGE.bytes_per_cell == 9.0 * 4.0 + 1.0 + 4.0 * 16.0);
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
