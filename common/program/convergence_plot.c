#include "program/convergence_plot.h"

#include "host/allocate.h"
#include "output/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Numbers for the panel of quantity q, one for each size. */
typedef struct {
    double *size, *error, *second_order;
} Numbers;

static Numbers numbers_of(const Sizes *sizes, const Refinement *at, int q)
{
    const size_t count = (size_t)sizes->count;
    Numbers n;
    n.size = allocate(3 * count * sizeof *n.size);
    n.error = n.size + count;
    n.second_order = n.error + count;
    for (size_t k = 0; k < count; k++) {
        n.size[k] = log2(sizes->size[k]);
        n.error[k] = at[k].error[q];
        n.second_order[k] = at[0].error[q] * pow((double)sizes->size[0] / sizes->size[k], 2.0);
    }
    return n;
}

void write_convergence_plot(const char *path, const Study *study, const Stage *stage, const Sizes *sizes,
                            const Refinement *at)
{
    const int count = quantity_count(study);
    const size_t points = (size_t)sizes->count;
    Numbers numbers[MOST_QUANTITIES];
    Panel panels[MOST_QUANTITIES];
    char axis[200];
    snprintf(axis, sizeof axis, "%s, their binary logarithm", study->size);
    for (int q = 0; q < count; q++) {
        const Numbers n = numbers[q] = numbers_of(sizes, at, q);
        panels[q] = (Panel){
            study->quantity[q].about,
            axis,
            1,
            2,
            {{"error", n.size, n.error, points, 1, 1}, {"order 2", n.size, n.second_order, points, 1, 0}}
        };
    }
    char caption[200];
    snprintf(caption, sizeof caption, "Re %.4g, tau %.4g, %s", at[0].re, at[0].tau, stage->name);
    write_plot(path, study->flow, caption, panels, count);
    for (int q = 0; q < count; q++)
        free(numbers[q].size);
}
