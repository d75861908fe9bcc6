/**
 * @file record.h
 * What traffic_check.c records of this exercise: the sum of an array. Each number is to be loaded once.
 */
#ifndef RECORD_H
#define RECORD_H

#include "gpu/gpu.h"

void add_up(const float *numbers, size_t count, double *partial, double *sum);

static const Recording *record(void)
{
    enum { COUNT = 1 << 16, ROOM = 1 << 16 };
    float *numbers;
    double *partial, *sum, sectors = 0.0;
    const double enough_for_all = COUNT * sizeof *numbers / SECTOR;
    CHECK(cudaMalloc((void **)&numbers, COUNT * sizeof *numbers));
    CHECK(cudaMalloc((void **)&partial, ROOM * sizeof *partial));
    CHECK(cudaMalloc((void **)&sum, sizeof *sum));
    CHECK(cudaMemset(numbers, 0, COUNT * sizeof *numbers));
    begin_recording();
    add_up(numbers, COUNT, partial, sum);
    const Recording *recording = end_recording();
    for (int k = 0; k < recording->count; k++)
        sectors += (double)sum_of(&recording->kernel[k], LOAD).sectors;
    SourceLine line;
    if (sectors > tolerance * enough_for_all && !find_worst(recording, &line)) {
        printf("right, but the kernels load %.0f sectors for %d numbers, which lie in %.0f\n", sectors, COUNT,
               enough_for_all);
        exit(EXIT_CHECK);
    }
    return recording;
}

#endif
