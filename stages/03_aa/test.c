#include "run_flow.h"

#include "check.h"

TEST(every_parity_reads_right)
{
    const Parameters parameters = {.width = 21, .height = 14};
    Scenario s = create_scenario(find_flow("cavity"), parameters);
    for (int steps = 1; steps <= 4; steps++) {
        float *expected = run_flow(stages[0], &s, small_block, steps);
        float *f = run_flow(&STAGE, &s, small_block, steps);
        EXPECT_NEAR(velocity_difference(&s, f, expected), 0.0, 1e-6);
        free(f);
        free(expected);
    }
    destroy_scenario(&s);
}

TEST(single_steps_are_as_good_as_many)
{
    const Parameters parameters = {.width = 21, .height = 15};
    Scenario s = create_scenario(find_flow("cylinder"), parameters);
    float *expected = run_flow(&STAGE, &s, small_block, 9);
    float *f = allocate(9 * cell_count(&s) * sizeof(float));
    Solver *solver = STAGE.create(&s, small_block);
    for (int n = 0; n < 3; n++)
        STAGE.advance(solver, 3);
    STAGE.read(solver, f);
    EXPECT(different_bits(&s, f, expected) == 0);
    STAGE.destroy(solver);
    free(f);
    free(expected);
    destroy_scenario(&s);
}

TEST(a_moving_wall_counts_once_per_step)
{
    const Parameters parameters = {.width = 3, .height = 3, .tau = 1.0}; // one fluid cell, walls all round
    Scenario s = create_scenario(find_flow("cavity"), parameters);
    for (int steps = 1; steps <= 2; steps++) {
        float *expected = run_flow(stages[0], &s, small_block, steps);
        float *f = run_flow(&STAGE, &s, small_block, steps);
        EXPECT(expected[9 * 4 + 7] != 0.0f);
        for (int i = 0; i < 9; i++)
            EXPECT_NEAR(f[9 * 4 + i], expected[9 * 4 + i], 1e-8);
        free(f);
        free(expected);
    }
    destroy_scenario(&s);
}

TEST(one_grid_is_half_of_two)
{
    EXPECT(STAGE.bytes_per_cell - 1.0 == 36.0);
    EXPECT(stages[0]->bytes_per_cell - 1.0 == 2.0 * 36.0);
}
