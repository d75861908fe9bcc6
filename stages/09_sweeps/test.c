#include "hard_grids.h"
#include "regularized.h"
#include "run_flow.h"
#include "validate_rows.h"

#include "check.h"

/** The largest difference of a population from those of the same collision on populations, over all that a
 * flow reads back after so many steps. */
static double apart(const Scenario *s, int steps)
{
    Result r = run_flow(&STAGE, s, small_block, steps),
           expected = run_flow(&cured_form, s, small_block, steps);
    double largest = 0.0;
    for (size_t n = 0; n < DIRECTIONS * cell_count(s) && !isnan(largest); n++) {
        const double difference = fabs((double)r.f[n] - expected.f[n]);
        largest = isnan(difference) ? NAN : fmax(largest, difference);
    }
    if (!(largest <= 5e-7))
        printf("%s %dx%d: populations are up to %g apart after %d steps\n", s->flow->name, s->width,
               s->height, largest, steps);
    destroy_result(&r);
    destroy_result(&expected);
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
        Scenario s = create_scenario(&flows[n / 3],
                                     (Parameters){.width = 37, .height = 53, .tau = taus[n % 3], .u = 0.05});
        for (int steps = 0; steps <= 3; steps++)
            EXPECT(apart(&s, steps) <= 5e-7);
        for (int steps = LONG; steps < LONG + STAGE.cycle; steps++)
            EXPECT(apart(&s, steps) <= 5e-7);
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

// Around one strip and two, of 16 lanes and of 32: with two columns a lane, five of them lost at each side.
static const int widths[] = {1, 2, 3, 4, 5, 9, 10, 11, 21, 22, 23, 43, 44, 45, 53, 54, 55, 107, 108, 109};
enum { WIDTHS = sizeof widths / sizeof *widths };

TEST(any_width_and_few_rows)
{
    for (int n = 0; n < WIDTHS; n++)
        for (int height = 1; height <= 12; height += height < 6 ? 1 : 5) {
            Scenario s = create_maze(widths[n], height, 3);
            for (int steps = 0; steps <= 2 * STAGE.cycle; steps++)
                EXPECT(apart(&s, steps) <= 5e-7);
            destroy_scenario(&s);
        }
}

TEST(one_cell_that_is_no_fluid_in_any_column)
{
    const Cell types[] = {WALL, MOVING_WALL, BODY, OPEN, INFLOW, OUTFLOW};
    for (int n = 0; n < 60 * 6; n++) {
        Scenario s = create_maze(60, 17, 0);
        for (size_t cell = 0; cell < cell_count(&s); cell++)
            s.type[cell] = FLUID;
        s.type[8 * 60 + n / 6] = types[n % 6];
        EXPECT(apart(&s, 2 * STAGE.cycle + 1) <= 5e-7);
        destroy_scenario(&s);
    }
}

/** Advances a solver by so many steps each time until it is `steps` further. */
static Result run_in_parts(const Scenario *s, int steps, int part)
{
    Result r = create_result(s);
    Solver *solver = STAGE.create(s, small_block);
    for (int n = 0; n < steps; n += part) {
        const int made = steps - n < part ? steps - n : part;
        STAGE.advance(solver, made);
        read_result(&r, &STAGE, solver, n + made);
    }
    STAGE.destroy(solver);
    return r;
}

/** Number of populations whose bits depend on how many steps `advance` was asked for at a time. */
static size_t bits_apart_in_parts(const Scenario *s, int steps)
{
    size_t all = 0;
    Result expected = run_flow(&STAGE, s, small_block, steps);
    for (int part = 1; part <= STAGE.cycle + 2; part++) {
        Result r = run_in_parts(s, steps, part);
        const size_t count = different_bits(&r, &expected);
        if (count > 0)
            printf("%s %dx%d: %zu populations differ after %d steps if they are made %d at a time\n",
                   s->flow->name, s->width, s->height, count, steps, part);
        all += count;
        destroy_result(&r);
    }
    destroy_result(&expected);
    return all;
}

TEST(single_steps_give_the_same_bits)
{
    for (int k = 0; k < flow_count; k++) {
        Scenario s = create_scenario(&flows[k], (Parameters){.width = 37, .height = 53, .tau = 0.6});
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
    Result r = create_result(&s), expected = run_flow(&STAGE, &s, small_block, 7);
    Solver *solver = STAGE.create(&s, small_block);
    STAGE.advance(solver, 0);
    STAGE.advance(solver, 7);
    STAGE.advance(solver, 0);
    read_result(&r, &STAGE, solver, 7);
    EXPECT(different_bits(&r, &expected) == 0);
    STAGE.destroy(solver);
    destroy_result(&r);
    destroy_result(&expected);
    destroy_scenario(&s);
}

/** What a steady channel is faster by than the parabola, at the least and the most, over its peak speed. */
static void find_slip(double tau, int height, double *least, double *most)
{
    const Parameters parameters = {.width = 1, .height = height, .tau = tau, .u = 0.01};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Result r = run_flow(&STAGE, &s, small_block, (int)(2.0 * s.flow->duration(&s)));
    *least = HUGE_VAL;
    *most = -HUGE_VAL;
    for (int y = 1; y < height - 1; y++) {
        const double slip = (moments_at(&r, 0, y).ux - s.flow->exact(&s, 0.0, 0, y).ux) / s.u;
        *least = isnan(slip) ? NAN : fmin(*least, slip);
        *most = isnan(slip) ? NAN : fmax(*most, slip);
    }
    destroy_result(&r);
    destroy_scenario(&s);
}

/** Rounding to nearest may take a constant part of the momentum in every step, as in `validate`: cells along
 * the channel are equal, and all round in the same direction. */
TEST(walls_slip_as_theory_says)
{
    const double taus[] = {0.6, 0.8, 0.875, BGK_MAGIC_TAU, 1.2, 2.0};
    const int lengths[] = {4, 8, 16};
    for (int n = 0; n < 6 * 3; n++) {
        const double tau = taus[n % 6];
        const int length = lengths[n / 6];
        double least, most;
        find_slip(tau, length + 2, &least, &most);
        const double expected = 8.0 * (tau - 0.875) / (3.0 * length * length);
        const double steps = 3.0 * length * length / (tau - 0.5); // in which the channel forgets, times 8
        const double bound = 2e-4 * fabs(expected) + 3e-5 + 1.5 / 8.0 * STAGE.epsilon * steps;
        EXPECT_NEAR(least, expected, bound);
        EXPECT_NEAR(most, expected, bound);
    }
}

TEST(validate_knows_where_its_walls_are_exact)
{
    Stage wrong = STAGE;
    wrong.magic_tau = BGK_MAGIC_TAU;
    EXPECT(count_rows(&STAGE, CHANNEL, "parabola", " ok") == 1);
    EXPECT(count_rows(&wrong, CHANNEL, "parabola", " FAIL") == 1);
}

TEST(mass_stays)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 34, .height = 34, .re = 100.0});
    Result r = run_flow(&STAGE, &s, small_block, 5000);
    EXPECT_NEAR(total_mass(&r) / (32.0 * 32.0), 1.0, 1e-7);
    destroy_result(&r);
    destroy_scenario(&s);
}

