// Prints what cavities at Re 1000 come to with three collisions: BGK, and the regularized one with the trace
// of the stress relaxed like the rest of it, or fully.
#include "regularized.h"
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "studies/cavity.h"

#include <math.h>
#include <stdio.h>

enum { CHUNK = 1000 };

/** Largest second difference of the velocity along the middle half of the row below the lid, a quarter of it,
 * over lid speed: the amplitude of a checkerboard from cell to cell. */
static double checkerboard(const Snapshot *r)
{
    const int width = r->scenario->width, y = r->scenario->height - 2;
    double largest = 0.0;
    for (int x = width / 4; x < 3 * width / 4; x++) {
        const double bend =
            moments_at(r, x - 1, y).ux - 2.0 * moments_at(r, x, y).ux + moments_at(r, x + 1, y).ux;
        largest = fmax(largest, fabs(bend) / 4.0 / r->scenario->u);
    }
    return largest;
}

static void print_row(const char *collision, const Stage *stage, int size)
{
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = size, .height = size, .re = 1000.0});
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(stage, &s, (Block){32, 8});
    do {
        advance_simulation(solver, CHUNK);
        read_snapshot(&r, solver);
    } while (is_sane(&r) && r.step < 400 * size);
    end_simulation(solver);
    if (is_sane(&r))
        printf("%s,%d,%ld,%.4f,%.4f\n", collision, size, r.step, extrema_deviation(&r), checkerboard(&r));
    else
        printf("%s,%d,%ld,diverged,diverged\n", collision, size, r.step);
    fflush(stdout);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

int main(void)
{
    printf(
        "# build/checkerboard: cavities at Re 1000, lid speed 0.1, 400 steps for each cell of a side\n"
        "# collision: bgk; regularized, the trace of the stress relaxed like the rest of it; trace_at_one, "
        "fully\n"
        "# extrema: largest deviation of least u, largest and least v from Botella & Peyret 1998, over lid "
        "speed\n"
        "# checkerboard: how far neighbouring cells below the lid differ, middle half of the row, over lid "
        "speed\n"
        "collision,size,steps,extrema,checkerboard\n");
    for (int size = 34; size <= 130; size = 2 * size - 2) {
        print_row("bgk", stages[0], size);
        print_row("regularized", &plain_form, size);
        print_row("trace_at_one", &cured_form, size);
    }
    return 0;
}
