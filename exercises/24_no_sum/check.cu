#include "check_exercise.h"
#include "device_memory.h"
#include "fence.h"

#include EXERCISE

enum { COUNT = 5000 };

/** Small whole numbers, whose sum is exact in any order. */
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

void check(void)
{
    const int noticed =
        crashes(launch_what_is_refused); // first of all: a process with a GPU in use can't fork
    float numbers[COUNT];
    fill(numbers);
    part("TODO(1) and TODO(3)",
         "if the sum is 0, that is what it was set to before the launch: has the kernel "
         "run? compute-sanitizer tells why not. If a barrier is named, some threads of "
         "the block never come to it");
    if (sum_in("forward", numbers, 2048, 0) == 0.0)
        wrong("the sum of 2048 numbers from 1 to 11: expected more than 2047, got 0");
    part("TODO(2)",
         "the device refused to run the kernel, and the program went on as if it had run. What does "
         "LAUNCH_BLOCKS do that BARE_LAUNCH_BLOCKS does not?");
    if (!noticed)
        wrong("blocks of 4096 threads, which no device takes, went unnoticed");
    part("TODO(3)", "who has written share[t + half] when this thread reads it?");
    expect_sum(numbers, 2048, 64);
    expect_sum(numbers, 2048, 0);
    part("TODO(3)", "the last block has fewer numbers than threads: all of them must reach each barrier, and "
                    "none may read behind the numbers");
    expect_sum(numbers, COUNT, 64);
    expect_sum(numbers, COUNT, 0);
}
