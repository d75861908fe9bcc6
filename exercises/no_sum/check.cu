#include "check_exercise.h"
#include "device_memory.h"
#include "fence.h"
#include "gpu/device.h"

/** What the student's file has done so far. */
static struct {
    size_t copied; /**< bytes, to the host */
    long waits;    /**< of threads for others; counted on the CPU only */
    int launches;  /**< that a device can run; counted on the CPU only */
} done;

static inline cudaError_t watched_memcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    done.copied += kind == cudaMemcpyDeviceToHost ? bytes : 0;
    hide_device_memory(0);
    const cudaError_t error = cudaMemcpy(to, from, bytes, kind);
    hide_device_memory(1);
    return error;
}
#define cudaMemcpy watched_memcpy

#ifndef __CUDACC__
static cudaError_t watched_memset(void *memory, int value, size_t bytes)
{
    hide_device_memory(0);
    const cudaError_t error = cudaMemset(memory, value, bytes);
    hide_device_memory(1);
    return error;
}
#define cudaMemset watched_memset

/** The first launch that a device can run solves TODO(1). */
static cudaError_t watched_launch(dim3 grid, dim3 block, size_t shared_bytes, void (*thread)(const void *),
                                  const void *arguments)
{
    if (block.x <= 1024 && done.launches++ == 0)
        part("TODO(3)",
             "the kernel runs now. If a barrier is named, some threads of the block never reach it: "
             "they returned, or the barrier stands in a branch that they do not take");
    hide_device_memory(0);
    const cudaError_t error = launch_blocks(grid, block, shared_bytes, thread, arguments);
    hide_device_memory(1);
    return error;
}
#define launch_blocks watched_launch

#undef BARRIER
#define BARRIER(name) (done.waits++, &(const Barrier){name, __FILE__, __LINE__, __COUNTER__})
#endif

#include EXERCISE

enum { COUNT = 5000 };

/** Small integers, whose sum is exact in any order. */
static void fill(float *numbers)
{
    for (int n = 0; n < COUNT; n++)
        numbers[n] = (float)(n * 7 % 11 + 1);
}

/** A launch that no device takes: the program is to end. */
static void launch_what_is_refused(void)
{
    float numbers[COUNT];
    fill(numbers);
    total((const float *)to_device(numbers, sizeof numbers), COUNT, 4096);
}

/** The first `count` numbers, which lie before a fence, added up in an order of the threads. */
static double sum_in(const char *order, const float *numbers, size_t count, unsigned threads)
{
    void *memory = NULL;
    CHECK(cudaMalloc(&memory, count * sizeof *numbers));
    CHECK(cudaMemcpy(memory, numbers, count * sizeof *numbers, cudaMemcpyHostToDevice));
    setenv("LBM_THREAD_ORDER", order, 1);
    const double sum =
        threads ? total((const float *)memory, count, threads) : mass((const float *)memory, count);
    unsetenv("LBM_THREAD_ORDER");
    CHECK(cudaFree(memory));
    return sum;
}

static void expect_sum(const float *numbers, size_t count, unsigned threads)
{
    static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
    double expected = 0.0;
    for (size_t n = 0; n < count; n++)
        expected += numbers[n];
    for (int k = 0; k < 4; k++) {
        const double got = sum_in(orders[k], numbers, count, threads);
        if (!(got == expected))
            wrong("the sum of %zu numbers, threads in the order \"%s\": expected %g, got %g", count,
                  orders[k], expected, got);
    }
}

/** Ends the check if more than one number of each block comes to the host; 0 threads: THREADS, which may
 * be 32. */
static void expect_added_up_in_blocks(const float *numbers, size_t count, unsigned threads)
{
    const size_t most = count / (threads ? threads : 32) * sizeof(double);
    done.copied = 0;
    sum_in("forward", numbers, count, threads);
    if (done.copied > most)
        wrong(
            "%zu bytes come to the host for the sum of %zu numbers in blocks of %s threads: expected at most "
            "%zu, a number of each block",
            done.copied, count, threads ? "64" : "THREADS", most);
}

/** Ends the check if the threads of a block of 64 wait for each other too seldom to share the additions. */
static void expect_many_adders(const float *numbers)
{
    done.waits = 0;
    sum_in("forward", numbers, 2048, 64);
    const double waits = (double)done.waits / 2048.0;
    if (gpu_is_emulated && !(waits >= 3.0))
        wrong("a thread of a block of 64 waits %.2g times for the others: expected 6 times or so, at least 3",
              waits);
}

void check(void)
{
    static const char never_ran[] = "if the sum is 0, that is what it was set to before the launch: has the "
                                    "kernel run? compute-sanitizer tells why not";
    const int noticed =
        crashes(launch_what_is_refused); // first of all: a process with a GPU in use can't fork
    float numbers[COUNT];
    fill(numbers);
    part("TODO(1)", never_ran);
    const double sum = sum_in("forward", numbers, 2048, 0);
    part("TODO(1)", never_ran);
    if (sum == 0.0)
        wrong("the sum of 2048 numbers from 1 to 11: expected more than 2047, got 0");
    part("TODO(1)", "the blocks add up the numbers on the device, and the host adds up only what the blocks "
                    "leave. A block takes at least 32 threads, a warp");
    expect_added_up_in_blocks(numbers, 2048, 64);
    expect_added_up_in_blocks(numbers, 2048, 0);
    part("TODO(2)",
         "the device refused to run the kernel, and the program went on as if it had run. What does "
         "LAUNCH_BLOCKS do that UNCHECKED_LAUNCH_BLOCKS does not?");
    if (!noticed)
        wrong("blocks of 4096 threads, which no device takes, went unnoticed");
    part("TODO(3)", "who has written share[t + half] when this thread reads it?");
    expect_sum(numbers, 2048, 64);
    expect_sum(numbers, 2048, 0);
    part("TODO(3)",
         "one thread, or a few threads, do most of the additions: half of a block's threads can add at "
         "the same time, and then wait for each other");
    expect_many_adders(numbers);
    part("TODO(3)", "the last block has fewer numbers than threads: all of them must reach each barrier, and "
                    "none may read behind the numbers");
    expect_sum(numbers, COUNT, 64);
    expect_sum(numbers, COUNT, 0);
}
