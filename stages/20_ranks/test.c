#include "run_flow.h"

#include "check.h"

TEST(the_bits_are_those_of_the_first_stage)
{
#ifdef GPU_ON_CPU
    EXPECT(bits_apart(&STAGE, stages[0]) == 0);
#else
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}
