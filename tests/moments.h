/**
 * @file moments.h
 * Tests that stages 30 to 32 run, which keep moments; their test.c includes this file. On all kinds of grids these
 * stages give the numbers of the same collision on populations.
 */
#ifndef MOMENTS_TESTS_H
#define MOMENTS_TESTS_H

#include "hard_grids.h"
#include "regularized.h"
#include "run_flow.h"
#include "validate_rows.h"

#include "check.h"

/** The largest difference of a population from those of the same collision on populations, over all that a
 * flow reads back after so many steps. */
static double apart(const Scenario *s, int steps)
{
    Snapshot r = run_flow(&STAGE, s, small_block, steps),
             expected = run_flow(&cured_form, s, small_block, steps);
    double largest = 0.0;
    for (size_t n = 0; n < population_count(s) && !isnan(largest); n++) {
        const double difference = fabs((double)r.f[n] - expected.f[n]);
        largest = isnan(difference) ? NAN : fmax(largest, difference);
    }
    if (!(largest <= 5e-7))
        printf("%s %dx%d: populations are up to %g apart after %d steps\n", s->flow->name, s->width,
               s->height, largest, steps);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return largest;
}

#ifdef __SANITIZE_ADDRESS__
enum { LONG = 30 }; // a wrong address shows at once
#else
enum { LONG = 300 };
#endif

TEST(populations_would_give_the_same_numbers)
{
    const double taus[] = {0.6, 1.0, 1.7};
    for (int n = 0; n < flow_count * 3; n++) {
        if (!takes_flow(&STAGE, &flows[n / 3]))
            continue;
        Scenario s = create_scenario(&flows[n / 3],
                                     (Parameters){.width = 37, .height = 53, .tau = taus[n % 3], .u = 0.05});
        for (int steps = 0; steps <= 3; steps++)
            EXPECT(apart(&s, steps) <= 5e-7);
        EXPECT(apart(&s, LONG + n % STAGE.cycle) <= 5e-7);
        destroy_scenario(&s);
    }
}

TEST(the_numbers_are_the_same_on_small_grids)
{
    for (int n = 0; n < SMALL_GRIDS; n++) {
        if (!fits_small_grid(n))
            continue;
        Scenario s = create_small_grid(n);
        for (int steps = 0; steps <= 2 * STAGE.cycle + 1; steps++)
            EXPECT(apart(&s, steps) <= 5e-7);
        destroy_scenario(&s);
    }
}

TEST(the_numbers_are_the_same_in_a_maze)
{
    for (unsigned solid = 2; solid <= 14; solid += 6) {
        Scenario s = create_maze(40, 31, solid);
        for (int steps = 0; steps <= 3 * STAGE.cycle + 1; steps++)
            EXPECT(apart(&s, steps) <= 5e-7);
        destroy_scenario(&s);
    }
}

TEST(validate_knows_where_its_walls_are_exact)
{
    Stage wrong = STAGE;
    wrong.magic_tau = BGK_MAGIC_TAU;
    EXPECT(count_rows(&STAGE, CHANNEL, "parabola", " ok") == 1);
    EXPECT(count_rows(&wrong, CHANNEL, "parabola", " FAIL") == 1);
}

#endif
