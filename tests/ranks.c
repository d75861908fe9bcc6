/**
 * Stages that run on ranks. To be started by mpirun: rank 0 runs the tests, the others serve it (ranks.h).
 * Without mpirun there is one rank.
 */
#include "ranks/ranks.h"
#include "same_bits.h"
#include "simulation/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void before_tests(void) // and after all constructors: CUDA registers its kernels in them
{
    begin_ranks(stages, stage_count);
}

/** The stage that stage n was before it ran on ranks. */
static const Stage *on_one_rank(int n)
{
    while (stage_info[n].on_ranks)
        n = stage_info[n].follows;
    return stages[n];
}

/** Whether stage n runs on ranks and takes a grid: each rank then has as many layers as the stage makes
 * steps between two messages. */
static int fits_ranks(int n, const Scenario *s)
{
    return stage_info[n].on_ranks && takes(stages[n], s) && takes(on_one_rank(n), s) &&
           (rank_count() == 1 || layer_count(s) >= rank_count() * stages[n]->cycle);
}

/** Compares stage n on all ranks with what it was before, at the start and after whole and broken cycles. */
static void expect_bits_of_one_rank(int n, const Scenario *s)
{
    const int cycle = stages[n]->cycle, parts[] = {0, 2 * cycle + 2, 1, cycle, 2};
    Simulation *ranks = begin_simulation(stages[n], s, small_block),
               *one = begin_simulation(on_one_rank(n), s, small_block);
    Snapshot r = create_snapshot(s), expected = create_snapshot(s);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        advance_simulation(ranks, parts[k]);
        advance_simulation(one, parts[k]);
        read_snapshot(&r, ranks);
        read_snapshot(&expected, one);
        const size_t count = different_bits(&r, &expected);
        if (count > 0)
            printf("%s %s %dx%dx%d: %zu populations differ after part %zu\n", stages[n]->name, s->flow->name,
                   s->width, s->height, s->depth, count, k);
        EXPECT(count == 0);
    }
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    end_simulation(ranks);
    end_simulation(one);
}

/** The same of all stages that take a grid; destroys it. */
static void expect_bits(Scenario s)
{
    for (int n = 0; n < stage_count; n++)
        if (fits_ranks(n, &s))
            expect_bits_of_one_rank(n, &s);
    destroy_scenario(&s);
}

enum { TALL_GRIDS = 2 };

/** Many layers for their size: in the plane, and in space. The caller destroys it. */
static Scenario create_tall_grid(int n)
{
    if (n == 0)
        return create_scenario(find_flow("taylor_green"), (Parameters){.width = 16, .height = 20});
    return create_scenario(find_flow("duct"), (Parameters){.width = 5, .height = 4, .depth = 20});
}

TEST(every_flow_has_the_bits_of_one_rank)
{
    need_exact_arithmetic();
    for (int k = 0; k < flow_count; k++)
        expect_bits(create_scenario(&flows[k], odd_grid(&flows[k])));
    for (int k = 0; k < TALL_GRIDS; k++)
        expect_bits(create_tall_grid(k));
}

TEST(small_and_narrow_grids_have_the_bits_of_one_rank)
{
    need_exact_arithmetic();
    for (int k = 0; k < SMALL_GRIDS; k++)
        if (fits_small_grid(k))
            expect_bits(create_small_grid(k));
    for (int side = 1; side <= 5; side++)
        expect_bits(create_scenario(find_flow("abc"), (Parameters){.width = side, .tau = 0.6}));
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
        for (unsigned solid = 2; solid <= 10; solid += 4)
            expect_bits(create_maze(sizes[k][0], sizes[k][1], solid));
}

