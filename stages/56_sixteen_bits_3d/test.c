#define MOST_ROUNDING 4e-4
#include "march_in_space.h"

TEST(the_facts_hold)
{
    EXPECT(STAGE.lattice == &d3q19);
    EXPECT(STAGE.bytes_per_update == 2.0 * 9.0 * 2.0 / 3.0);
    EXPECT(STAGE.bytes_per_cell == 2.0 * 9.0 * 2.0 + 1.0);
    EXPECT(STAGE.rounding == STOCHASTIC && STAGE.cycle == 3 && STAGE.magic_tau == 7.0 / 8.0);
}

enum { SIDE = 16, CELLS = SIDE * SIDE * SIDE, SWEEPS = 200 };
static const double unit = 0x1p-18; // of momentum, at a speed of 0.05

/** The momentum along an axis that each cell of a stream has after so many sweeps, in units and less that of the
 * start, half a unit from what 16 bits can hold; [CELLS], which the caller frees. */
static double *noise_along(int axis, const Snapshot *r, double start)
{
    double *noise = (double *)allocate(CELLS * sizeof *noise);
    for (int n = 0; n < CELLS; n++) {
        const float *f = r->f + (size_t)19 * n;
        noise[n] = ((axis == 0 ? momentum_x(f) : axis == 1 ? momentum_y(f) : momentum_z(f)) - start) / unit;
    }
    return noise;
}

/** Mean of the products of two lists. */
static double mean_product(const double *a, const double *b)
{
    double sum = 0.0;
    for (int n = 0; n < CELLS; n++)
        sum += a[n] * b[n];
    return sum / CELLS;
}

/** If cells or moments shared their random numbers, all cells would gain or lose together, or along all axes alike; if
 * sweeps did, the noise would come to rest. */
TEST(noise_is_random_in_cells_moments_and_sweeps)
{
    Scenario s = create_scenario(find_flow("abc"), (Parameters){.width = SIDE, .u = 0.05});
    Real *f = (Real *)allocate(population_count(&s) * sizeof *f);
    const double start = 2000.5 * unit;
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        s.flow->lattice->equilibrium(f + 19 * cell, (Moments){0.0f, (Real)start, (Real)start, (Real)start});
    s.start = (Start){.f = f};
    Snapshot r = run_flow(&STAGE, &s, small_block, 3 * SWEEPS + 1),
             later = run_flow(&STAGE, &s, small_block, 3 * SWEEPS + 4);
    for (int axis = 0; axis < 3; axis++) {
        double *noise = noise_along(axis, &r, start), *next = noise_along((axis + 1) % 3, &r, start),
               *change = noise_along(axis, &later, start);
        const double square = mean_product(noise, noise), other = mean_product(noise, next);
        for (int n = 0; n < CELLS; n++)
            change[n] -= noise[n];
        const double changed = mean_product(change, change);
        printf("along %c: %.3f square units of noise, %.3f of change in a sweep, %.3f with the next axis\n",
               "xyz"[axis], square, changed, other);
        EXPECT(square > 0.04 && square < 0.1);
        EXPECT(fabs(other) < 0.02);
        EXPECT(changed > 0.04);
        free(noise);
        free(next);
        free(change);
    }
    destroy_snapshot(&r);
    destroy_snapshot(&later);
    destroy_scenario(&s);
    free(f);
}
