// A barrier of all blocks of a launch, made of a counter.
#include "gpu/counter.h"
#include "gpu/packet.h"

#include "check.h"

#include <stdlib.h>

enum { BLOCKS = 6, THREADS = 50, STEPS = 7, NUMBERS = BLOCKS * THREADS };

enum { RIGHT, NO_BARRIER_BEFORE, NO_WAIT };

static __device__ __forceinline__ void wait_for_all(unsigned *counter, unsigned expected, int *timed_out,
                                                    int how)
{
    if (how != NO_BARRIER_BEFORE)
        __syncthreads();
    if (threadIdx.x == 0) {
        Wait wait = {timed_out, 0, 0};
        arrive(counter);
        while (how != NO_WAIT && load_arrivals(counter) < expected && keep_waiting(&wait))
            ;
    }
    __syncthreads();
}

/** In each step each thread adds up the numbers of three threads, of which two are in other blocks. */
static __global__ void add_neighbours(int *from, int *to, unsigned *counter, int *timed_out, int how)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x, apart = blockDim.x + 1;
    for (int step = 1; step <= STEPS; step++) {
        to[n] = (from[(n + NUMBERS - apart) % NUMBERS] + from[n] + 2 * from[(n + apart) % NUMBERS]) % 1000;
        wait_for_all(counter, step * gridDim.x, timed_out, how);
        int *const swap = from;
        from = to;
        to = swap;
    }
}
BLOCK_KERNEL(add_neighbours, int *, int *, unsigned *, int *, int);

static void add_on_host(int *from)
{
    int to[NUMBERS];
    for (int step = 1; step <= STEPS; step++) {
        for (int n = 0, apart = THREADS + 1; n < NUMBERS; n++)
            to[n] =
                (from[(n + NUMBERS - apart) % NUMBERS] + from[n] + 2 * from[(n + apart) % NUMBERS]) % 1000;
        memcpy(from, to, sizeof to);
    }
}

static int is_right(const char *order, int how)
{
    const dim3 grid = {BLOCKS, 1, 1}, block = {THREADS, 1, 1};
    int expected[NUMBERS], got[NUMBERS], *numbers[2], *timed_out;
    unsigned *counter;
    for (int n = 0; n < NUMBERS; n++)
        expected[n] = n * n % 17;
    for (int k = 0; k < 2; k++)
        CHECK(cudaMalloc((void **)&numbers[k], sizeof got));
    CHECK(cudaMalloc((void **)&counter, sizeof *counter));
    CHECK(cudaMalloc((void **)&timed_out, sizeof *timed_out));
    CHECK(cudaMemset(counter, 0, sizeof *counter));
    CHECK(cudaMemset(timed_out, 0, sizeof *timed_out));
    CHECK(cudaMemcpy(numbers[0], expected, sizeof expected, cudaMemcpyHostToDevice));
    setenv("LBM_THREAD_ORDER", order, 1);
    LAUNCH_COOPERATIVE(add_neighbours, grid, block, 0, numbers[0], numbers[1], counter, timed_out, how);
    unsetenv("LBM_THREAD_ORDER");
    check_waits(timed_out);
    CHECK(cudaMemcpy(got, numbers[STEPS % 2], sizeof got, cudaMemcpyDeviceToHost));
    for (int k = 0; k < 2; k++)
        CHECK(cudaFree(numbers[k]));
    CHECK(cudaFree(counter));
    CHECK(cudaFree(timed_out));
    add_on_host(expected);
    return memcmp(got, expected, sizeof got) == 0;
}

static int times_right(int how)
{
    static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
    int right = 0;
    for (int k = 0; k < 4; k++)
        right += is_right(orders[k], how);
    return right;
}

static void skip_on_gpu(void)
{
#ifndef GPU_ON_CPU
    SKIP("on a GPU a race need not show");
#endif
}

TEST(blocks_that_count_each_other_agree)
{
    EXPECT(times_right(RIGHT) == 4);
}

TEST(a_block_that_arrives_before_its_threads_have_written_shows)
{
    skip_on_gpu();
    EXPECT(times_right(NO_BARRIER_BEFORE) < 4);
}

TEST(a_block_that_does_not_wait_shows)
{
    skip_on_gpu();
    EXPECT(times_right(NO_WAIT) < 4);
}
