#include "run_flow.h"

#include "check.h"

TEST(a_start_moves)
{
    EXPECT(moves_its_start(&STAGE));
}

TEST(the_cavity_is_that_of_the_first_stage)
{
    EXPECT_NEAR(cavity_difference(&STAGE, stages[0]), 0.0, 2e-6);
}

TEST(the_bits_are_those_of_the_first_stage)
{
#ifdef GPU_ON_CPU
    EXPECT(bits_apart(&STAGE, stages[0]) == 0);
#else
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}
