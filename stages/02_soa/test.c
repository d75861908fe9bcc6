#include "run_flow.h"

#include "check.h"

TEST(both_transposes_undo_each_other)
{
    const Parameters parameters = {.width = 37, .height = 5};
    Scenario s = create_scenario(find_flow("taylor_green"), parameters);
    float *start = allocate(9 * cell_count(&s) * sizeof(float));
    initial_populations(&s, start);
    EXPECT(start[0] != start[9] && start[0] != start[1]); // or an order would not show
    float *f = run_flow(&STAGE, &s, small_block, 0);
    EXPECT(different_bits(&s, f, start) == 0);
    free(f);
    free(start);
    destroy_scenario(&s);
}
