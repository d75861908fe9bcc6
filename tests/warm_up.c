/**
 * @file warm_up.c
 * Timing against a clock that only a stage moves, and that is therefore exact.
 */
#include "fake.h"
#include "host/clock.h"
#include "lattice/d2q9.h"
#include "speed/speed.h"

#include "check.h"

#include <stdlib.h>

enum { COLD_STEPS = 8 };

static double seconds, first_step;

/** Takes the place of the clock in the library. */
double now(void)
{
    return seconds;
}

struct Solver {
    size_t cells;
    long steps;
};

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)type, (void)block;
    seconds += 100.0;
    Solver *solver = calloc(1, sizeof *solver);
    solver->cells = cell_count(scenario);
    return solver;
}

/** A second a step, and a tenth once it is warm; and what the first step takes beside. */
static void advance(Solver *solver, int steps)
{
    seconds += solver->steps == 0 ? first_step : 0.0;
    for (int n = 0; n < steps; n++, solver->steps++)
        seconds += solver->steps < COLD_STEPS ? 1.0 : 0.1;
}

static void read(const Solver *solver, Cells cells, Real *f)
{
    (void)solver;
    seconds += 1000.0;
    memset(f, 0, DIRECTIONS * cells.count * sizeof *f);
}

static void destroy(Solver *solver)
{
    free(solver);
}

static const Stage stage = {
    .name = "cold",
    .summary = "a start that takes time",
    .lattice = &d2q9,
    .bytes_per_update = 80.0,
    .bytes_per_cell = 37.0,
    .epsilon = 1e-7,
    .rounding = TO_NEAREST,
    .cycle = 2,
    .magic_tau = BGK_MAGIC_TAU,
    .create = create,
    .write = write_nothing,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};

TEST(the_warm_up_is_no_repeat)
{
    const Effort effort = {.repeats = 3, .shortest = 3.5, .longest = 8.0};
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 10, .height = 20});
    const Measurement m = measure(&stage, &s, (Block){1, 1}, &effort);
    const double warm = 200.0 / 0.1 / 1e6; // MLUPS
    EXPECT(m.steps == 8);                  // the warm-up ends cold
    EXPECT_NEAR(m.mlups.min, warm, 1e-9);
    EXPECT_NEAR(m.mlups.mean, warm, 1e-9);
    EXPECT_NEAR(m.mlups.max, warm, 1e-9);
    EXPECT_NEAR(m.setup, 100.0, 1e-9);
    EXPECT_NEAR(m.look, 1000.0, 1e-9);
    destroy_scenario(&s);
}

TEST(what_happens_once_is_no_measure)
{
    const Effort effort = {.repeats = 3, .shortest = 3.5, .longest = 8.0};
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 10, .height = 20});
    first_step = 50.0;
    const Measurement m = measure(&stage, &s, (Block){1, 1}, &effort);
    first_step = 0.0;
    EXPECT(m.steps == 8);
    destroy_scenario(&s);
}
