// One experiment of Lehmann et al. (2022) in every format: prints its table, and writes the samples behind it
// into a folder. formats_study_double goes first: it prints the table's head, and keeps what FP64 comes to.
#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "host/process_pool.h"
#include "lattice/d2q9.h"
#include "result/shedding.h"
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "studies/accuracy.h"
#include "studies/cavity.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: formats_study channel|exact_channel|vortices|street|cavity reduced|full FOLDER";

/** What all jobs share. */
typedef struct {
    int full;           /**< the sizes for a GPU, or those for two CPU cores */
    const char *folder; /**< for samples, and for what FP64 came to */
} Study;

/** A flow on its way in a stage. */
typedef struct {
    const Stage *stage;
    Simulation *solver;
    Snapshot result;
} Run;

static Run begin(const Stage *stage, const Scenario *s)
{
    return (Run){stage, begin_simulation(stage, s, (Block){s->width < 32 ? 1 : 32, 8}), create_snapshot(s)};
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

/** The first columns of all tables. */
static void print_format(const Stage *stage)
{
    const char *weights = strstr(stage->name, "_w");
    const int length = weights ? (int)(weights - stage->name) : (int)strlen(stage->name);
    printf("%s,%.*s,%s", sizeof(Real) == sizeof(double) ? "fp64" : "fp32", length, stage->name,
           weights ? "no" : "yes");
}

/* ---- Files ---- */

static FILE *open_file(const Study *study, const char *experiment, const char *what, const char *mode)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s_%s", study->folder, experiment, what) >= PATH_MAX)
        fail(EXIT_USAGE, "the folder \"%s\" has too long a name", study->folder);
    FILE *file = fopen(path, mode);
    if (!file)
        fail(EXIT_MACHINE,
             "%s can't be opened; it takes a folder that is there, and first of all formats_study_double",
             path);
    return file;
}

static void close_file(FILE *file)
{
    if (ferror(file) || fclose(file) != 0)
        fail(EXIT_MACHINE, "a file of samples could not be written or read");
}

/** The samples of a stage go into a file of its own: stages run side by side. */
static FILE *open_samples(const Study *study, const char *experiment, const Stage *stage)
{
    char what[64];
    snprintf(what, sizeof what, "%s_%s.samples", sizeof(Real) == sizeof(double) ? "fp64" : "fp32",
             stage->name);
    return open_file(study, experiment, what, "w");
}

/** Whether a stage is what all others are compared with. */
static int is_reference(const Stage *stage)
{
    return strcmp(stage->name, "fp64") == 0;
}

/** Writes the numbers of the reference, or, for other stages, reads what it wrote into `reference`. */
static void exchange(const Study *study, const char *experiment, const Stage *stage, const double *own,
                     double *reference, size_t count)
{
    const int writes = is_reference(stage);
    FILE *file = open_file(study, experiment, "fp64.reference", writes ? "wb" : "rb");
    if (writes)
        memcpy(reference, own, count * sizeof *own);
    const size_t done =
        writes ? fwrite(own, sizeof *own, count, file) : fread(reference, sizeof *own, count, file);
    if (done != count)
        fail(EXIT_MACHINE,
             "%s/%s_fp64.reference holds %zu numbers of %zu: make it again with formats_study_double",
             study->folder, experiment, done, count);
    close_file(file);
}

/* ---- Channel: error over its height ---- */

static const int heights[] = {6, 14, 30, 62, 126, 254};

static int height_count(const Study *study)
{
    return study->full ? 6 : 5;
}

static void print_channel(const Stage *stage, Parameters parameters)
{
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Run run = begin(stage, &s);
    go(&run, (int)s.flow->duration(&s));
    printf(",%.2e", exact_error(&run.result));
    end(&run);
    destroy_scenario(&s);
}

static int channel_job(int n, const void *context)
{
    const Study *study = context;
    print_format(stages[n]);
    for (int k = 0; k < height_count(study); k++)
        print_channel(stages[n], (Parameters){.width = 1, .height = heights[k] + 2, .re = 10.0, .u = 0.1});
    printf("\n");
    return 0;
}

