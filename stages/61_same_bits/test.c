#include "capsules.h"
#include "refused.h"

TEST(the_order_of_the_threads_changes_no_bit)
{
    expect_same_bits_in_all_orders();
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
