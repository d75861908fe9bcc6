// one_run SOLVER.so SIZE [HEIGHT]: one run of a solver in a cavity of SIZE x SIZE cells, or of SIZE x HEIGHT;
// of one in space in a duct of SIZE x HEIGHT x SIZE. Prints the fastest speed seen, in MLUPS: by the CPU time
// of the process, and by the clock on the wall.
#include "flow/scenario.h"
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

enum { WINDOWS = 3, LARGEST = 65535 };

/** MLUPS of one window, or of the fastest. */
typedef struct {
    double cpu, wall;
} Speed;

/** Passes that take long enough, after as many that are not counted. */
static int warm_up(const Stage *stage, Simulation *solver)
{
    const double shortest = shortest_repeat(0.1);
    for (int cycles = 1;; cycles *= 2) {
        const double start = now();
        advance_simulation(solver, cycles * stage->cycle);
        const double seconds = now() - start;
        if (seconds >= shortest / 2.0)
            return (int)ceil(cycles * fmax(1.0, shortest / seconds));
    }
}

static Speed fastest(const Stage *stage, Simulation *solver, double cells)
{
    const int steps = warm_up(stage, solver) * stage->cycle;
    Speed best = {0.0, 0.0};
    for (int n = 0; n < WINDOWS; n++) {
        const double cpu = cpu_time(), wall = now();
        advance_simulation(solver, steps);
        best.wall = fmax(best.wall, mlups(cells, steps, now() - wall));
        best.cpu = fmax(best.cpu, mlups(cells, steps, cpu_time() - cpu));
    }
    return best;
}

int main(int count, char **arguments)
{
    if (count != 3 && count != 4)
        fail(EXIT_USAGE, "usage: one_run SOLVER.so SIZE [HEIGHT]");
    flush_subnormals(1);
    const Stage *stage = load_stage(arguments[1]);
    const int width = parse_integer("SIZE", arguments[2], 3, LARGEST);
    const int height = count == 4 ? parse_integer("HEIGHT", arguments[3], 3, LARGEST) : width;
    const int plane = stage->lattice->dimensions == 2;
    const Parameters size = {
        .width = width, .height = height, .depth = plane ? 1 : width, .tau = measured_tau};
    Scenario s = create_scenario(find_flow(plane ? "cavity" : "duct"), size);
    check_grid(stage, s.width, s.height);
    Simulation *solver = begin_simulation(stage, &s, (Block){1, 1});
    const Speed best = fastest(stage, solver, (double)cell_count(&s));
    printf("%.1f %.1f\n", best.cpu, best.wall);
    end_simulation(solver);
    destroy_scenario(&s);
    check_standard_output();
    return EXIT_GOOD;
}
