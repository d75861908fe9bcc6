#include "check_exercise.h"
#include "device_memory.h"
#include "fence.h"
#include "gpu/device.h"

/** What the student's file has done so far. */
static struct {
    int copies, clears; /**< to the host; of memory */
    long atomics;       /**< counted on the CPU only, as what follows */
    unsigned threads;   /**< of the largest launch */
} done;

__attribute__((unused)) static cudaError_t watched_memcpy(void *to, const void *from, size_t bytes,
                                                          enum cudaMemcpyKind kind)
{
    done.copies += kind == cudaMemcpyDeviceToHost;
    hide_device_memory(0);
    const cudaError_t error = cudaMemcpy(to, from, bytes, kind);
    hide_device_memory(1);
    return error;
}
#define cudaMemcpy watched_memcpy

#ifndef __CUDACC__
__attribute__((unused)) static cudaError_t watched_memset(void *memory, int value, size_t bytes)
{
    done.clears++;
    hide_device_memory(0);
    const cudaError_t error = cudaMemset(memory, value, bytes);
    hide_device_memory(1);
    return error;
}
#define cudaMemset watched_memset

static cudaError_t watched_launch(dim3 grid, dim3 block, size_t shared_bytes, void (*thread)(const void *),
                                  const void *arguments)
{
    const unsigned threads = grid.x * block.x;
    done.threads = threads > done.threads ? threads : done.threads;
    hide_device_memory(0);
    const cudaError_t error = launch_blocks(grid, block, shared_bytes, thread, arguments);
    hide_device_memory(1);
    return error;
}
#define launch_blocks watched_launch

#undef atomicAdd
#define atomicAdd(memory, value)                                                                             \
    (done.atomics++, _Generic(*(memory), float : atomic_add_float, double : atomic_add_double)(memory, value))
#endif

#include EXERCISE

enum { MOST = 100003, ORDERS = 5, LEAST_THREADS = 4096 };
static const char *const orders[ORDERS] = {"forward", "reverse", "shuffle:1", "shuffle:2", "shuffle:3"};

/** Sums of the student's warps, and of blocks, of numbers that differ in every thread. */
static __global__ void add_each_warp(const double *numbers, double *sums)
{
    const unsigned n = blockIdx.x * blockDim.x + threadIdx.x;
    const double sum = add_warp(numbers[n]);
    if (threadIdx.x % WARP == 0)
        sums[n / WARP] = sum;
}
BLOCK_KERNEL(add_each_warp, const double *, double *);

