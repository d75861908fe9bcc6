#include "check.h"
#include "plain_pairs.h"

TEST(steps_in_any_parts_are_the_same_steps)
{
    static const int parts[][3] = {
        {401, 0,   0  },
        {200, 200, 1  },
        {1,   200, 200},
        {199, 1,   201},
        {1,   399, 1  }
    };
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 21, .height = 15});
    Snapshot expected = run_flow(&STAGE, &s, small_block, 401);
    for (int k = 0; k < 5; k++) {
        Snapshot r = run_flow_cut(&STAGE, &s, parts[k], 3);
        EXPECT(different_bits(&r, &expected) == 0);
        destroy_snapshot(&r);
    }
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

/** A step that does not wait for the one before shows on a grid of many blocks. */
TEST(the_cavity_is_that_of_the_first_stage)
{
    EXPECT_NEAR(cavity_difference(&STAGE, stages[0]), 0.0, 2e-6);
}

TEST(the_bits_are_those_of_two_plain_grids)
{
#ifdef GPU_ON_CPU
    EXPECT(bits_apart_from_plain_pairs(&STAGE) == 0);
#else
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}
