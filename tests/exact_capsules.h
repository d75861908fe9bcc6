/**
 * @file exact_capsules.h
 * Tests of stages with a membrane that have the bits of the stage before; their test.c includes this file.
 */
#ifndef EXACT_CAPSULES_H
#define EXACT_CAPSULES_H

#include "capsules.h"

/** Also on a GPU: neither stage is compiled with fused operations. */
TEST(the_bits_are_those_of_the_stage_before)
{
    EXPECT(bits_apart(&STAGE, stage_before(&STAGE)) == 0);
}

/** Membranes of 80 triangles, which are no multiple of a block. */
TEST(each_of_several_capsules_has_the_bits_of_the_stage_before)
{
    Scenario s = create_scenario(
        find_flow("capsule"),
        (Parameters){.width = 20, .height = 20, .depth = 12, .tau = 0.8, .u = 0.04, .capsules = 5});
    Snapshot r = run_flow(&STAGE, &s, small_block, 60),
             expected = run_flow(stage_before(&STAGE), &s, small_block, 60);
    EXPECT(s.membrane.count == 5 && s.membrane.triangles % 64 != 0);
    EXPECT(different_bits(&r, &expected) == 0);
    EXPECT(nodes_apart(&r, &expected) == 0.0);
    destroy_snapshot(&expected);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(the_order_of_the_threads_changes_no_bit)
{
    expect_same_bits_in_all_orders();
}

#endif
