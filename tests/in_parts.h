/**
 * @file in_parts.h
 * Tests that stages 31 to 35 run, which make several steps at a time; their test.c includes this file. However
 * many steps `advance` makes at once, the bits are the same.
 */
#ifndef IN_PARTS_H
#define IN_PARTS_H

#include "hard_grids.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#include "check.h"

/** Advances a solver by so many steps each time until it is `steps` further. */
static Snapshot run_in_parts(const Scenario *s, int steps, int part)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    for (int n = 0; n < steps; n += part) {
        const int made = steps - n < part ? steps - n : part;
        advance_simulation(solver, made);
        read_snapshot(&r, solver);
    }
    end_simulation(solver);
    return r;
}

/** Number of populations whose bits depend on how many steps `advance` was asked for at a time. */
static size_t bits_apart_in_parts(const Scenario *s, int steps)
{
    size_t all = 0;
    Snapshot expected = run_flow(&STAGE, s, small_block, steps);
    for (int part = 1; part <= STAGE.cycle + 2; part++) {
        Snapshot r = run_in_parts(s, steps, part);
        const size_t count = different_bits(&r, &expected);
        if (count > 0)
            printf("%s %dx%d: %zu populations differ after %d steps if they are made %d at a time\n",
                   s->flow->name, s->width, s->height, count, steps, part);
        all += count;
        destroy_snapshot(&r);
    }
    destroy_snapshot(&expected);
    return all;
}

TEST(single_steps_give_the_same_bits)
{
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        EXPECT(bits_apart_in_parts(&s, 61) == 0);
        destroy_scenario(&s);
    }
    for (int height = 1; height <= 31; height += 6) {
        Scenario s = create_maze(47, height, 3);
        EXPECT(bits_apart_in_parts(&s, 23) == 0);
        destroy_scenario(&s);
    }
}

TEST(no_steps_change_nothing)
{
    Scenario s = create_maze(23, 9, 3);
    Snapshot r = create_snapshot(&s), expected = run_flow(&STAGE, &s, small_block, 7);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    advance_simulation(solver, 0);
    advance_simulation(solver, 7);
    advance_simulation(solver, 0);
    read_snapshot(&r, solver);
    EXPECT(different_bits(&r, &expected) == 0);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

#endif
