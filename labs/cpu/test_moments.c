// Moments on a CPU: without fused operations they have the bits of stage 30, with them its flows but for
// rounding.
#include "same_bits.h"
#include "simulation/simulation.h"

extern const Stage stage_30_moments, moments_exact, moments_fused;

TEST(all_flows_have_the_bits_of_stage_30)
{
    need_exact_arithmetic();
    EXPECT(bits_apart(&moments_exact, &stage_30_moments) == 0);
}

TEST(small_grids_have_them)
{
    need_exact_arithmetic();
    EXPECT(bits_apart_on_small_grids(&moments_exact, &stage_30_moments) == 0);
}

/** Walls with fluid on two opposite sides, and bodies of all shapes; more than one block of cells. */
TEST(mazes_have_them)
{
    need_exact_arithmetic();
    EXPECT(bits_apart_in_a_maze(&moments_exact, &stage_30_moments, 37, 53, 5) == 0);
    EXPECT(bits_apart_in_a_maze(&moments_exact, &stage_30_moments, 200, 9, 3) == 0);
}

TEST(single_steps_are_as_good_as_many)
{
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 21, .height = 15});
    Snapshot expected = run_flow(&moments_fused, &s, small_block, 9), r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&moments_fused, &s, small_block);
    for (int n = 0; n < 9; n++)
        advance_simulation(solver, 1);
    read_snapshot(&r, solver);
    EXPECT(different_bits(&r, &expected) == 0);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

TEST(fused_operations_change_the_rounding_alone)
{
    enum { STEPS = 101 };
    const int sizes[][2] = {
        {64,  48},
        {130, 66},
        {257, 31}
    };
    for (int n = 0; n < 3 * flow_count; n++) {
        if (flows[n / 3].lattice != &d2q9)
            continue;
        const Parameters parameters = {.width = sizes[n % 3][0], .height = sizes[n % 3][1], .tau = 0.6};
        Scenario s = create_scenario(&flows[n / 3], parameters);
        Snapshot r = run_flow(&moments_fused, &s, small_block, STEPS);
        Snapshot expected = run_flow(&stage_30_moments, &s, small_block, STEPS);
        EXPECT(agree(&moments_fused, &r, &expected, STEPS));
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
        destroy_scenario(&s);
    }
}

TEST(fused_operations_do_change_it)
{
    need_exact_arithmetic();
    EXPECT(cavity_difference(&moments_fused, &moments_exact) > 0.0);
}