TEST(mazes_in_space_have_the_bits_of_one_rank)
{
    need_exact_arithmetic();
    static const int sizes[][3] = {
        {1,  3,  4 },
        {2,  3,  5 },
        {3,  17, 3 },
        {33, 4,  7 },
        {5,  9,  11}
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (unsigned solid = 2; solid <= 10; solid += 4)
            expect_bits(create_maze_in_space(sizes[k][0], sizes[k][1], sizes[k][2], solid));
}

static void expect_solvers_apart(const Scenario *s)
{
    for (int n = 0; n < stage_count; n++) {
        if (!fits_ranks(n, s))
            continue;
        Snapshot expected = run_flow(stages[n], s, small_block, 7), r = create_snapshot(s);
        Simulation *solver = begin_simulation(stages[n], s, small_block),
                   *other = begin_simulation(stages[n], s, small_block);
        advance_simulation(other, 20);
        advance_simulation(solver, 7);
        end_simulation(other);
        read_snapshot(&r, solver);
        end_simulation(solver);
        EXPECT(different_bits(&r, &expected) == 0);
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
    }
}

TEST(two_solvers_at_a_time_stay_apart)
{
    for (int k = 0; k < TALL_GRIDS; k++) {
        Scenario s = create_tall_grid(k);
        expect_solvers_apart(&s);
        destroy_scenario(&s);
    }
}

TEST(on_a_gpu_flows_are_those_of_one_rank)
{
#ifdef GPU_ON_CPU
    SKIP("all bits are compared");
#endif
    for (int n = 0; n < stage_count; n++)
        if (stage_info[n].on_ranks && takes_flow(stages[n], find_flow("cavity")))
            EXPECT_NEAR(cavity_difference(stages[n], on_one_rank(n)), 0.0, 2e-6);
    for (int k = 0; k < flow_count; k++) {
        if (flows[k].lattice->dimensions == 2)
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int n = 0; n < stage_count; n++)
            if (fits_ranks(n, &s))
                EXPECT(agree_on(stages[n], on_one_rank(n), &s, MANY_STEPS));
        destroy_scenario(&s);
    }
}

/** A scenario without types, as in `bench`: each rank finds its own. */
TEST(ranks_find_their_own_types)
{
    for (int k = 0; k < flow_count; k++) {
        const Parameters size = odd_grid(&flows[k]);
        Scenario s = create_scenario(&flows[k], size), bare = resolve_scenario(&flows[k], size);
        for (int n = 0; n < stage_count; n++) {
            if (!fits_ranks(n, &s))
                continue;
            Snapshot expected = run_flow(stages[n], &s, small_block, 20), r = create_snapshot(&s);
            Simulation *solver = begin_simulation(stages[n], &bare, small_block);
            advance_simulation(solver, 20);
            EXPECT(look_at(solver).insane == 0.0);
            read_snapshot(&r, solver);
            end_simulation(solver);
            EXPECT(different_bits(&r, &expected) == 0);
            destroy_snapshot(&r);
            destroy_snapshot(&expected);
        }
        destroy_scenario(&s);
    }
}

static void expect_near(double a, double b)
{
    EXPECT_NEAR(a, b, 1e-12 * (fabs(b) + 1.0));
}

/** Compares the looks of two simulations; they add up in other orders. */
static void expect_same_sums(Simulation *a, Simulation *b)
{
    const FlowSums x = look_at_change(a), y = look_at_change(b);
    expect_near(x.mass, y.mass);
    for (int axis = 0; axis < 3; axis++)
        expect_near(x.momentum[axis], y.momentum[axis]);
    expect_near(x.energy, y.energy);
    expect_near(x.difference, y.difference);
    expect_near(x.square, y.square);
    EXPECT(x.least_density == y.least_density && x.insane == y.insane);
}

TEST(a_look_is_that_of_one_rank)
{
    need_exact_arithmetic();
    for (int k = 0; k < flow_count; k++) {
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int n = 0; n < stage_count; n++) {
            if (!fits_ranks(n, &s))
                continue;
            Simulation *a = begin_simulation(stages[n], &s, small_block),
                       *b = begin_simulation(on_one_rank(n), &s, small_block);
            for (int steps = 0; steps < 9; steps += 4) {
                expect_same_sums(a, b);
                advance_simulation(a, steps + 1);
                advance_simulation(b, steps + 1);
            }
            expect_same_sums(a, b);
            end_simulation(a);
            end_simulation(b);
        }
        destroy_scenario(&s);
    }
}

/** Reads a range, and then its cells as a list from the last one on. */
static void expect_part(const Simulation *simulation, const Snapshot *whole, size_t first, size_t count)
{
    const size_t directions = (size_t)directions_of(whole->scenario);
    Moments *m = malloc(count * sizeof *m);
    Real *f = malloc(directions * count * sizeof *f);
    CellNumber *list = malloc(count * sizeof *list);
    read_moments(simulation, first, count, m);
    EXPECT(memcmp(m, whole->moments + first, count * sizeof *m) == 0);
    read_populations(simulation, first, count, f);
    EXPECT(memcmp(f, whole->f + directions * first, directions * count * sizeof *f) == 0);
    for (size_t n = 0; n < count; n++)
        list[n] = (CellNumber)(first + count - 1 - n);
    read_listed_moments(simulation, list, (CellNumber)count, m);
    for (size_t n = 0; n < count; n++)
        EXPECT(memcmp(&m[n], &whole->moments[list[n]], sizeof *m) == 0);
    free(list);
    free(f);
    free(m);
}

