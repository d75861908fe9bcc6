#include "check_exercise.h"
#include "device_memory.h"

#include EXERCISE

enum { MOST = 30011, ORDERS = 5, BEFORE = 7 };
static const char *const orders[ORDERS] = {"forward", "reverse", "shuffle:1", "shuffle:2", "shuffle:3"};

/** The units of the student's file. */
static __global__ void convert(const float *weight, Sum *units)
{
    units[threadIdx.x] = units_of(weight[threadIdx.x]);
}

/** Ends the check unless a weight has the right number of units. */
static void expect_units(float weight)
{
    const dim3 one = {1, 1, 1};
    const Sum expected = (Sum)llrint(ldexp((double)weight, 32));
    Sum got = 0;
    float *const there = (float *)to_device(&weight, sizeof weight);
    Sum *const units = (Sum *)to_device(&got, sizeof got);
    LAUNCH(convert, one, one, there, units);
    from_device(&got, units, sizeof got);
    CHECK(cudaFree(there));
    if (got != expected)
        wrong("a weight of %.9g: expected %llu units, got %llu", weight, expected, got);
}

/** Ends the check unless the first `count` weights are added to sums that were BEFORE, in all orders of the threads;
 * on a GPU, in as many runs. */
static void expect_sums(const unsigned char *bin, const float *weight, int count)
{
    Sum expected[BINS], got[BINS];
    for (int k = 0; k < ORDERS; k++) {
        for (int n = 0; n < BINS; n++)
            expected[n] = got[n] = BEFORE;
        for (int n = 0; n < count; n++)
            expected[bin[n]] += (Sum)llrint(ldexp((double)weight[n], 32));
        unsigned char *const bin_there = (unsigned char *)to_device(bin, (size_t)count);
        float *const weight_there = (float *)to_device(weight, (size_t)count * sizeof *weight);
        Sum *const sums = (Sum *)to_device(got, sizeof got);
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        deposit(bin_there, weight_there, count, sums);
        unsetenv("LBM_THREAD_ORDER");
        from_device(got, sums, sizeof got);
        CHECK(cudaFree(bin_there));
        CHECK(cudaFree(weight_there));
        for (int n = 0; n < BINS; n++)
            if (got[n] != expected[n])
                wrong(
                    "the sum of bin %d, of %d numbers, threads in the order \"%s\": expected %llu units, got %llu",
                    n, count, orders[k], expected[n], got[n]);
    }
}

void check(void)
{
    static unsigned char bin[MOST];
    static float weight[MOST], ones[MOST];
    for (int n = 0; n < MOST; n++) {
        bin[n] = (unsigned char)((n / 20 + n % 3 * 11) % BINS);
        weight[n] = powf((float)(n % 1000 + 1), -2.5f);
        ones[n] = 1.0f;
    }
    part("TODO(1)", "2^32 units are 1; which function rounds to the nearest integer, and which one cuts?");
    for (int n = 0; n < 1000; n++)
        expect_units(weight[n]);
    part("TODO(2)",
         "who has set the shared memory to zero, who reads it, and have all others come so far by then? "
         "Does each number, and each bin, have a thread?");
    const int counts[] = {1, 31, THREADS + 1, 5000, MOST};
    for (int n = 0; n < 5; n++) {
        expect_sums(bin, ones, counts[n]);
        expect_sums(bin, weight, counts[n]);
    }
}
