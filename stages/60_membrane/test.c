#include "capsules.h"

/** The atomic additions come in another order, and so round otherwise: in the last bits, but they do. */
TEST(the_order_of_the_threads_changes_the_last_bits)
{
#ifdef GPU_ON_CPU
    Scenario s = small_capsule(0.1);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 60);
    const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    for (int n = 0; n < 3; n++) {
        setenv("LBM_THREAD_ORDER", orders[n], 1);
        Snapshot r = run_flow(&STAGE, &s, small_block, 60);
        EXPECT(different_bits(&r, &expected) > 0);
        EXPECT(velocity_difference(&r, &expected) <= 64.0 * STAGE.epsilon);
        EXPECT(nodes_apart(&r, &expected) <= 64.0 * STAGE.epsilon);
        destroy_snapshot(&r);
    }
    unsetenv("LBM_THREAD_ORDER");
    destroy_snapshot(&expected);
    destroy_scenario(&s);
#else
    SKIP("only the emulator runs threads in a chosen order");
#endif
}
