/**
 * @file beyond_32_bits.cu
 * Where a stage keeps a population or a moment, beyond what 32 bits count. The build defines SOLVER, the
 * stage's file, and SOA for structures of arrays, or SOA_MOMENTS if `at` takes the grid from Physics.
 */
#ifdef __CUDACC__
#pragma nv_diag_suppress 20011 // `get` and `put` of a stage of the CPU call functions of the host
#endif
#include SOLVER

#include "check.h"

#ifdef SOA_MOMENTS
static size_t at_in_grid(size_t cell, int i, size_t cells)
{
    Physics physics = {};
    physics.width = cells > 1 ? 65535 : 1;
    physics.height = cells / physics.width;
    return at(cell, i, &physics);
}
#define AT(cell, i, cells) at_in_grid(cell, i, cells)
#elif defined SOA
#define AT(cell, i, cells) at(cell, i, cells)
#else
#define AT(cell, i, cells) at(cell, i)
#endif

#if defined SOA_MOMENTS || defined MOMENTS_D3Q19_H
enum { VALUES = MOMENTS }; // of a cell
#else
enum { VALUES = DIRECTIONS };
#endif

TEST(the_last_population_of_many_lies_where_the_first_ones_point)
{
    const size_t cells = UINT32_MAX, last = cells - 1, cell_step = AT(1, 0, 1) - AT(0, 0, 1);
    EXPECT(cell_step == 1 || cell_step == 2 || cell_step == VALUES);
    for (int i = 0; i < VALUES; i++) {
        const size_t without_cells = AT(0, i, 0), for_each_cell = AT(0, i, 1) - without_cells;
        EXPECT(AT(last, i, cells) == last * cell_step + without_cells + cells * for_each_cell);
        EXPECT(without_cells ==
               (size_t)i % cell_step); // beside each other in a cell, and then in other arrays
        EXPECT(for_each_cell == (size_t)i / cell_step * cell_step);
    }
}