/** The same at the relaxation time where the solution is exact, so that rounding is all that is left. */
static int exact_channel_job(int n, const void *context)
{
    const Study *study = context;
    print_format(stages[n]);
    for (int k = 0; k < height_count(study); k++)
        print_channel(stages[n],
                      (Parameters){.width = 1, .height = heights[k] + 2, .tau = BGK_MAGIC_TAU, .u = 0.05});
    printf("\n");
    return 0;
}

static void channel_head(const Study *study)
{
    printf("# relative L2 error of the velocity after twelve times the time in which the slowest\n"
           "# deviation falls to 1/e, from rest; hN: N cells of fluid between the walls\n"
           "arithmetic,format,shift");
    for (int k = 0; k < height_count(study); k++)
        printf(",h%d", heights[k]);
    printf("\n");
}

/* ---- Vortices: decay of the energy ---- */

static double energy(const Snapshot *r)
{
    double sum = 0.0;
    for (size_t cell = 0; cell < cell_count(r->scenario); cell++) {
        const Moments m = r->moments[cell];
        sum += 0.5 * (1.0 + m.drho) * ((double)m.ux * m.ux + (double)m.uy * m.uy);
    }
    return sum;
}

/** Whether two energies are within a factor of two of each other; not if one is NaN. */
static int is_near(double a, double b)
{
    return a < 2.0 * b && b < 2.0 * a;
}

static int vortices_job(int n, const void *context)
{
    enum { SAMPLES = 100, LAST = 5 };
    const Study *study = context;
    const int size = study->full ? 256 : 48;
    const Parameters parameters = {.width = size, .height = size, .tau = 1.0, .u = 0.25};
    Scenario s = create_scenario(find_flow("taylor_green"), parameters);
    const double decay = s.flow->duration(&s); // of the velocity, to 1/e
    Run run = begin(stages[n], &s);
    FILE *samples = open_samples(study, "vortices", stages[n]);
    go(&run, 0);
    const double first = energy(&run.result);
    double plateau = 0.0, leaves = 0.0;
    for (int k = 0; k < SAMPLES; k++) {
        go(&run, (int)(0.6 * decay));
        const double now = energy(&run.result) / first, time = (double)run.result.step / decay;
        fprintf(samples, "%ld,%.4g,%.4e\n", run.result.step, time, now);
        plateau += k >= SAMPLES - LAST ? now / LAST : 0.0;
        if (leaves == 0.0 && !is_near(now, exp(-2.0 * time)))
            leaves = exp(-2.0 * time);
    }
    close_file(samples);
    print_format(stages[n]);
    printf(",%d,%ld,%.1e,%.1e\n", size, run.result.step, leaves, plateau);
    end(&run);
    destroy_scenario(&s);
    return 0;
}

static void vortices_head(const Study *study)
{
    (void)study;
    printf("# kinetic energy over that of the start. leaves: that of the solution at the first of 100 "
           "samples in\n"
           "# which the flow's is not within a factor of two of it; 0: it never leaves. plateau: mean of the "
           "last\n"
           "# five samples; 0: all is at rest\n"
           "arithmetic,format,shift,size,steps,leaves,plateau\n");
}

/* ---- Street: a signal behind a cylinder ---- */

enum { STREET_SAMPLES = 400, STREET_NUMBERS = STREET_SAMPLES * sizeof(Force) / sizeof(double) };

/** Populations of the stream in one half of the box only; the caller frees them. */
static Real *half_a_stream(const Scenario *s)
{
    Real *f = allocate(population_count(s) * sizeof *f);
    for (size_t cell = 0; cell < cell_count(s); cell++) {
        const Real u = position_of(s, cell).y < s->height / 2 ? (Real)s->u : 0.0f;
        s->flow->lattice->equilibrium(f + DIRECTIONS * cell, (Moments){0.0f, u, 0.0f, 0.0f});
    }
    return f;
}

