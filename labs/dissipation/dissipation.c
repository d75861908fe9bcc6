// build/dissipation STAGE SIDE RE SAMPLES [SPEED [FROM]]: how the vortices of the flow taylor_green_3d lose
// their energy. A line of text for each of SAMPLES equal intervals from t = FROM (0, unless given) to 10: the
// time, the mean kinetic energy, the rate at which it falls, and the rate that the enstrophy tells, 2 nu
// times it. Units are the largest speed at the start, 0.05 cells a step unless SPEED says otherwise, and the
// side over 2 pi.
#include "host/fail.h"
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "stage/unsupported.h"
#include "studies/vortices.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SAMPLES = 1000 };
static const double end = 10.0;

typedef struct {
    long step;
    double energy, dissipation; // over u^2, and u^3 / length; the second one of the enstrophy
} Sample;

/** The number that a text is; ends the program with one line if it is none, or none that is taken. */
static double number(const char *name, const char *text, double least, double most, int is_whole)
{
    char *rest;
    const double value = strtod(text, &rest);
    const int begins = isdigit((unsigned char)*text) || *text == '.'; // not with a blank or a sign
    if (!begins || rest == text || *rest || !(value >= least && value <= most) ||
        (is_whole && value != floor(value)))
        fail(EXIT_USAGE, "%s is \"%s\": it takes %s from %g to %g", name, text,
             is_whole ? "an integer" : "a number", least, most);
    return value;
}

static Sample take_sample(const Simulation *simulation, Snapshot *r)
{
    const Scenario *s = r->scenario;
    if (look_at(simulation).insane > 0.0)
        fail(EXIT_CHECK,
             "the flow diverged by step %ld, at tau %.6g: take more cells, or a smaller Reynolds number",
             current_step(simulation), s->tau);
    read_snapshot(r, simulation);
    const double square = s->u * s->u;
    return (Sample){r->step, kinetic_energy(r) / square,
                    2.0 * s->nu * enstrophy(r) * s->length / (square * s->u)};
}

/** Slope of the energies at a sample, of the polynomial through up to two samples before it and as many after
 * it; NaN at the ends. A time unit has `unit` steps. */
static double slope(const Sample *sample, int n, int count, double unit)
{
    const int after = count - 1 - n, side = n < after ? n : after, reach = side < 2 ? side : 2;
    const double t = (double)sample[n].step;
    double sum = reach ? 0.0 : NAN;
    for (int j = n - reach; j <= n + reach; j++) { // weights from the derivatives of Lagrange's polynomials
        const double difference = sample[j].energy - sample[n].energy;
        double weight = 1.0;
        for (int k = n - reach; k <= n + reach; k++) {
            if (k != j && j != n)
                weight *=
                    (k == n ? 1.0 : t - (double)sample[k].step) / (double)(sample[j].step - sample[k].step);
        }
        sum += weight * difference;
    }
    return sum * unit;
}

static void print_sample(const Sample *sample, int n, int count, double unit)
{
    const double rate = -slope(sample, n, count, unit);
    printf("%.4f,%.6g,", (double)sample[n].step / unit, sample[n].energy);
    if (!isnan(rate))
        printf("%.5g", rate);
    printf(",%.5g\n", sample[n].dissipation);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    static Sample sample[MOST_SAMPLES + 1];
    if (count < 5 || count > 7)
        fail(EXIT_USAGE, "usage: dissipation STAGE SIDE RE SAMPLES [SPEED [FROM]]");
    const Stage *stage = parse_stage(arguments[1]);
    const Flow *flow = find_flow("taylor_green_3d");
    check_lattice(stage, flow);
    const int side = (int)number("the side", arguments[2], 4.0, 1600.0, 1);
    const double re = number("the Reynolds number", arguments[3], 0.1, 1e5, 0);
    const int samples = (int)number("the number of samples", arguments[4], 2.0, MOST_SAMPLES, 1);
    const double u = count > 5 ? number("the speed", arguments[5], 0.001, 0.3, 0) : 0.05;
    const double from = count > 6 ? number("the first time", arguments[6], 0.0, 0.9 * end, 0) : 0.0;
    Scenario s =
        create_scenario(flow, (Parameters){.width = side, .height = side, .depth = side, .re = re, .u = u});
    const double unit = s.length / s.u; // steps
    if ((end - from) * unit < samples)
        fail(EXIT_USAGE, "%d samples are more than the %.0f steps from t = %g to %g", samples,
             (end - from) * unit, from, end);

    printf("# build/dissipation %s %d %g %d %g %g: tau %.6g, Mach %.3g, %.6g steps for a unit of time\n",
           stage->name, side, re, samples, u, from, s.tau, s.mach, unit);
    printf("t,energy,dissipation,dissipation_of_enstrophy\n");
    Snapshot r = create_fields(&s);
    Simulation *solver = begin_simulation(stage, &s, (Block){32, 8});
    for (int n = 0; n <= samples; n++) {
        const long step = lround(unit * (from + (end - from) * n / samples));
        advance_simulation(solver, step - current_step(solver));
        sample[n] = take_sample(solver, &r);
        if (n > 1) // the slope there needs the two after it
            print_sample(sample, n - 2, samples + 1, unit);
    }
    print_sample(sample, samples - 1, samples + 1, unit);
    print_sample(sample, samples, samples + 1, unit);
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return EXIT_GOOD;
}