static __global__ void add_each_block(const double *numbers, double *sums)
{
    const double sum = add_block(numbers[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}
BLOCK_KERNEL(add_each_block, const double *, double *);

/** Ends the check unless the sums of groups of so many threads, warps or blocks, are right. */
static void expect_sums_of(const char *what, int group)
{
    enum { COUNT = 3 * THREADS };
    const dim3 grid = {3, 1, 1}, block = {THREADS, 1, 1};
    double numbers[COUNT], sums[COUNT];
    for (int n = 0; n < COUNT; n++)
        numbers[n] = n * n % 1009;
    for (int k = 0; k < ORDERS; k++) {
        double *device = (double *)to_device(numbers, sizeof numbers),
               *to = (double *)to_device(sums, sizeof sums);
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        if (group == WARP)
            LAUNCH_BLOCKS(add_each_warp, grid, block, 0, device, to);
        else
            LAUNCH_BLOCKS(add_each_block, grid, block, 0, device, to);
        unsetenv("LBM_THREAD_ORDER");
        from_device(sums, to, sizeof sums);
        CHECK(cudaFree(device));
        for (int n = 0; n < COUNT / group; n++) {
            double expected = 0.0;
            for (int t = 0; t < group; t++)
                expected += numbers[n * group + t];
            if (!(sums[n] == expected))
                wrong("the sum of %s %d, threads in the order \"%s\": expected %g, got %g", what, n,
                      orders[k], expected, sums[n]);
        }
    }
}

/** The first `count` numbers on the device, aligned for loads of 16 bytes, and behind them NaN and a fence.
 */
static float *numbers_on_device(const float *numbers, size_t count)
{
    const size_t bytes = (count + 3) / 4 * 4 * sizeof *numbers;
    float *memory;
    CHECK(cudaMalloc((void **)&memory, bytes));
    CHECK(cudaMemset(memory, 0xff, bytes));
    CHECK(cudaMemcpy(memory, numbers, count * sizeof *numbers, cudaMemcpyHostToDevice));
    return memory;
}

/** The student's sum of the first `count` numbers, in an order of the threads. */
static double sum_in(const char *order, const float *numbers, size_t count)
{
    float *on_device = numbers_on_device(numbers, count);
    double *partial, *sum, on_host = NAN;
    CHECK(cudaMalloc((void **)&partial, BLOCKS * sizeof *partial));
    sum = (double *)to_device(&on_host, sizeof on_host);
    memset(&done, 0, sizeof done);
    setenv("LBM_THREAD_ORDER", order, 1);
    add_up(on_device, count, partial, sum);
    unsetenv("LBM_THREAD_ORDER");
    if (done.copies > 0)
        wrong("%d copies to the host for the sum of %zu numbers: expected none, the sum stays on the device",
              done.copies, count);
    from_device(&on_host, sum, sizeof on_host);
    CHECK(cudaFree(partial));
    CHECK(cudaFree(on_device));
    return on_host;
}

/** Ends the check unless each block of the first pass stores one number, and these add up to the sum. */
static void expect_partial(const float *numbers, size_t count)
{
    const dim3 grid = {BLOCKS, 1, 1}, block = {THREADS, 1, 1};
    double expected = 0.0, got = 0.0, partial[BLOCKS];
    for (int b = 0; b < BLOCKS; b++)
        partial[b] = NAN;
    float *on_device = numbers_on_device(numbers, count);
    double *partial_there = (double *)to_device(partial, sizeof partial);
    memset(&done, 0, sizeof done);
    LAUNCH_BLOCKS(add_numbers, grid, block, 0, on_device, count, partial_there);
    if (gpu_is_emulated && done.atomics > 0)
        wrong("%ld atomic additions for %zu numbers: expected none", done.atomics, count);
    from_device(partial, partial_there, sizeof partial);
    CHECK(cudaFree(on_device));
    for (size_t n = 0; n < count; n++)
        expected += numbers[n];
    for (int b = 0; b < BLOCKS; b++)
        got += partial[b];
    if (!(got == expected))
        wrong("the first pass leaves in `partial` the sum %g of %zu numbers: expected %g", got, count,
              expected);
}

/** Integers, whose sum is exact in any order. */
static void expect_sum(const float *numbers, size_t count)
{
    double expected = 0.0;
    for (size_t n = 0; n < count; n++)
        expected += numbers[n];
    for (int k = 0; k < ORDERS; k++) {
        const double got = sum_in(orders[k], numbers, count);
        if (!(got == expected))
            wrong("the sum of %zu numbers, threads in the order \"%s\": expected %g, got %g", count,
                  orders[k], expected, got);
    }
}

/** Ends the check unless the sum of numbers of many magnitudes has the same bits in all orders; on a GPU, in
 * as many runs. Their exact sum is 0, so what is left of it is the rounding of each addition. */
static void expect_same_bits(size_t count)
{
    static float numbers[MOST];
    for (size_t n = 0; n < count / 2; n++) {
        numbers[n] = powf((float)(n % 1000 + 3), -4.0f);
        numbers[count - 1 - n] = -numbers[n];
    }
    const double first = sum_in(orders[0], numbers, count);
    for (int k = 1; k < ORDERS; k++) {
        const double other = sum_in(orders[k], numbers, count);
        if (memcmp(&other, &first, sizeof other) != 0)
            wrong("the sum of %zu numbers, threads in the order \"%s\": %a; in the order \"%s\": %a: "
                  "expected the "
                  "same bits",
                  count, orders[0], first, orders[k], other);
    }
}

void check(void)
{
    static float integers[MOST], large[MOST];
    for (int n = 0; n < MOST; n++) {
        integers[n] = (float)(n * 7 % 11 + 1);
        large[n] = n == 0 ? 16777216.0f : 1.0f;
    }
    part("TODO(1)",
         "after the first of five shuffles lane 0 has two numbers: its own, and which one? How many "
         "lanes does it have after the second?");
    expect_sums_of("warp", WARP);
    part("TODO(2)", "who reads of_warp[1], and has its warp written it by then?");
    expect_sums_of("block", THREADS);

    const char *const stored = "a sum that is not a number is one that nobody has stored; else compare the "
                               "numbers that the threads add with those that there are";
    part("TODO(3)",
         "each block has a place of its own in `partial`, so no addition has to be atomic; a sum that "
         "is not a number is one that nobody has stored");
    const size_t counts[] = {4, 1, THREADS + 1, 5000, MOST};
    for (int n = 0; n < 5; n++)
        expect_partial(integers, counts[n]);
    part("TODO(4)", stored);
    expect_sum(integers, 4);
    expect_sum(integers, 1);
    expect_sum(integers, THREADS + 1);
    expect_sum(integers, 5000);
    expect_sum(integers, MOST);
    part("TODO(3)", "a float that has come to 2^24 stays there, however often you add 1");
    expect_sum(large, MOST);
    part("TODO(4)", "which number does add_partial find there that it needs?");
    if (gpu_is_emulated && done.clears > 0)
        wrong("%d calls of cudaMemset for a sum: expected none", done.clears);
    part("TODO(4)", "the additions to one address are made one after another, in an order that nobody knows");
    if (gpu_is_emulated && done.atomics > 0)
        wrong("%ld atomic additions for %d numbers: expected none", done.atomics, MOST);
    part("TODO(3) and TODO(4)", "which additions are made in the order in which threads or blocks come by?");
    expect_same_bits(5000);
    expect_same_bits(MOST);
    part("TODO(3)", "right, but slow: a GPU has work for tens of thousands of threads, of many blocks");
    if (gpu_is_emulated && done.threads < LEAST_THREADS)
        wrong("%u threads add %d numbers: expected %d at least", done.threads, MOST, LEAST_THREADS);
}
