// The same sources with double for Real: a solver as plain as it can be, and what double makes better.
#include "fake.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "simulation/simulation.h"
#include "stage/unsupported.h"
#include "studies/accuracy.h"
#include "studies/solve.h"

#include "check.h"
#include "refused.h"

#include <float.h>
#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    Real *f, *next;
};

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)type, (void)block;
    const size_t bytes = population_count(scenario) * sizeof(Real);
    Solver *solver = allocate(sizeof *solver);
    *solver = (Solver){scenario, allocate(bytes), allocate(bytes)};
    initial_populations(scenario, solver->f);
    return solver;
}

static void step(const Scenario *s, const Real *from, Real *to)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const size_t cell = (size_t)y * s->width + x;
            Real f[DIRECTIONS];
            memcpy(f, from + DIRECTIONS * cell, sizeof f);
            collide(f, s->type[cell], y, &s->physics);
            for (int i = 0; i < DIRECTIONS && !is_wall(s->type[cell]); i++) {
                const Destination destination = boundary(&s->physics, s->type, x, y, i);
                to[DIRECTIONS * destination.cell + destination.direction] = f[i] + destination.gain;
            }
        }
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        step(solver->scenario, solver->f, solver->next);
        Real *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

static void copy_back(const Solver *solver, Real *f)
{
    memcpy(f, solver->f, population_count(solver->scenario) * sizeof *f);
}

static void copy_some(const Solver *solver, Cells cells, Real *f)
{
    read_some(copy_back, solver, solver->scenario, cells, f);
}

static void destroy(Solver *solver)
{
    free(solver->f);
    free(solver->next);
    free(solver);
}

static const Stage plain = {
    .name = "plain",
    .summary = "nothing",
    .lattice = &d2q9,
    .bytes_per_update = 145.0,
    .bytes_per_cell = 145.0,
    .epsilon = 1.0 / ((long)1 << 53),
    .rounding = TO_NEAREST,
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .create = create,
    .write = write_nothing,
    .advance = advance,
    .read = copy_some,
    .destroy = destroy,
};

TEST(weights_have_all_their_digits)
{
    Real total = 0.0;
    for (int i = 0; i < DIRECTIONS; i++)
        total += weight(i);
    EXPECT(sizeof(Real) == sizeof(double));
    EXPECT_NEAR(total, 1.0, 1e-15);
    EXPECT_NEAR(9.0 * weight(1), 1.0, 1e-15);
    EXPECT_NEAR(weight_over_cs2(1), 3.0 * weight(1), 1e-16);
    EXPECT_NEAR(weight_over_cs2(5), 3.0 * weight(5), 1e-16);
}

/** Whether ten steps leave a flow finite. */
static int stays_sane(const char *flow, double tau, double u)
{
    Scenario s =
        create_scenario(find_flow(flow), (Parameters){.width = 20, .height = 20, .tau = tau, .u = u});
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&plain, &s, (Block){1, 1});
    advance_simulation(solver, 10);
    read_snapshot(&r, solver);
    const int sane = is_sane(&r);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return sane;
}

static void too_slow(void)
{
    resolve_scenario(find_flow("cavity"), (Parameters){.tau = 0.8, .u = 0.99 * sqrt(DBL_MIN)});
}

static void too_viscous(void)
{
    resolve_scenario(find_flow("cavity"), (Parameters){.tau = 1.001 / DBL_EPSILON});
}

static void not_viscous(void)
{
    resolve_scenario(find_flow("cavity"), (Parameters){.tau = 0.5});
}

TEST(doubles_have_ranges_of_their_own)
{
    for (int n = 0; n < flow_count; n++) {
        if (!takes_flow(&plain, &flows[n]))
            continue;
        EXPECT(stays_sane(flows[n].name, 0.5 + 0.5 * DBL_EPSILON, 0.05));
        EXPECT(stays_sane(flows[n].name, 1.0 / DBL_EPSILON, 0.05));
        EXPECT(stays_sane(flows[n].name, 0.8, sqrt(DBL_MIN)));
    }
    EXPECT(refuses(too_slow, "from 1.49166814624e-154 to") && refuses(too_viscous, "to 4.50359963e+15"));
    EXPECT(refuses(not_viscous, "from 1.11022302e-16 to"));
}

/** In float what is left at the wall's exact tau is rounding, 1e-5 and more. */
TEST(a_channel_is_exact_to_the_digits_of_double)
{
    const Parameters parameters = {.width = 2, .height = 10, .tau = 0.5 + 0.25 * sqrt(3.0)};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&plain, &s, (Block){1, 1});
    advance_simulation(solver, 3000);
    read_snapshot(&r, solver);
    EXPECT_NEAR(exact_error(&r), 0.0, 1e-11);
    EXPECT_NEAR(total_mass(&r), 16.0, 1e-11);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** What the tests of the stages and `validate` know of their method: half of the last digit is left to the
 * regularized collision and to other numbers of steps. */
TEST(slow_what_discretization_leaves_of_the_viscosity)
{
    static const struct {
        int size, steps;
        double error;
    } cases[] = {
        {128, 500, -2.63e-4},
        {256, 300, -1.90e-4}
    };
    for (int n = 0; n < 2; n++) {
        const int size = cases[n].size;
        Scenario s = create_scenario(find_flow("taylor_green"),
                                     (Parameters){.width = size, .height = size, .tau = 0.51, .u = 0.02});
        EXPECT_NEAR(viscosity_error(&plain, &s, (Block){1, 1}, 200, cases[n].steps), cases[n].error, 1e-6);
        destroy_scenario(&s);
    }
}
