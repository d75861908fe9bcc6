/**
 * @file lanes.cu
 * A stage on lanes whose warps have another number of them. The build defines SOLVER, the stage's file, LANES, and
 * REFERENCE, its name.
 */
#include SOLVER

#include "run_flow.h"

#include "check.h"

static const Stage *as_it_is(void)
{
    int n = 0;
    while (strcmp(stages[n]->name, REFERENCE) != 0)
        n++;
    return stages[n];
}

TEST(the_number_of_lanes_changes_no_bit)
{
    _Static_assert(LANES == 64, "the build defines LANES");
    int flows_taken = 0;
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        flows_taken++;
        Parameters grid = odd_grid(&flows[k]);
        if (!flows[k].is_cube && !flows[k].body)
            grid.width += 100; // more than a warp has
        Scenario s = create_scenario(&flows[k], grid);
        Snapshot expected = run_flow(as_it_is(), &s, small_block, 23);
        Snapshot r = run_flow(&STAGE, &s, small_block, 23);
        EXPECT(different_bits(&r, &expected) == 0);
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
        destroy_scenario(&s);
    }
    EXPECT(flows_taken > 0);
}
