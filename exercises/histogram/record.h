/**
 * @file record.h
 * What traffic_check.c records of this exercise: sums of weights whose bins are runs, and then random. A request of
 * atomic additions takes one turn, and another one for each lane that finds its address taken by an earlier lane.
 */
#ifndef RECORD_H
#define RECORD_H

#include "gpu/gpu.h"

void deposit(const unsigned char *bin, const float *weight, int count, unsigned long long *sums);

static const Recording *record(void)
{
    enum { COUNT = 1 << 16, RUN = 20, BINS = 64, ENOUGH = 2 * COUNT / WARP };
    static unsigned char bins[COUNT];
    uint64_t requests = 0, conflicts = 0;
    unsigned char *bin;
    float *weight;
    unsigned long long *sums;
    for (unsigned n = 0; n < COUNT; n++)
        bins[n] = (unsigned char)((n < COUNT / 2 ? n / RUN : n * 2654435761u >> 20) % BINS);
    CHECK(cudaMalloc((void **)&bin, sizeof bins));
    CHECK(cudaMalloc((void **)&weight, COUNT * sizeof *weight));
    CHECK(cudaMalloc((void **)&sums, BINS * sizeof *sums));
    CHECK(cudaMemcpy(bin, bins, sizeof bins, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(weight, 0, COUNT * sizeof *weight));
    CHECK(cudaMemset(sums, 0, BINS * sizeof *sums));
    begin_recording();
    deposit(bin, weight, COUNT, sums);
    const Recording *recording = end_recording();
    for (int k = 0; k < recording->count; k++)
        for (int access = LOAD; access < ACCESSES; access++)
            if (is_atomic((Access)access)) {
                requests += sum_of(&recording->kernel[k], (Access)access).requests;
                conflicts += sum_of(&recording->kernel[k], (Access)access).conflicts;
            }
    if (requests + conflicts > ENOUGH) {
        printf(
            "right, but the atomic additions for %d numbers take %d turns, %d requests and %d conflicts, where "
            "%d turns are enough\n",
            COUNT, (int)(requests + conflicts), (int)requests, (int)conflicts, ENOUGH);
        exit(EXIT_CHECK);
    }
    return recording;
}

#endif
