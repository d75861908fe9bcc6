// A histogram with weights: each number says to which bin it belongs, and how much it adds there. The sums are
// integers, which have the same bits in every order.
#include "gpu/gpu.h"

#include <math.h>

// Threads of a warp, threads of a block, blocks of the launch, and bins.
enum { WARP = 32, THREADS = 256, BLOCKS = 32, BINS = 64 };

// A sum in fixed point: how many units of 2^-32 it has.
typedef unsigned long long Sum;

// A weight, which is from 0 to 1, as a sum of its own.
static __device__ Sum units_of(float weight)
{
    // TODO(1): how many units of 2^-32 the weight has, rounded to the nearest integer
    return (Sum)weight;
}

// Adds all weights to the sums of their bins.
static __global__ void add_weights(const unsigned char *bin, const float *weight, int count, Sum *sums)
{
    // TODO(2): lanes that have the same bin wait for each other. Where could each of them add instead?
    for (int n = blockIdx.x * THREADS + threadIdx.x; n < count; n += BLOCKS * THREADS)
        atomicAdd(&sums[bin[n]], units_of(weight[n]));
}
BLOCK_KERNEL(add_weights, const unsigned char *, const float *, int, Sum *);

// Adds `count` weights to sums[BINS]. All arrays are on the device.
void deposit(const unsigned char *bin, const float *weight, int count, Sum *sums)
{
    const dim3 block = {THREADS, 1, 1}, blocks = {BLOCKS, 1, 1};

    LAUNCH_BLOCKS(add_weights, blocks, block, 0, bin, weight, count, sums);
}
