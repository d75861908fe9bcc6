/**
 * @file kept_subnormals.h
 * Whether kernels on the emulator keep subnormal numbers, and leave the host as it was.
 */
#ifndef KEPT_SUBNORMALS_H
#define KEPT_SUBNORMALS_H

#include "host/subnormal.h"

/** Whether launches make `expected` of the smallest normal number, and the host then flushes subnormal
 * numbers if and only if it did before. */
static inline int keeps_subnormals(void (*launches)(float *number), float expected)
{
    static const int flush[] = {1, 0, 1, 0};
    int keeps = 1;
    for (int k = 0; k < 4; k++) {
        float number = 0x1p-126f;
        flush_subnormals(flush[k]);
        const int before = flush_subnormals(flush[k]); // 0 on processors that are not set
        launches(&number);
        keeps &= flush_subnormals(0) == before && number == expected;
    }
    return keeps;
}

#endif
