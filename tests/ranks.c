/**
 * Stages that run on ranks. To be started by mpirun: rank 0 runs the tests, the others serve it (ranks.h).
 * Without mpirun there is one rank.
 */
#include "ranks/ranks.h"
#include "same_bits.h"

void before_tests(void) // and after all constructors: CUDA registers its kernels in them
{
    begin_ranks(stages, stage_count);
}

/** The stage that stage n was before it ran on ranks. */
static const Stage *on_one_rank(int n)
{
    while (places[n].on_ranks)
        n = places[n].follows;
    return stages[n];
}

/** Whether stage n runs on ranks and takes a grid: each rank then has as many rows as the stage makes steps
 * between two messages. */
static int fits_ranks(int n, const Scenario *s)
{
    return places[n].on_ranks && takes(stages[n], s) && takes(on_one_rank(n), s) &&
           (rank_count() == 1 || s->height >= rank_count() * stages[n]->cycle);
}

TEST(every_flow_has_the_bits_of_one_rank)
{
    need_exact_arithmetic();
    for (int n = 0; n < stage_count; n++)
        if (places[n].on_ranks)
            EXPECT(bits_apart(stages[n], on_one_rank(n)) == 0);
}

TEST(small_and_narrow_grids_have_the_bits_of_one_rank)
{
    need_exact_arithmetic();
    for (int k = 0; k < SMALL_GRIDS; k++) {
        if (!fits_small_grid(k))
            continue;
        Scenario s = create_small_grid(k);
        for (int n = 0; n < stage_count; n++)
            if (fits_ranks(n, &s))
                EXPECT(bits_apart_within(stages[n], on_one_rank(n), &s, 2 * stages[n]->cycle + 1) == 0);
        destroy_scenario(&s);
    }
}

TEST(mazes_have_the_bits_of_one_rank)
{
    need_exact_arithmetic();
    static const int sizes[][2] = {
        {1,  4 },
        {2,  5 },
        {37, 6 },
        {33, 11},
        {29, 10},
        {31, 15},
        {61, 20},
        {40, 32}
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (unsigned solid = 2; solid <= 10; solid += 4) {
            Scenario s = create_maze(sizes[k][0], sizes[k][1], solid);
            for (int n = 0; n < stage_count; n++)
                if (fits_ranks(n, &s))
                    EXPECT(bits_apart_within(stages[n], on_one_rank(n), &s, 2 * stages[n]->cycle + 5) == 0);
            destroy_scenario(&s);
        }
}

TEST(two_solvers_at_a_time_stay_apart)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 16, .height = 23});
    for (int n = 0; n < stage_count; n++) {
        if (!fits_ranks(n, &s))
            continue;
        Result expected = run_flow(stages[n], &s, small_block, 7), r = create_result(&s);
        Solver *solver = stages[n]->create(&s, small_block), *other = stages[n]->create(&s, small_block);
        stages[n]->advance(other, 20);
        stages[n]->advance(solver, 7);
        stages[n]->destroy(other);
        read_result(&r, stages[n], solver, 7);
        stages[n]->destroy(solver);
        EXPECT(different_bits(&r, &expected) == 0);
        destroy_result(&r);
        destroy_result(&expected);
    }
    destroy_scenario(&s);
}

TEST(on_a_gpu_a_cavity_is_that_of_one_rank)
{
#ifdef GPU_ON_CPU
    SKIP("all bits are compared");
#endif
    for (int n = 0; n < stage_count; n++)
        if (places[n].on_ranks)
            EXPECT_NEAR(cavity_difference(stages[n], on_one_rank(n)), 0.0, 2e-6);
}

/** A scenario without types, as in `bench`: each rank finds its own. */
TEST(ranks_find_their_own_types)
{
    for (int k = 0; k < flow_count; k++) {
        if (flows[k].lattice->dimensions == 3)
            continue;
        const Parameters size = {.width = 40, .height = 31, .tau = 0.6};
        Scenario s = create_scenario(&flows[k], size), bare = fix_scenario(&flows[k], size);
        for (int n = 0; n < stage_count; n++) {
            if (!fits_ranks(n, &s))
                continue;
            Result expected = run_flow(stages[n], &s, small_block, 20), r = create_result(&s);
            Solver *solver = stages[n]->create(&bare, small_block);
            stages[n]->advance(solver, 20);
            EXPECT(is_sane_on_all_ranks(solver));
            read_result(&r, stages[n], solver, 20);
            stages[n]->destroy(solver);
            EXPECT(different_bits(&r, &expected) == 0);
            destroy_result(&r);
            destroy_result(&expected);
        }
        destroy_scenario(&s);
    }
}

/** Every rank gets its rows of a state that rank 0 has. */
TEST(a_start_reaches_all_ranks)
{
    for (int k = 0; k < flow_count; k++) {
        if (flows[k].lattice->dimensions == 3)
            continue;
        Scenario s = create_scenario(&flows[k], (Parameters){.width = 40, .height = 31, .tau = 0.6});
        for (int n = 0; n < stage_count; n++) {
            if (!fits_ranks(n, &s))
                continue;
            Result expected = run_flow(stages[n], &s, small_block, 20),
                   half = run_flow(stages[n], &s, small_block, 9);
            s.start = (Start){half.f, 0};
            Result r = run_flow(stages[n], &s, small_block, 11),
                   start = run_flow(stages[n], &s, small_block, 0);
            s.start = (Start){0};
            if (places[n].reference == 0)
                EXPECT(different_bits(&r, &expected) == 0);
            else // moments leave out what populations hold besides
                EXPECT_NEAR(velocity_difference(&r, &expected), 0.0, allowed_difference(stages[n], 20));
            EXPECT(different_bits(&start, &half) == 0);
            destroy_result(&start);
            destroy_result(&r);
            destroy_result(&half);
            destroy_result(&expected);
        }
        destroy_scenario(&s);
    }
}

/** The inflow is one cell, in each row in turn; everywhere else its profile would give a density of 0. */
TEST(a_slab_is_checked_with_its_own_part_of_the_inflow)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 16, .height = 20});
    s.physics.open_x = 0.02f;
    s.physics.open_curvature = 1e38f;
    for (int n = 0; n < stage_count; n++) {
        if (!fits_ranks(n, &s))
            continue;
        for (int y = 0; y < s.height; y++) {
            memset(s.type, FLUID, cell_count(&s));
            s.type[y * s.width] = INFLOW;
            s.physics.open_centre = (Real)y;
            Solver *solver = stages[n]->create(&s, small_block);
            EXPECT(is_sane_on_all_ranks(solver));
            stages[n]->destroy(solver);
        }
    }
    destroy_scenario(&s);
}

/** One row of the grid is made to diverge, on one of the ranks. */
TEST(a_flow_that_diverged_on_any_rank_is_not_sane)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 16, .height = 20});
    for (int n = 0; n < stage_count; n++) {
        if (!fits_ranks(n, &s))
            continue;
        for (int y = 0; y < s.height; y++) {
            memset(s.type, FLUID, cell_count(&s));
            s.type[y * s.width] = OPEN;
            s.physics.open_x = INFINITY;
            Solver *solver = stages[n]->create(&s, small_block);
            EXPECT(is_sane_on_all_ranks(solver) == 0);
            stages[n]->destroy(solver);
        }
    }
    destroy_scenario(&s);
}
