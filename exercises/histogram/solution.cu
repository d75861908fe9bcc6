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
    return (Sum)llrintf(weight * 4294967296.0f);
}

// Adds all weights to the sums of their bins.
static __global__ void add_weights(const unsigned char *bin, const float *weight, int count, Sum *sums)
{
    __shared__ Sum of_lane[BINS][WARP]; // each lane has a place of its own for each bin

    for (int n = threadIdx.x; n < BINS * WARP; n += THREADS)
        of_lane[n / WARP][n % WARP] = 0;
    __syncthreads();
    for (int n = blockIdx.x * THREADS + threadIdx.x; n < count; n += BLOCKS * THREADS)
        atomicAdd(&of_lane[bin[n]][threadIdx.x % WARP], units_of(weight[n]));
    __syncthreads();
    for (int n = threadIdx.x; n < BINS; n += THREADS) {
        Sum sum = 0;
        for (int lane = 0; lane < WARP; lane++)
            sum += of_lane[n][(lane + n) % WARP];
        atomicAdd(&sums[n], sum);
    }
}
BLOCK_KERNEL(add_weights, const unsigned char *, const float *, int, Sum *);

// Adds `count` weights to sums[BINS]. All arrays are on the device.
void deposit(const unsigned char *bin, const float *weight, int count, Sum *sums)
{
    const dim3 block = {THREADS, 1, 1}, blocks = {BLOCKS, 1, 1};

    LAUNCH_BLOCKS(add_weights, blocks, block, 0, bin, weight, count, sums);
}
