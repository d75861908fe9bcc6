// Prints how far steady cavities are from what is published of them, with the lid's corners as they are,
// still, and with corners that move along.
#include "simulation/simulation.h"
#include "stage/stages.h"
#include "studies/cavity.h"

#include <math.h>
#include <stdio.h>

enum { CHUNK = 1000 };

/** Advances until `CHUNK` steps change the deviation by less than a millionth of the lid speed. */
static Snapshot solve(const Stage *stage, const Scenario *s)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(stage, s, (Block){32, 8});
    double before, now = HUGE_VAL;
    do {
        before = now;
        advance_simulation(solver, CHUNK);
        read_snapshot(&r, solver);
        now = extrema_deviation(&r);
    } while (fabs(now - before) > 1e-6);
    end_simulation(solver);
    return r;
}

static void print_row(const char *corners, int size, double re, double u)
{
    Scenario s =
        create_scenario(find_flow("cavity"), (Parameters){.width = size, .height = size, .re = re, .u = u});
    for (int x = 0; x < size && corners[0] == 'm'; x += size - 1)
        s.type[(size_t)(size - 1) * size + x] = MOVING_WALL;
    Snapshot r = solve(stages[0], &s);
    printf("%s,%g,%d,%g,%ld,%.5f,%.4f,%.4f\n", corners, re, size, u, r.step, extrema_deviation(&r),
           ghia_deviation(&r, 'u'), ghia_deviation(&r, 'v'));
    fflush(stdout);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

int main(void)
{
    printf("# build/corners, stage 00\n"
           "# extrema: largest deviation of least u, largest and least v on the centre lines, over lid "
           "speed, from\n"
           "# Marchi et al. 2009 (Re 100) and Botella & Peyret 1998 (Re 1000); u, v: from Ghia et al. 1982\n"
           "corners,re,size,lid,steps,extrema,u,v\n");
    for (int n = 0; n < 2; n++) {
        const char *corners = n == 0 ? "still" : "moving";
        for (int length = 16; length <= 64; length *= 2)
            print_row(corners, length + 2, 100.0, 3.2 / length);
        print_row(corners, 130, 1000.0, 0.1);
    }
    return 0;
}
