#include "host/subnormal.h"

#include "check.h"

#include <pthread.h>

/** Half of the smallest normal number. */
static float half_of_smallest(void)
{
    volatile float smallest = 0x1p-126f, half = 0.5f;
    return smallest * half;
}

static void *in_a_thread(void *result)
{
    *(float *)result = half_of_smallest();
    return NULL;
}

TEST(a_subnormal_result_becomes_0_and_is_kept_again)
{
    EXPECT(flush_subnormals(0) == 0 && half_of_smallest() == 0x1p-127f);
#ifdef __SSE__
    EXPECT(flush_subnormals(1) == 0 && half_of_smallest() == 0.0f);
    EXPECT(flush_subnormals(1) == 1 && flush_subnormals(0) == 1);
    EXPECT(half_of_smallest() == 0x1p-127f);
#endif
}

TEST(a_thread_does_as_the_one_that_started_it)
{
#ifdef __SSE__
    for (int flush = 0; flush < 2; flush++) {
        pthread_t thread;
        float result = -1.0f;
        flush_subnormals(flush);
        EXPECT(pthread_create(&thread, NULL, in_a_thread, &result) == 0);
        EXPECT(pthread_join(thread, NULL) == 0 && result == (flush ? 0.0f : 0x1p-127f));
    }
    flush_subnormals(0);
#else
    (void)in_a_thread;
    SKIP("subnormal results are flushed on x86 only");
#endif
}
