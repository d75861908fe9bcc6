#include "speed/speed.h"

#include "host/allocate.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "simulation/simulation.h"
#include "speed/power_on_ranks.h"

#include <math.h>
#include <stdlib.h>

static const double total_updates = 8589934592.0; // 2^33: 128 steps at 8192 x 8192
static const double most_steps = 1e9;

double mlups(double cells, double steps, double seconds)
{
    return seconds > 0.0 ? cells * steps / seconds / 1e6 : 0.0;
}

Statistics statistics(const double *samples, int count)
{
    Statistics s = {0.0, samples[0], samples[0], NAN};
    for (int n = 0; n < count; n++) {
        s.mean += samples[n] / count;
        s.min = fmin(s.min, samples[n]);
        s.max = fmax(s.max, samples[n]);
    }
    double squares = 0.0;
    for (int n = 0; n < count; n++)
        squares += (samples[n] - s.mean) * (samples[n] - s.mean);
    if (count > 1)
        s.variation = sqrt(squares / (count - 1)) / s.mean;
    return s;
}

double shortest_repeat(double usual)
{
    const char *text = getenv("LBM_REPEAT_MS");
    if (!text)
        return usual;
    char *end;
    const long ms = strtol(text, &end, 10);
    if (end == text || *end != '\0' || ms < 1 || ms > 1000)
        fail(EXIT_USAGE, "LBM_REPEAT_MS is \"%s\"; it takes an integer from 1 to 1000", text);
    return 1e-3 * (double)ms;
}

int choose_steps(double cells, double seconds_per_step, int cycle, const Effort *effort)
{
    double steps = total_updates / cells;
    steps = fmax(steps, effort->shortest / seconds_per_step);
    steps = fmin(steps, effort->longest / seconds_per_step);
    return cycle * (int)ceil(fmin(fmax(steps, 1.0), most_steps) / cycle);
}

static double time_steps(Simulation *simulation, int steps)
{
    const double start = now();
    advance_simulation(simulation, steps);
    wait_for_simulation(simulation);
    return now() - start;
}

/** Advances by ever more cycles until that takes long enough; returns the seconds that one step takes. The
 * first cycle does not count, since some things happen only once, as when ranks first connect. */
static double warm_up(const Stage *stage, Simulation *simulation, double enough)
{
    advance_simulation(simulation, stage->cycle);
    for (int steps = stage->cycle;; steps *= 2) {
        const double seconds = time_steps(simulation, steps);
        if (seconds >= enough || steps > most_steps / 2)
            return seconds / steps;
    }
}

/** Ends the program if a simulation has diverged. Returns the seconds that the look took. */
static double look_sane(const Stage *stage, const Scenario *s, const Simulation *sim)
{
    const double start = now();
    const int sane = look_at(sim).insane == 0.0;
    const double seconds = now() - start;
    char size[SIZE_TEXT];
    if (!sane)
        fail(EXIT_CHECK, "%s diverged on %s at %s: its speed means nothing", stage->name, s->flow->name,
             describe_size(s, size));
    return seconds;
}

Measurement measure(const Stage *stage, const Scenario *s, Block block, const Effort *effort)
{
    Measurement result;
    double *samples = allocate((size_t)effort->repeats * sizeof *samples);
    const double start = now();
    Simulation *simulation = begin_simulation(stage, s, block);
    result.setup = now() - start;

    const double pace = warm_up(stage, simulation, effort->shortest), cells = (double)cell_count(s);
    result.steps = choose_steps(cells, pace, stage->cycle, effort);
    result.update = 0.0;
    if (effort->all_ranks)
        begin_sampling_on_ranks();
    else
        begin_sampling(effort->sensor);
    for (int n = 0; n < effort->repeats && !stop_code(); n++) {
        const double seconds = time_steps(simulation, result.steps);
        samples[n] = mlups(cells, result.steps, seconds);
        result.update += seconds / (cells * result.steps * effort->repeats);
    }
    result.power = effort->all_ranks ? end_sampling_on_ranks() : end_sampling();
    result.mlups = statistics(samples, effort->repeats);
    result.look = look_sane(stage, s, simulation);
    end_simulation(simulation);
    free(samples);
    return result;
}

int measure_phases(const Stage *stage, const Scenario *s, Block block, const Effort *effort, Statistics *step)
{
    double *seconds = allocate((size_t)stage->cycle * effort->repeats * sizeof *seconds);
    Simulation *simulation = begin_simulation(stage, s, block);
    const double pace = warm_up(stage, simulation, effort->shortest);
    const int cycles = choose_steps((double)cell_count(s), pace, stage->cycle, effort) / stage->cycle;
    for (int repeat = 0; repeat < effort->repeats && !stop_code(); repeat++)
        for (int cycle = 0; cycle < cycles; cycle++)
            for (int n = 0; n < stage->cycle; n++)
                seconds[n * effort->repeats + repeat] += time_steps(simulation, 1) / cycles;
    for (int n = 0; n < stage->cycle; n++)
        step[n] = statistics(seconds + n * effort->repeats, effort->repeats);
    look_sane(stage, s, simulation);
    end_simulation(simulation);
    free(seconds);
    return cycles;
}

Comparison compare(const Stage *stage, double mlups, double copy, double before, double first)
{
    const double bandwidth = stage->bytes_per_update * mlups / 1e3;
    return (Comparison){bandwidth, bandwidth / copy, mlups / before, mlups / first};
}
