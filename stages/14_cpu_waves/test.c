#include "bits_of_the_stage_before.h"
#include "simulation/simulation.h"

extern int omp_get_max_threads(void);
extern void omp_set_num_threads(int count);

/** Populations that differ between this stage with so many threads and the stage before, after 1, 3, 20, ...
 * steps: parts of passes, single steps and several passes, of which the next one begins with an even or an
 * odd step. */
static size_t bits_apart_in_parts(const Scenario *s, int threads)
{
    static const int parts[] = {1, 2, 17, 1, 20, 4};
    const Stage *before = stage_before(&STAGE);
    const int usual_threads = omp_get_max_threads();
    omp_set_num_threads(threads);
    Snapshot r = create_snapshot(s), expected = create_snapshot(s);
    Simulation *solver = begin_simulation(&STAGE, s, small_block),
               *other = begin_simulation(before, s, small_block);
    size_t all = 0;
    for (int n = 0, steps = 0; n < 6; n++) {
        steps += parts[n];
        advance_simulation(solver, parts[n]);
        advance_simulation(other, parts[n]);
        read_snapshot(&r, solver);
        read_snapshot(&expected, other);
        const size_t count = different_bits(&r, &expected);
        if (count > 0)
            printf("%s %dx%d, %d threads: %zu populations differ after %d steps\n", s->flow->name, s->width,
                   s->height, threads, count, steps);
        all += count;
    }
    end_simulation(solver);
    end_simulation(other);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    omp_set_num_threads(usual_threads);
    return all;
}

/** The same in a flow, on a grid of so many cells. */
static size_t bits_apart_in_flow(const char *flow, int width, int height, int threads)
{
    Scenario s = create_scenario(find_flow(flow), (Parameters){.width = width, .height = height, .tau = 0.6});
    const size_t count = bits_apart_in_parts(&s, threads);
    destroy_scenario(&s);
    return count;
}

/** The same in a maze of 2^16 cells, enough for several threads, in rows of any length that is a power of
 * two. */
static size_t bits_apart_in_parts_of_a_maze(int width, int threads)
{
    Scenario s = create_maze(256, 256, 3);
    s.width = s.physics.width = width;
    s.height = s.physics.height = 256 * 256 / width;
    s.u = 1e-7; // the vortices of a long grid are that much faster
    const size_t count = bits_apart_in_parts(&s, threads);
    destroy_scenario(&s);
    return count;
}

TEST(a_team_computes_the_bits_of_the_stage_before) // long
{
    for (int k = 0; k < flow_count; k++)
        if (takes_flow(&STAGE, &flows[k]))
            EXPECT(bits_apart_in_flow(flows[k].name, 701, 383, 2) == 0);
}

TEST(teams_of_any_size_compute_the_same) // long
{
    const int sizes[] = {1, 3, 5, 8, 64};
    for (int k = 0; k < 5; k++)
        EXPECT(bits_apart_in_flow("bodies", 701, 383, sizes[k]) == 0);
}

TEST(low_and_narrow_grids_are_shared_too) // long
{
#ifdef __SANITIZE_ADDRESS__ // a wrong address shows at once
    enum { FACTOR = 64 };
#else
    enum { FACTOR = 4 };
#endif
    for (int width = 1; width <= 256 * 256; width *= FACTOR)
        for (int threads = 1; threads <= 5; threads += 2)
            EXPECT(bits_apart_in_parts_of_a_maze(width, threads) == 0);
}

TEST(passes_of_any_length_end_at_the_ends_of_small_grids)
{
    for (int height = 1; height <= 44; height++) {
        Scenario s = create_maze(23, height, 3);
        EXPECT(bits_apart_in_parts(&s, 1) == 0);
        destroy_scenario(&s);
    }
}

TEST(the_bits_are_the_same_in_a_maze_in_parallel)
{
    EXPECT(bits_apart_in_a_maze(&STAGE, stage_before(&STAGE), 601, 503, 2) == 0);
}
