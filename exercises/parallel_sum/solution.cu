// The sum of many numbers on the device, where it stays: a program that looks at a flow fetches the sum, and
// not the flow.
#include "gpu/gpu.h"

// Threads of a warp, threads of a block, and the blocks of the first pass.
enum { WARP = 32, THREADS = 256, BLOCKS = 64 };

// The sum over the lanes of a warp, in lane 0. All lanes call it.
static __device__ double add_warp(double sum)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(~0u, sum, distance);
    return sum;
}

// The sum over the threads of a block, in thread 0. All threads call it, once in a kernel.
static __device__ double add_block(double sum)
{
    __shared__ double of_warp[THREADS / WARP];

    sum = add_warp(sum);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x < WARP)
        sum = add_warp(threadIdx.x < THREADS / WARP ? of_warp[threadIdx.x] : 0.0);
    return sum;
}

// The first pass, in BLOCKS blocks: each stores the sum of its numbers in partial[blockIdx.x].
static __global__ void add_numbers(const float *numbers, size_t count, double *partial)
{
    const size_t threads = (size_t)gridDim.x * blockDim.x;
    double sum = 0.0;
    for (size_t n = (size_t)blockIdx.x * blockDim.x + threadIdx.x; n < count; n += threads)
        sum += numbers[n];
    sum = add_block(sum);
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}
BLOCK_KERNEL(add_numbers, const float *, size_t, double *);

// The second pass, in one block: the sum of the blocks' sums.
static __global__ void add_partial(const double *partial, double *sum)
{
    double all = 0.0;
    for (int n = threadIdx.x; n < BLOCKS; n += THREADS)
        all += partial[n];
    all = add_block(all);
    if (threadIdx.x == 0)
        *sum = all;
}
BLOCK_KERNEL(add_partial, const double *, double *);

// Sets *sum to the sum of an array. All three are on the device; `partial` has room for BLOCKS numbers.
void add_up(const float *numbers, size_t count, double *partial, double *sum)
{
    const dim3 block = {THREADS, 1, 1}, blocks = {BLOCKS, 1, 1}, one = {1, 1, 1};

    LAUNCH_BLOCKS(add_numbers, blocks, block, 0, numbers, count, partial);
    LAUNCH_BLOCKS(add_partial, one, block, 0, partial, sum);
}
