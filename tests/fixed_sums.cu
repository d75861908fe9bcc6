/**
 * @file fixed_sums.cu
 * A stage that adds up integers in fixed point: what becomes of a number, and whether a sum can overflow. The build
 * defines SOLVER, the stage's file.
 */
#include SOLVER

#include "check.h"

#include <float.h>

TEST(a_sum_of_the_largest_summands_does_not_overflow)
{
    const float numbers[] = {1.0f, -1.0f, 1.5f, -1024.0f, 1e30f, -FLT_MAX, INFINITY, -INFINITY, NAN};
    for (int n = 0; n < 9; n++)
        for (int k = 0; k < 2; k++) {
            const long long summand = (long long)to_fixed(numbers[n], k ? per_size : per_force);
            long long sum = summand;
            EXPECT(!__builtin_mul_overflow(summand, (long long)MOST_SUMMANDS, &sum));
            EXPECT(numbers[n] < 0.0f ? sum < 0 : !(numbers[n] > 0.0f) || sum > 0);
        }
    long long sum;
    EXPECT(__builtin_mul_overflow((long long)to_fixed(INFINITY, per_force), MOST_SUMMANDS + 1LL, &sum));
}

TEST(what_lies_below_half_a_unit_is_lost)
{
    for (float x = 0.999f; x > 1e-12f; x *= 0.77f) {
        const float back = from_fixed(to_fixed(-x, per_force), per_force);
        EXPECT_NEAR(back, -x, x >= 0x1p-16f ? 0.0 : 0x1p-41);
    }
    EXPECT(to_fixed(0x1p-42f, per_force) == 0 && to_fixed(0x1.8p-41f, per_force) == 1);
}

TEST(the_order_of_a_sum_changes_no_bit)
{
    Fixed forwards = 0, backwards = 0;
    for (int n = 1; n <= 1000; n++) {
        forwards += to_fixed(sinf((float)n) / (float)n, per_size);
        backwards += to_fixed(sinf((float)(1001 - n)) / (float)(1001 - n), per_size);
    }
    EXPECT(forwards == backwards && from_fixed(forwards, per_size) > 1.0f);
}
