// The sum of many numbers, such as the mass of all cells, on the GPU: each block adds up its own, and the
// host the sums of the blocks.
#include "gpu/unchecked_launch.h"
#include "host/allocate.h"

#include <stdlib.h>

// TODO(1): threads of a block, a power of two. Why is the sum always 0?
enum { THREADS = 2048 };

// Adds up the numbers of each block: half of its threads add the numbers of the other half, then half of
// these do the same, and so on.
static __global__ void add_up(const float *numbers, size_t count, float *sums)
{
    SHARED(float, share);
    const unsigned t = threadIdx.x;
    const size_t n = (size_t)blockIdx.x * blockDim.x + t;

    // TODO(3): the sum must not depend on the order of the threads, and be right for any count
    if (n >= count)
        return;
    share[t] = numbers[n];
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2)
        if (t < half)
            share[t] += share[t + half];

    if (t == 0)
        sums[blockIdx.x] = share[0];
}
BLOCK_KERNEL(add_up, const float *, size_t, float *);

// The sum of an array on the device, by blocks of so many threads.
double total(const float *numbers, size_t count, unsigned threads)
{
    const unsigned blocks = (unsigned)((count + threads - 1) / threads);
    const dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    const size_t bytes = blocks * sizeof(float);
    float *sums = NULL, *on_host = (float *)allocate(bytes);
    CHECK(cudaMalloc((void **)&sums, bytes));
    CHECK(cudaMemset(sums, 0, bytes));

    // TODO(2): a launch may be refused. What would report it?
    UNCHECKED_LAUNCH_BLOCKS(add_up, grid, block, threads * sizeof(float), numbers, count, sums);

    CHECK(cudaMemcpy(on_host, sums, bytes, cudaMemcpyDeviceToHost));
    double sum = 0.0;
    for (unsigned n = 0; n < blocks; n++)
        sum += on_host[n];
    CHECK(cudaFree(sums));
    free(on_host);
    return sum;
}

// The same, by blocks of THREADS.
double mass(const float *numbers, size_t count)
{
    return total(numbers, count, THREADS);
}
