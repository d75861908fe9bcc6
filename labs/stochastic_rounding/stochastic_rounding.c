// Prints the record of what stochastic rounding brings and what it costs, beside 32 bits and 16 bits to
// nearest: steady channels, cavities, vortices that decay, and a cylinder in a channel.
#include "host/allocate.h"
#include "result/shedding.h"
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "studies/accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEAN = 2000, CHECKS = 10, INTERVAL = 1000, HIGHEST = 130, SAMPLE = 10, SAMPLES = 4000 };

/** A flow on its way in a stage. */
typedef struct {
    const Stage *stage;
    Simulation *solver;
    Snapshot result;
} Run;

static Run begin(const Stage *stage, const Scenario *s)
{
    return (Run){stage, begin_simulation(stage, s, (Block){4, 4}), create_snapshot(s)};
}

static void go(Run *run, int steps)
{
    advance_simulation(run->solver, steps);
    read_snapshot(&run->result, run->solver);
}

static void end(Run *run)
{
    end_simulation(run->solver);
    destroy_snapshot(&run->result);
}

/** The columns that all rows have. */
static void print_start(const char *name, const Stage *stage, const Scenario *s, long steps)
{
    printf("%s,%s,%d,%d,%g,%ld,", name, stage->name, s->width, s->height, s->tau, steps);
}

/** Largest relative change of the velocity in INTERVAL steps, of CHECKS in a row. */
static double largest_change(Run *run)
{
    const size_t bytes = cell_count(run->result.scenario) * sizeof(Moments);
    Moments *previous = allocate(bytes);
    double largest = 0.0;
    for (int n = 0; n < CHECKS; n++) {
        memcpy(previous, run->result.moments, bytes);
        go(run, INTERVAL);
        const double change = relative_change(&run->result, previous);
        if (!(change <= largest)) // also where it is NaN
            largest = change;
    }
    free(previous);
    return largest;
}

/* ---- Steady flows ---- */

/** A channel over many steps. */
typedef struct {
    double profile[HIGHEST]; /**< mean velocity of each row */
    double error;            /**< of the profile, relative L2 */
    double noise;            /**< rms of the velocity in one cell around its mean, over the flow's speed */
} Mean;

/** Relative L2 error of a profile of the steady channel. */
static double profile_error(const double *profile, const Scenario *s)
{
    double error = 0.0, norm = 0.0;
    for (int y = 1; y < s->height - 1; y++) {
        const double exact = exact_at(s, 0.0, (Position){0, y, 0}).ux;
        error += pow(profile[y] - exact, 2.0);
        norm += exact * exact;
    }
    return sqrt(error / norm);
}

/** Goes MEAN steps on and sums them up. */
static Mean mean_of_channel(Run *run)
{
    const Scenario *s = run->result.scenario;
    const double start = moments_at(&run->result, 0, s->height / 2).ux;
    double sum = 0.0, squares = 0.0;
    Mean mean = {{0.0}, 0.0, 0.0};
    for (int n = 0; n < MEAN; n++) {
        go(run, 1);
        for (int y = 0; y < s->height; y++)
            for (int x = 0; x < s->width; x++)
                mean.profile[y] += moments_at(&run->result, x, y).ux / s->width / MEAN;
        const double moved = moments_at(&run->result, 0, s->height / 2).ux - start;
        sum += moved / MEAN;
        squares += moved * moved / MEAN;
    }
    mean.error = profile_error(mean.profile, s);
    mean.noise = sqrt(squares - sum * sum) / s->u;
    return mean;
}

/** One instant of a channel that has settled, and the steps after it. */
static void print_channel(const Stage *stage, int width, int height)
{
    const Parameters parameters = {.width = width, .height = height, .tau = 0.9330127, .u = 0.05};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Run run = begin(stage, &s);
    go(&run, (int)s.flow->duration(&s));
    print_start("poiseuille", stage, &s, run.result.step);
    printf("%.2e,", exact_error(&run.result));
    const Mean mean = mean_of_channel(&run);
    printf("%.2e,,%.2e,%.2e,,,\n", mean.error, mean.noise, largest_change(&run));
    fflush(stdout);
    end(&run);
    destroy_scenario(&s);
}

