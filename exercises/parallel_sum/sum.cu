// The sum of many numbers on the device, where it stays: a program that looks at a flow fetches the sum, and
// not the flow.
#include "gpu/gpu.h"

// Threads of a warp, threads of a block, and the blocks of the first pass.
enum { WARP = 32, THREADS = 256, BLOCKS = 64 };

// The sum over the lanes of a warp, in lane 0. All lanes call it.
static __device__ double add_warp(double sum)
{
    // TODO(1): __shfl_down_sync(~0u, sum, distance) returns the sum of the lane that is `distance` above
    return sum;
}

// The sum over the threads of a block, in thread 0. All threads call it, once in a kernel.
static __device__ double add_block(double sum)
{
    __shared__ double of_warp[THREADS / WARP];

    // TODO(2): each warp leaves its sum in shared memory. Who adds up these sums, and when?
    of_warp[threadIdx.x / WARP] = add_warp(sum);
    return of_warp[threadIdx.x / WARP];
}

// The first pass, in BLOCKS blocks: each stores the sum of its numbers in partial[blockIdx.x].
static __global__ void add_numbers(const float *numbers, size_t count, double *partial)
{
    // TODO(3): one atomic addition for each number, all to one address. And what does a warp load at a time?
    const size_t share = (count + BLOCKS * THREADS - 1) / (BLOCKS * THREADS);
    const size_t first = share * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    for (size_t n = first; n < first + share && n < count; n++)
        atomicAdd(partial, numbers[n]);
}
BLOCK_KERNEL(add_numbers, const float *, size_t, double *);

// The second pass, in one block: the sum of the blocks' sums.
static __global__ void add_partial(const double *partial, double *sum)
{
    // TODO(4): there is a sum of each block to add
    const double all = add_block(partial[0]);
    if (threadIdx.x == 0)
        *sum = all;
}
BLOCK_KERNEL(add_partial, const double *, double *);

// Sets *sum to the sum of an array. All three are on the device; `partial` has room for BLOCKS numbers.
void add_up(const float *numbers, size_t count, double *partial, double *sum)
{
    const dim3 block = {THREADS, 1, 1}, blocks = {BLOCKS, 1, 1}, one = {1, 1, 1};

    // TODO(4): which of these lines do two passes need?
    CHECK(cudaMemset(partial, 0, sizeof *partial));
    LAUNCH_BLOCKS(add_numbers, blocks, block, 0, numbers, count, partial);
    LAUNCH_BLOCKS(add_partial, one, block, 0, partial, sum);
}
