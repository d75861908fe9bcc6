/**
 * @file beyond_32_bits.cu
 * Where a stage keeps a population, beyond what 32 bits count. The build defines SOLVER, the stage's file,
 * and SOA for structures of arrays.
 */
#include SOLVER

#include "check.h"

#ifdef SOA
#define AT(cell, i) at(cell, i, cells)
#else
#define AT(cell, i) at(cell, i)
#endif

TEST(the_last_population_of_many_lies_where_the_first_ones_point)
{
    const size_t cells = UINT32_MAX, last = cells - 1;
    const size_t cell_step = AT(1, 0) - AT(0, 0), direction_step = AT(0, 1) - AT(0, 0);
    EXPECT((cell_step == 9 && direction_step == 1) || (cell_step == 1 && direction_step == cells));
    for (int i = 0; i < 9; i++)
        EXPECT(AT(last, i) == last * cell_step + (size_t)i * direction_step);
}