static Scenario street(const Study *study)
{
    const int radius = study->full ? 32 : 6;
    Parameters p = {.width = 32 * radius, .height = 16 * radius, .re = 250.0, .u = 0.15};
    p.bodies.count = 1;
    p.bodies.body[0] = disc(8.0 * radius - 0.5, 8.0 * radius - 0.5, radius);
    return create_scenario(find_flow("bodies"), p);
}

/** Root of the mean square distance of two signals over the second half, over the amplitude of the second. */
static double signal_distance(const Force *signal, const Force *reference)
{
    double distance = 0.0, most = 0.0;
    for (int n = STREET_SAMPLES / 2; n < STREET_SAMPLES; n++) {
        distance += pow(signal[n].lift - reference[n].lift, 2.0);
        most = fmax(most, fabs(reference[n].lift));
    }
    return sqrt(distance / (STREET_SAMPLES / 2)) / most;
}

/** The step at which a signal last rises through its mean, between two samples. */
static double last_rise(const Force *signal, double mean)
{
    for (int n = STREET_SAMPLES - 1; n > 0; n--) {
        const double before = signal[n - 1].lift - mean, now = signal[n].lift - mean;
        if (before < 0.0 && now >= 0.0)
            return signal[n].step - now / (now - before) * (signal[n].step - signal[n - 1].step);
    }
    return NAN;
}

/** How far a signal is behind another one, in periods, from -1/2 to 1/2; NaN if they have none. */
static double phase_shift(const Force *signal, const Shedding *shed, const Force *reference,
                          const Shedding *expected)
{
    if (shed->periods == 0 || expected->periods == 0)
        return NAN;
    const double rise = last_rise(signal, shed->lift.mean), other = last_rise(reference, expected->lift.mean);
    const double shift = (rise - other) / expected->period;
    return shift - round(shift);
}

static void print_street(const Stage *stage, const Force *signal, const Force *reference, long steps)
{
    const Shedding shed = sum_up(signal, STREET_SAMPLES), expected = sum_up(reference, STREET_SAMPLES);
    const double swing = shed.lift.max - shed.lift.min; // negative where all is NaN
    print_format(stage);
    printf(",%ld,%d,%.1f,%.4f,%.4f,%.2e\n", steps, shed.periods, shed.period,
           swing >= 0.0 ? 0.5 * swing : NAN, phase_shift(signal, &shed, reference, &expected),
           signal_distance(signal, reference));
}

static int street_job(int n, const void *context)
{
    const Study *study = context;
    Scenario s = street(study);
    Real *begun = half_a_stream(&s);
    s.start.f = begun;
    const int sample = study->full ? 100 : 20, start = study->full ? 60000 : 2000;
    Force signal[STREET_SAMPLES], reference[STREET_SAMPLES];
    Run run = begin(stages[n], &s);
    FILE *samples = open_samples(study, "street", stages[n]);
    go(&run, start);
    for (int k = 0; k < STREET_SAMPLES; k++) {
        go(&run, sample);
        const Moments m = moments_at(&run.result, s.width / 2, s.height / 2);
        signal[k] = (Force){(double)run.result.step, m.ux / s.u, m.uy / s.u, 0.0};
        fprintf(samples, "%ld,%.6f,%.6f\n", run.result.step, signal[k].drag, signal[k].lift);
    }
    close_file(samples);
    exchange(study, "street", stages[n], &signal->step, &reference->step, STREET_NUMBERS);
    print_street(stages[n], signal, reference, run.result.step);
    end(&run);
    free(begun);
    destroy_scenario(&s);
    return 0;
}

static void street_head(const Study *study)
{
    (void)study;
    printf(
        "# velocity across the stream at the centre of the box, over the stream's: over the second half of "
        "%d\n"
        "# samples whole periods, the mean period in steps, half of what the signal swings, how far it is\n"
        "# behind FP64's in periods, and the root mean square of its distance from that, over its amplitude\n"
        "arithmetic,format,shift,steps,periods,period,amplitude,phase,distance\n",
        STREET_SAMPLES);
}

/* ---- Cavity: the velocity in all cells ---- */

