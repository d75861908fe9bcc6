#include "speed.h"

#include "allocate.h"
#include "clock.h"
#include "fail.h"
#include "validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double total_updates = 8589934592.0; // 2^33: 128 steps at 8192 x 8192
static const double most_steps = 1e9;

int choose_steps(double cells, double seconds_per_step, const Effort *effort)
{
    double steps = total_updates / cells;
    steps = fmax(steps, effort->shortest / seconds_per_step);
    steps = fmin(steps, effort->longest / seconds_per_step);
    return 2 * (int)ceil(0.5 * fmin(fmax(steps, 2.0), most_steps));
}

static double time_steps(const Stage *stage, Solver *solver, int steps)
{
    const double start = now();
    stage->advance(solver, steps);
    return now() - start;
}

/** Advances by ever more steps until that takes long enough; returns the seconds that one step takes. */
static double warm_up(const Stage *stage, Solver *solver, double enough)
{
    for (int steps = 2;; steps *= 2) {
        const double seconds = time_steps(stage, solver, steps);
        if (seconds >= enough || steps > most_steps / 2)
            return seconds / steps;
    }
}

/** Ends the program if the populations make no sense. */
static void check_sanity(const Stage *stage, const Scenario *s, const float *f)
{
    if (!is_sane(s, f))
        fail(EXIT_CHECK, "%s diverged on %s at %d x %d: its speed means nothing", stage->name, s->flow->name,
             s->width, s->height);
}

Measurement measure(const Stage *stage, const Scenario *s, Block block, const Effort *effort, float *f)
{
    Measurement result;
    double *samples = allocate((size_t)effort->repeats * sizeof *samples);
    double start = now();
    Solver *solver = stage->create(s, block);
    result.setup = now() - start;

    const double pace = warm_up(stage, solver, effort->shortest);
    result.steps = choose_steps((double)cell_count(s), pace, effort);
    for (int n = 0; n < effort->repeats; n++)
        samples[n] = mlups((double)cell_count(s), result.steps, time_steps(stage, solver, result.steps));
    result.mlups = statistics(samples, effort->repeats);

    memset(f, 0xff, 9 * cell_count(s) * sizeof *f); // NaN; and the pages are there before the clock starts
    start = now();
    stage->read(solver, f);
    result.read_back = now() - start;
    check_sanity(stage, s, f);
    stage->destroy(solver);
    free(samples);
    return result;
}

Phases measure_phases(const Stage *stage, const Scenario *s, Block block, const Effort *effort, float *f)
{
    double *even = allocate(2 * (size_t)effort->repeats * sizeof *even), *odd = even + effort->repeats;
    Solver *solver = stage->create(s, block);
    const double pace = warm_up(stage, solver, effort->shortest);
    const Phases counted = {.pairs = choose_steps((double)cell_count(s), pace, effort) / 2};
    for (int n = 0; n < effort->repeats; n++) {
        for (int pair = 0; pair < counted.pairs; pair++) {
            even[n] += time_steps(stage, solver, 1) / counted.pairs;
            odd[n] += time_steps(stage, solver, 1) / counted.pairs;
        }
    }
    const Phases result = {counted.pairs, statistics(even, effort->repeats),
                           statistics(odd, effort->repeats)};
    stage->read(solver, f);
    check_sanity(stage, s, f);
    stage->destroy(solver);
    free(even);
    return result;
}

Comparison compare(const Stage *stage, double mlups, double copy, double before, double first)
{
    const double bandwidth = stage->bytes_per_update * mlups / 1e3;
    return (Comparison){bandwidth, bandwidth / copy, mlups / before, mlups / first};
}
