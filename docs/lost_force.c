// Prints the record of the lost force: steady channel flow in 32 and in 16 bits, over the height of the
// channel and over the state it starts from.
#include "system.h"
#include "validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double start_factor;

static Moments start(const Scenario *s, int x, int y)
{
    Moments m = s->flow->exact(s, 0.0, x, y);
    m.ux *= (float)start_factor;
    return m;
}

static const Stage *find_stage(const char *name)
{
    for (int n = 0; n < stage_count; n++)
        if (strcmp(stages[n]->name, name) == 0)
            return stages[n];
    fail(EXIT_USAGE, "there is no stage \"%s\"", name);
}

/** One row: a stage in a channel of that height and peak speed, started from a multiple of the solution. */
static void print_row(const Stage *stage, int height, double u, double from)
{
    Flow flow = *find_flow("poiseuille");
    flow.start = start;
    start_factor = from;
    const Parameters parameters = {.width = 4, .height = height, .tau = 0.9330127, .u = u};
    Scenario s = create_scenario(&flow, parameters);
    const int steps = (int)flow.duration(&s);
    float *f = allocate(9 * cell_count(&s) * sizeof(float));
    Solver *solver = stage->create(&s, (Block){4, 4});
    stage->advance(solver, steps);
    stage->read(solver, f);

    double flux = 0.0, exact = 0.0;
    for (int y = 1; y < height - 1; y++) {
        flux += moments_at(&s, f, 0, y).ux;
        exact += flow.exact(&s, 0.0, 0, y).ux;
    }
    printf("%s,%d,%g,%g,%d,%.3e,%.4f,%.3e\n", stage->name, height, u, from, steps, exact_error(&s, f, 0.0),
           flux / exact, stage->epsilon * s.length * s.length / (8.0 * s.nu));
    stage->destroy(solver);
    free(f);
    destroy_scenario(&s);
}

int main(void)
{
    const char *names[] = {"03_aa", "04_aa_fp16s"};
    printf("# build/lost_force: channel 4 cells wide, tau 0.9330127, CPU backend\n"
           "# u: peak speed; start: the flow at step 0 over the solution; error: relative L2; flux: over "
           "that of the "
           "solution;\n"
           "# bound: epsilon H^2 / (8 nu), with H = height - 2\n"
           "stage,height,u,start,steps,error,flux,bound\n");
    for (int n = 0; n < 2; n++) {
        for (int height = 10; height <= 130; height = 2 * height - 2)
            print_row(find_stage(names[n]), height, 0.05, 0.0);
        for (double from = 0.5; from <= 2.0; from *= 2.0)
            print_row(find_stage(names[n]), 66, 0.05, from);
        print_row(find_stage(names[n]), 66, 0.0125, 0.0);
    }
    return 0;
}