/** Root of the mean square distance of the velocities from those of the reference, over lid speed. */
static double cavity_distance(const double *velocity, const double *reference, size_t count, double u)
{
    double sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += pow(velocity[n] - reference[n], 2.0);
    return sqrt(sum / (double)(count / 2)) / u;
}

static double cavity_largest(const double *velocity, const double *reference, size_t count, double u)
{
    double largest = 0.0;
    for (size_t n = 0; n < count; n++) {
        const double distance = fabs(velocity[n] - reference[n]) / u;
        if (!(distance <= largest)) // also where it is NaN
            largest = distance;
    }
    return largest;
}

static int cavity_job(int n, const void *context)
{
    const Study *study = context;
    const int size = study->full ? 130 : 82, steps = study->full ? 100000 : 16000;
    Scenario s = create_scenario(find_flow("cavity"),
                                 (Parameters){.width = size, .height = size, .re = 1000.0, .u = 0.1});
    const size_t count = 2 * cell_count(&s);
    double *velocity = allocate(count * sizeof *velocity), *reference = allocate(count * sizeof *reference);
    Run run = begin(stages[n], &s);
    go(&run, steps);
    for (size_t cell = 0; cell < count / 2; cell++) {
        velocity[2 * cell] = run.result.moments[cell].ux;
        velocity[2 * cell + 1] = run.result.moments[cell].uy;
    }
    exchange(study, "cavity", stages[n], velocity, reference, count);
    print_format(stages[n]);
    printf(",%d,%d,%.2e,%.2e,%.5f\n", size, steps, cavity_distance(velocity, reference, count, s.u),
           cavity_largest(velocity, reference, count, s.u), extrema_deviation(&run.result));
    free(velocity);
    free(reference);
    end(&run);
    destroy_scenario(&s);
    return 0;
}

static void cavity_head(const Study *study)
{
    (void)study;
    printf("# Re 1000, lid speed 0.1; distance of the velocity from FP64's over lid speed: root mean square, "
           "and\n"
           "# largest; extrema: largest deviation of the extrema on the centre lines from Botella & Peyret "
           "1998\n"
           "arithmetic,format,shift,size,steps,distance,largest,extrema\n");
}

/* ---- All of them ---- */

typedef struct {
    const char *name;
    void (*head)(const Study *study);
    Job *job;
} Experiment;

static const Experiment experiments[] = {
    {"channel",       channel_head,  channel_job      },
    {"exact_channel", channel_head,  exact_channel_job},
    {"vortices",      vortices_head, vortices_job     },
    {"street",        street_head,   street_job       },
    {"cavity",        cavity_head,   cavity_job       },
};
static const int experiment_count = sizeof experiments / sizeof *experiments;

static const Experiment *parse_experiment(const char *name)
{
    for (int n = 0; n < experiment_count; n++)
        if (strcmp(experiments[n].name, name) == 0)
            return &experiments[n];
    fail(EXIT_USAGE, "unknown experiment \"%s\"; %s", name, usage);
}

/** An experiment under way. */
typedef struct {
    const Experiment *experiment;
    Study study;
    int first; /**< stage of those that run side by side */
} Round;

static int later_job(int n, const void *context)
{
    const Round *round = context;
    return round->experiment->job(round->first + n, &round->study);
}

static int first_job(int n, const void *context)
{
    const Round *round = context;
    return round->experiment->job(n, &round->study);
}

int main(int argc, char **argv)
{
    const int workers = gpu_is_emulated ? core_count() : 1;
    if (argc != 4)
        fail(EXIT_USAGE, "%d arguments were given; %s", argc - 1, usage);
    const int full = strcmp(argv[2], "full") == 0;
    if (!full && strcmp(argv[2], "reduced") != 0)
        fail(EXIT_USAGE, "unknown sizes \"%s\"; %s", argv[2], usage);
    const Round round = {
        parse_experiment(argv[1]), {full, argv[3]},
         is_reference(stages[0])
    };
    if (round.first > 0) { // the others compare with it
        round.experiment->head(&round.study);
        run_process_pool(1, workers, first_job, &round, NULL);
    }
    fflush(stdout);
    return run_process_pool(stage_count - round.first, workers, later_job, &round, NULL);
}
