/**
 * @file marked_rows.cu
 * Which rows of a strip a stage marks as rows with a boundary. The build defines SOLVER, the stage's file.
 */
#include SOLVER

#include "run_flow.h"
#include "simulation/simulation.h"

#include "check.h"

TEST(rows_without_links_are_known_as_such)
{
    Scenario s =
        create_scenario(find_flow("taylor_green"), (Parameters){.width = 4 * TILE_COLUMNS, .height = 9});
    s.type[4 * s.width] = BODY; // in the middle of the first strip, which lies across the border
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    unsigned char has_boundary[4 * 9];
    CHECK(cudaMemcpy(has_boundary, solver_of(solver)->has_boundary, sizeof has_boundary,
                     cudaMemcpyDeviceToHost));
    for (int n = 0; n < 4 * 9; n++)
        EXPECT(has_boundary[n] == (n >= 3 && n <= 5));
    end_simulation(solver);
    destroy_scenario(&s);
}
