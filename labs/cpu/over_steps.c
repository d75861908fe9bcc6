// over_steps SOLVER.so SIZE STEPS PARTS: two cavities of SIZE x SIZE cells, at rest until their lids begin to
// move; in one of them subnormal results become 0. They take turns, in PARTS parts of STEPS steps. Prints for
// each part the steps so far, the percentage of the populations that are subnormal at its end where they are
// kept, and the MLUPS of both, kept and flushed, by the CPU time of the process.
#include "flow/scenario.h"
#include "host/allocate.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/standard_output.h"
#include "host/subnormal.h"
#include "simulation/simulation.h"
#include "speed/speed.h"
#include "stage/unsupported.h"

#include "arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double percent_subnormal(const Simulation *solver, const Scenario *s, Real *f)
{
    size_t subnormal = 0;
    read_populations(solver, 0, cell_count(s), f);
    for (size_t n = 0; n < population_count(s); n++)
        subnormal += fpclassify(f[n]) == FP_SUBNORMAL;
    return 100.0 * (double)subnormal / (double)population_count(s);
}

// The threads of a team that has begun go on as they are: each has to be told.
static void flush_in_team(int flush)
{
#pragma omp parallel
    flush_subnormals(flush);
}

int main(int count, char **arguments)
{
    if (count != 5)
        fail(EXIT_USAGE, "usage: over_steps SOLVER.so SIZE STEPS PARTS");
    const Flow *flow = find_flow("cavity");
    const Stage *stage = load_stage_of(arguments[1], flow);
    const int size = parse_integer("SIZE", arguments[2], 3, 65535);
    const int steps = parse_integer("STEPS", arguments[3], 1, 1000000);
    const int parts = parse_integer("PARTS", arguments[4], 1, 1000);
    check_grid(stage, size, size);
    Scenario s = create_scenario(flow, (Parameters){.width = size, .height = size, .tau = measured_tau});
    Real *f = (Real *)allocate(population_count(&s) * sizeof *f);
    Simulation *solver[2];
    for (int flush = 0; flush < 2; flush++)
        solver[flush] = begin_simulation(stage, &s, (Block){1, 1});
    for (int part = 1; part <= parts; part++) {
        double speed[2];
        for (int flush = 0; flush < 2; flush++) {
            flush_in_team(flush);
            const double start = cpu_time();
            advance_simulation(solver[flush], steps);
            speed[flush] = mlups((double)cell_count(&s), steps, cpu_time() - start);
        }
        printf("%d,%.1f,%.1f,%.1f\n", part * steps, percent_subnormal(solver[0], &s, f), speed[0], speed[1]);
    }
    for (int flush = 0; flush < 2; flush++)
        end_simulation(solver[flush]);
    free(f);
    destroy_scenario(&s);
    check_standard_output();
    return EXIT_GOOD;
}
