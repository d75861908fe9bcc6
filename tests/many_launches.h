/**
 * @file many_launches.h
 * For the tests of stages 41 to 44, which make many steps in a launch and keep the grid on the chip meanwhile.
 */
#ifndef MANY_LAUNCHES_H
#define MANY_LAUNCHES_H

#include "run_flow.h"

/** The most steps of a launch that moves so many bytes for each cell. */
static inline int most_steps_of_a_launch(const Stage *stage, double bytes)
{
    return (int)lround(bytes / stage->bytes_per_update);
}

/** A channel that has two thirds of its speed after so many steps; the caller destroys it. */
static inline Scenario create_slow_channel(int steps)
{
    const double length = 2.0, nu = length * length / (10.0 * steps); // length^2 / (pi^2 nu) steps
    return create_scenario(find_flow("poiseuille"),
                           (Parameters){.width = 1, .height = 4, .tau = 0.5 + 3.0 * nu});
}

/**
 * Whether a stage makes the steps of a second launch: whether it is ten times nearer to the right flow than
 * that is to what it was one launch after the start. So slow a flow hardly changes from step to step, and
 * rounding takes it further off than others.
 */
static inline int launches_follow_each_other(const Stage *stage, double bytes)
{
    const int first = most_steps_of_a_launch(stage, bytes), all = first + first / 16 + 1;
    Scenario s = create_slow_channel(first);
    Snapshot r = run_flow(stage, &s, small_block, all), expected = run_flow(stages[0], &s, small_block, all),
             too_early = run_flow(stages[0], &s, small_block, first);
    const double lost = velocity_difference(&too_early, &expected);
    const int is = lost > 0.005 && velocity_difference(&r, &expected) < 0.1 * lost;
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_snapshot(&too_early);
    destroy_scenario(&s);
    return is;
}

#endif