/** How still a cavity gets. */
static void print_cavity(const Stage *stage, double re, double u)
{
    const Parameters parameters = {.width = 34, .height = 34, .re = re, .u = u};
    Scenario s = create_scenario(find_flow("cavity"), parameters);
    Run run = begin(stage, &s);
    go(&run, (int)s.flow->duration(&s));
    print_start("cavity", stage, &s, run.result.step);
    printf(",,,,%.2e,,,\n", largest_change(&run));
    fflush(stdout);
    end(&run);
    destroy_scenario(&s);
}

/* ---- Flows that change ---- */

/** Vortices until 1/e of their speed is left. */
static void print_vortices(const Stage *stage, int size)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = size, .height = size});
    Run run = begin(stage, &s);
    go(&run, (int)s.flow->duration(&s));
    print_start("taylor_green", stage, &s, run.result.step);
    printf("%.2e,,%.4f,,,,,\n", exact_error(&run.result), exact_share(&run.result));
    fflush(stdout);
    end(&run);
    destroy_scenario(&s);
}

/** Case 2D-1 or 2D-2 of Schaefer & Turek 1996, ten cells a diameter. */
static void print_cylinder(const char *name, const Stage *stage, double re)
{
    static Force sample[SAMPLES];
    Scenario s = create_scenario(find_flow("channel_cylinder"),
                                 (Parameters){.width = 222, .height = 43, .re = re, .u = 0.05});
    Run run = begin(stage, &s);
    LinkList links = find_links(&s);
    const int samples = (int)s.flow->duration(&s) / SAMPLE;
    for (int n = 0; n < samples; n++) {
        go(&run, SAMPLE);
        sample[n] = force_on_bodies(&run.result, &links);
    }
    const Shedding shedding = sum_up(sample, samples);
    print_start(name, stage, &s, run.result.step);
    printf(",,,,,%.4f,%.4f,", shedding.drag.mean, shedding.drag.max - shedding.drag.min);
    printf(shedding.periods > 0 ? "%.2f\n" : "\n", shedding.period);
    fflush(stdout);
    destroy_links(&links);
    end(&run);
    destroy_scenario(&s);
}

/** A stage in all of them. To nearest all columns of a channel are rounded alike, however many there are. */
static void print_stage(const Stage *stage)
{
    for (int height = 18; height <= HIGHEST; height = 2 * height - 2)
        print_channel(stage, 4, height);
    if (stage->rounding == STOCHASTIC) {
        print_channel(stage, 16, 66);
        for (int height = 18; height <= HIGHEST; height = 2 * height - 2)
            print_channel(stage, 64, height);
    }
    print_cavity(stage, 100.0, 0.05);
    print_cavity(stage, 400.0, 0.1);
    for (int size = 64; size <= 256; size *= 2)
        print_vortices(stage, size);
    print_cylinder("2D-1", stage, 20.0);
    print_cylinder("2D-2", stage, 100.0);
}

int main(void)
{
    printf(
        "# build/stochastic_rounding, CPU backend\n"
        "# poiseuille: u 0.05, from rest, twelve times the time in which the slowest deviation falls to\n"
        "# 1/e; cavity: Re 100, u 0.05, and Re 400, u 0.1; taylor_green: until 1/e is left; 2D-1, 2D-2:\n"
        "# of Schaefer & Turek 1996, 10 cells a diameter, u 0.05\n"
        "# error: relative L2 of the velocity at that step; mean_error: of the profile of the mean over\n"
        "# the 2000 steps after it; share: how much of the solution is in the velocity\n"
        "# noise: rms of the velocity along the channel in one cell half way up in these 2000 steps,\n"
        "# around its mean, over u; change: largest relative change of the velocity in 1000 steps, of ten\n"
        "# drag: mean over the second half of the run, or over whole periods in it; drag_swing: largest\n"
        "# minus smallest there; period: of the lift, in steps\n"
        "flow,stage,width,height,tau,steps,error,mean_error,share,noise,change,drag,drag_swing,period\n");
    print_stage(parse_stage("03_aa"));
    print_stage(parse_stage("04_aa_fp16s"));
    print_stage(parse_stage("07_stochastic"));
    return 0;
}