TEST(ranges_and_lists_are_parts_of_the_whole)
{
    for (int k = 0; k < flow_count; k++) {
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        const size_t cells = cell_count(&s);
        for (int n = 0; n < stage_count; n++) {
            if (!fits_ranks(n, &s))
                continue;
            Simulation *simulation = begin_simulation(stages[n], &s, small_block);
            for (int steps = 0; steps < 2; steps++) {
                Snapshot whole = create_snapshot(&s);
                read_snapshot(&whole, simulation);
                expect_part(simulation, &whole, 0, 1);
                expect_part(simulation, &whole, cells - 1, 1);
                expect_part(simulation, &whole, cells / 3 - 1, cells / 2);
                expect_part(simulation, &whole, 0, cells);
                destroy_snapshot(&whole);
                advance_simulation(simulation, 4);
            }
            end_simulation(simulation);
        }
        destroy_scenario(&s);
    }
}

/** Whether a stage reads and writes all populations in a step: in single precision. */
static int stores_populations(const Stage *stage)
{
    return stage->bytes_per_update >= 2.0 * stage->lattice->directions * sizeof(float);
}

/** Every rank gets its layers of a state that rank 0 has. */
TEST(a_start_reaches_all_ranks)
{
    for (int k = 0; k < flow_count; k++) {
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int n = 0; n < stage_count; n++) {
            if (!fits_ranks(n, &s))
                continue;
            Snapshot expected = run_flow(stages[n], &s, small_block, 20),
                     half = run_flow(stages[n], &s, small_block, 9);
            s.start = (Start){.f = half.f};
            Snapshot r = run_flow(stages[n], &s, small_block, 11),
                     start = run_flow(stages[n], &s, small_block, 0);
            s.start = (Start){0};
            if (stores_populations(stages[n]))
                EXPECT(different_bits(&r, &expected) == 0);
            else // moments leave out what populations hold besides
                EXPECT_NEAR(velocity_difference(&r, &expected), 0.0, allowed_difference(stages[n], 20));
            EXPECT(different_bits(&start, &half) == 0);
            destroy_snapshot(&start);
            destroy_snapshot(&r);
            destroy_snapshot(&half);
            destroy_snapshot(&expected);
        }
        destroy_scenario(&s);
    }
}

/** The inflow is one cell, in each layer in turn; everywhere else its profile would give a density of 0. */
static void expect_own_part_of_inflow(Scenario *s)
{
    s->physics.open_x = 0.02f;
    s->physics.open_curvature = 1e38f;
    for (int n = 0; n < stage_count; n++)
        for (int layer = 0; layer < layer_count(s) && fits_ranks(n, s); layer++) {
            const size_t cell = (size_t)layer * cells_of_layer(s) + (size_t)rows_of_layer(s) / 2 * s->width;
            memset(s->type, FLUID, cell_count(s));
            s->type[cell] = INFLOW;
            s->physics.open_centre = (Real)position_of(s, cell).y;
            Simulation *solver = begin_simulation(stages[n], s, small_block);
            EXPECT(look_at(solver).insane == 0.0);
            end_simulation(solver);
        }
}

TEST(a_slab_is_checked_with_its_own_part_of_the_inflow)
{
    for (int k = 0; k < TALL_GRIDS; k++) {
        Scenario s = create_tall_grid(k);
        expect_own_part_of_inflow(&s);
        destroy_scenario(&s);
    }
}

/** One layer of the grid is made to diverge, on one of the ranks. */
static void expect_not_sane(Scenario *s)
{
    s->physics.open_x = INFINITY;
    for (int n = 0; n < stage_count; n++)
        for (int layer = 0; layer < layer_count(s) && fits_ranks(n, s); layer++) {
            memset(s->type, FLUID, cell_count(s));
            s->type[(size_t)layer * cells_of_layer(s)] = OPEN;
            Simulation *solver = begin_simulation(stages[n], s, small_block);
            EXPECT(look_at(solver).insane == 1.0);
            end_simulation(solver);
        }
}

TEST(a_flow_that_diverged_on_any_rank_is_not_sane)
{
    for (int k = 0; k < TALL_GRIDS; k++) {
        Scenario s = create_tall_grid(k);
        expect_not_sane(&s);
        destroy_scenario(&s);
    }
}
