/**
 * @file march_in_space.h
 * Tests that stages 51 to 56 run, which keep moments and march along z; their test.c includes this file. On all
 * kinds of grids these stages give the numbers of the same collision on populations, but for rounding.
 */
#ifndef MARCH_IN_SPACE_H
#define MARCH_IN_SPACE_H

#include "hard_grids.h"
#include "regularize_in_space.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#include "check.h"

/** How far populations may be off. The test.c of a stage that stores moments in 16 bits defines its own bound. */
#ifndef MOST_ROUNDING
#define MOST_ROUNDING 5e-7
#endif

/** The largest difference between populations, over all that two flows have. */
static double largest_difference(const Snapshot *r, const Snapshot *other)
{
    double largest = 0.0;
    for (size_t n = 0; n < population_count(r->scenario) && !isnan(largest); n++) {
        const double difference = fabs((double)r->f[n] - other->f[n]);
        largest = isnan(difference) ? NAN : fmax(largest, difference);
    }
    return largest;
}

/** Whether the populations of a flow are those of the same collision on populations, after so many steps. */
static int is_regularized(const Scenario *s, int steps)
{
    Snapshot r = run_flow(&STAGE, s, small_block, steps), expected = run_regularized_in_space(s, steps);
    const double largest = largest_difference(&r, &expected);
    if (!(largest <= MOST_ROUNDING))
        printf("%s %dx%dx%d: populations differ by up to %g after %d steps\n", s->flow->name, s->width,
               s->height, s->depth, largest, steps);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return largest <= MOST_ROUNDING;
}

#ifdef __SANITIZE_ADDRESS__ // a wrong address shows at once
enum { EVERY = 5, LONG = 6 };
#else
enum { EVERY = 1, LONG = 60 };
#endif

TEST(populations_would_give_the_same_numbers)
{
    const double taus[] = {0.6, 1.0, 1.7};
    for (int n = 0; n < flow_count; n++) {
        if (!takes_flow(&STAGE, &flows[n]))
            continue;
        Parameters p = odd_grid(&flows[n]);
        p.tau = taus[n % 3];
        Scenario s = create_scenario(&flows[n], p);
        for (int steps = 0; steps <= 3; steps++)
            EXPECT(is_regularized(&s, steps));
        EXPECT(is_regularized(&s, LONG + n % STAGE.cycle));
        destroy_scenario(&s);
    }
}

/** Sides below and above those of a tile with 16 lanes or 32, and the chunks of a tile. */
static const int hard_sides[][3] = {
    {1,  3,  3  },
    {2,  3,  4  },
    {3,  4,  3  },
    {5,  7,  9  },
    {9,  13, 6  },
    {10, 14, 5  },
    {11, 15, 3  },
    {14, 18, 4  },
    {15, 19, 7  },
    {26, 6,  3  },
    {27, 5,  4  },
    {30, 29, 3  },
    {31, 3,  5  },
    {33, 17, 3  },
    {53, 4,  4  },
    {65, 3,  3  },
    {3,  25, 40 },
    {4,  3,  70 },
    {3,  3,  133}
};
enum { HARD_SIDES = sizeof hard_sides / sizeof *hard_sides };

TEST(mazes_of_any_size_are_the_same)
{
    for (int n = 0; n < HARD_SIDES; n++) {
        const int *sides = hard_sides[n];
        Scenario s = create_maze_in_space(sides[0], sides[1], sides[2], 3);
        for (int steps = 1; steps <= 2 * STAGE.cycle + 1; steps++)
            EXPECT(is_regularized(&s, steps));
        destroy_scenario(&s);
    }
}

TEST(mazes_of_any_density_are_the_same)
{
    for (unsigned solid = 1; solid <= 13; solid += 3) {
        Scenario s = create_maze_in_space(19, 12, 10, solid);
        EXPECT(is_regularized(&s, 3 * STAGE.cycle + 1));
        destroy_scenario(&s);
    }
}

/** A periodic grid of fluid with one cell that is none. */
static Scenario create_single_cell_in_space(int width, int height, int depth, size_t cell, CellType type)
{
    Scenario s = create_maze_in_space(width, height, depth, 0);
    memset(s.type, FLUID, cell_count(&s));
    s.type[cell] = type;
    return s;
}

TEST(one_cell_that_is_no_fluid_anywhere_in_a_tile)
{
    const CellType types[] = {WALL, MOVING_WALL, BODY, OPEN, INFLOW, OUTFLOW};
    const int width = 35, height = 27, depth = 3;
    for (int n = 0; n < width + height; n += EVERY) {
        const int x = n < width ? n : 7, y = n < width ? 5 : n - width;
        const size_t cell = ((size_t)(n % depth) * height + y) * width + x;
        Scenario s = create_single_cell_in_space(width, height, depth, cell, types[n % 6]);
        EXPECT(is_regularized(&s, STAGE.cycle + 1));
        destroy_scenario(&s);
    }
}

TEST(reading_disturbs_nothing)
{
    Scenario s = create_maze_in_space(12, 9, 7, 2);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 7), r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    for (int steps = 1; steps <= 7; steps += 3) { // whole cycles, whose last step `read` makes
        advance_simulation(solver, steps == 1 ? 1 : 3);
        read_snapshot(&r, solver);
    }
    end_simulation(solver);
    EXPECT(different_bits(&r, &expected) == 0);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

#endif
