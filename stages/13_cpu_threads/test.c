#include "bits_of_the_stage_before.h"

extern int omp_get_max_threads(void);
extern void omp_set_num_threads(int count);

/** Populations that differ from the stage before in a flow, on a grid that is large enough for so many
 * threads. */
static size_t bits_apart_in_parallel(const char *flow, int threads)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    Scenario s = create_scenario(find_flow(flow), (Parameters){.width = 701, .height = 383, .tau = 0.6});
    const size_t count = bits_apart_within(&STAGE, stage_before(&STAGE), &s, 3);
    destroy_scenario(&s);
    omp_set_num_threads(before);
    return count;
}

TEST(a_team_computes_the_bits_of_one_thread) // long
{
    for (int k = 0; k < flow_count; k++)
        if (takes_flow(&STAGE, &flows[k]))
            EXPECT(bits_apart_in_parallel(flows[k].name, 2) == 0);
}

TEST(teams_of_any_size_compute_the_same)
{
    const int sizes[] = {1, 3, 5, 8};
    for (int k = 0; k < 4; k++)
        EXPECT(bits_apart_in_parallel("bodies", sizes[k]) == 0);
}

TEST(the_bits_are_the_same_in_a_maze_in_parallel)
{
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 601, 503, 2) == 0);
}
