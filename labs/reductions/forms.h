/**
 * @file forms.h
 * Five kernels that add up the numbers of an array, from one atomic addition for each number to none at all.
 */
#ifndef FORMS_H
#define FORMS_H

#include "gpu/gpu.h"

enum { WARP_THREADS = 32, THREADS = 256, WARPS = THREADS / WARP_THREADS }; // of a block

/** The number of this thread in its launch, from 0. */
static __device__ size_t thread_number(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

/** The sum over the lanes of a warp, in its first lane. */
static __device__ double add_warp(double sum)
{
    for (int distance = WARP_THREADS / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    return sum;
}

/** The sum over the threads of a block, in its first thread. */
static __device__ double add_block(double sum)
{
    __shared__ double of_warp[WARPS];
    sum = add_warp(sum);
    if (threadIdx.x % WARP_THREADS == 0)
        of_warp[threadIdx.x / WARP_THREADS] = sum;
    __syncthreads();
    return threadIdx.x < WARP_THREADS ? add_warp(threadIdx.x < WARPS ? of_warp[threadIdx.x] : 0.0) : 0.0;
}

static __global__ void atomic_each(const float *numbers, double *sum)
{
    atomicAdd(sum, numbers[thread_number()]);
}

static __global__ void atomic_warp(const float *numbers, double *sum)
{
    const double of_warp = add_warp(numbers[thread_number()]);
    if (threadIdx.x % WARP_THREADS == 0)
        atomicAdd(sum, of_warp);
}
BLOCK_KERNEL(atomic_warp, const float *, double *);

static __global__ void atomic_block(const float *numbers, double *sum)
{
    const double of_block = add_block(numbers[thread_number()]);
    if (threadIdx.x == 0)
        atomicAdd(sum, of_block);
}
BLOCK_KERNEL(atomic_block, const float *, double *);

/** The first of two passes: each thread adds every so-many-th number, and each block stores its sum. */
static __global__ void first_pass(const float *numbers, size_t count, double *partial)
{
    double sum = 0.0;
    for (size_t n = thread_number(); n < count; n += (size_t)gridDim.x * blockDim.x)
        sum += numbers[n];
    sum = add_block(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}
BLOCK_KERNEL(first_pass, const float *, size_t, double *);

/** The same, four neighbouring numbers with each load. */
static __global__ void first_pass_by_four(const float4 *numbers, size_t count, double *partial)
{
    double sum = 0.0;
    for (size_t n = thread_number(); n < count; n += (size_t)gridDim.x * blockDim.x) {
        const float4 four = numbers[n];
        sum += ((double)four.x + four.y) + ((double)four.z + four.w);
    }
    sum = add_block(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}
BLOCK_KERNEL(first_pass_by_four, const float4 *, size_t, double *);

/** The second pass, in one block: adds the sums of the blocks. */
static __global__ void second_pass(const double *partial, unsigned count, double *sum)
{
    double all = 0.0;
    for (unsigned n = threadIdx.x; n < count; n += THREADS)
        all += partial[n];
    all = add_block(all);
    if (threadIdx.x == 0)
        *sum = all;
}
BLOCK_KERNEL(second_pass, const double *, unsigned, double *);

#endif
