/**
 * @file atomics_on_cpu.h
 * CUDA without a GPU: atomic additions. The emulator interrupts no thread within a statement, so they are
 * plain ones. The recorder does not count them: on a GPU they are neither loads nor stores, L2 makes them.
 */
#pragma once

#include "gpu/accesses.h"

/** In a kernel: adds to a number in memory, float or double, and returns what it was before. */
#define atomicAdd(memory, value)                                                                             \
    _Generic(*(memory), float : atomic_add_float, double : atomic_add_double)(memory, value)

/** atomicAdd for floats. */
static inline NOT_RECORDED float atomic_add_float(float *memory, float value)
{
    const float before = *memory;
    *memory = before + value;
    return before;
}

/** atomicAdd for doubles. */
static inline NOT_RECORDED double atomic_add_double(double *memory, double value)
{
    const double before = *memory;
    *memory = before + value;
    return before;
}