/** Whether a form of the collision stands a cavity at Re 1000 for so many steps. */
static int stands(const Stage *form, int size, int steps)
{
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = size, .height = size, .re = 1000.0});
    Result r = run_flow(form, &s, small_block, steps);
    int still = is_sane(&r);
    for (int x = size / 4; x < 3 * size / 4 && still; x++) // no checkerboard below the lid
        still = fabs(moments_at(&r, x - 1, size - 2).ux - 2.0 * moments_at(&r, x, size - 2).ux +
                     moments_at(&r, x + 1, size - 2).ux) <= 0.01 * s.u;
    destroy_result(&r);
    destroy_scenario(&s);
    return still;
}

TEST(the_lid_at_re_1000_needs_the_trace_relaxed_fully)
{
#ifdef __SANITIZE_ADDRESS__
    SKIP("numbers alone: shorter cases run the same code under the sanitizers");
#endif
    EXPECT(stands(&STAGE, 34, 3000) && !stands(&plain_form, 34, 3000));
    EXPECT(stands(&STAGE, 66, 3000) && !stands(&plain_form, 66, 3000));
}

TEST(slow_the_larger_lid_at_re_1000_needs_it_too)
{
    EXPECT(stands(&STAGE, 130, 10000) && !stands(&plain_form, 130, 10000));
}

TEST(the_facts_hold)
{
    EXPECT(STAGE.bytes_per_update == 2.0 * 6.0 * 4.0 / 5.0);
    EXPECT(STAGE.bytes_per_cell == 2.0 * 6.0 * 4.0 + 4.0);
    EXPECT(STAGE.rounding == TO_NEAREST && STAGE.cycle == 5 && STAGE.magic_tau == 7.0 / 8.0);
}
