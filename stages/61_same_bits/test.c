#include "capsules.h"
#include "refused.h"

TEST(the_order_of_the_threads_changes_no_bit)
{
#ifdef GPU_ON_CPU
    Scenario s = small_capsule(0.1);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 60);
    const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    for (int n = 0; n < 3; n++) {
        setenv("LBM_THREAD_ORDER", orders[n], 1);
        Snapshot r = run_flow(&STAGE, &s, small_block, 60);
        EXPECT(different_bits(&r, &expected) == 0);
        EXPECT(nodes_apart(&r, &expected) == 0.0);
        destroy_snapshot(&r);
    }
    unsetenv("LBM_THREAD_ORDER");
    destroy_snapshot(&expected);
    destroy_scenario(&s);
#else
    SKIP("only the emulator runs threads in a chosen order");
#endif
}

/** It is refused before the device is used, which a process that a test forks can't do. */
static void create_too_many_triangles(void)
{
    Scenario s = small_capsule(0.1);
    s.membrane.triangles = 1 << 23;
    STAGE.create(&s, s.type, small_block);
}

TEST(more_triangles_than_a_sum_can_hold_are_refused)
{
    EXPECT(refuses(create_too_many_triangles, "8388608 triangles are too many for sums"));
}
