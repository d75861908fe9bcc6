#include "hard_grids.h"
#include "host/allocate.h"
#include "lattice/d3q19.h"
#include "run_flow.h"

#include "check.h"

#include <stdlib.h>

/** Two grids, all numbers of a cell together, on the CPU: as plain as the method can be. */
static Snapshot run_plainly(const Scenario *s, int steps)
{
    const size_t bytes = population_count(s) * sizeof(float);
    float *now = (float *)allocate(bytes), *next = (float *)allocate(bytes); // [depth][height][width][19]
    initial_populations(s, now);
    memset(next, 0, bytes);
    for (int n = 0; n < steps; n++) {
        for (size_t cell = 0; cell < cell_count(s); cell++) {
            const Position at = position_of(s, cell);
            float *f = now + 19 * cell;
            if (is_wall(s->type[cell]))
                continue;
            collide(f, s->type[cell], at.y, &s->physics);
            for (int i = 0; i < 19; i++) {
                const Destination to = boundary(&s->physics, s->type, at.x, at.y, at.z, i);
                next[19 * (size_t)to.cell + to.direction] = f[i] + to.gain;
            }
        }
        float *const swap = now;
        now = next;
        next = swap;
    }
    Snapshot r = create_snapshot(s);
    memcpy(r.f, now, bytes);
    find_moments(&r);
    free(now);
    free(next);
    return r;
}

/** Whether a flow is the plain one: bit for bit, or, as a GPU's compiler fuses operations, but for rounding.
 * An H200 showed up to 3.8 epsilon, and 5.0 in outflow cells of mazes; with fused operations on a CPU it is
 * 4.5, and 8.8 where the flow has an outflow. */
static int is_plain(const Scenario *s, int steps)
{
    Snapshot r = run_flow(&STAGE, s, small_block, steps), expected = run_plainly(s, steps);
#ifdef GPU_ON_CPU
    const int is = different_bits(&r, &expected) == 0;
#else
    const double allowed = (has_outflow(s) ? 16.0 : 8.0) * STAGE.epsilon;
    const int is = velocity_difference(&r, &expected) <= allowed;
#endif
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return is;
}

TEST(every_flow_is_the_plain_one)
{
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        for (int steps = 0; steps <= 41; steps += steps < 3 ? 1 : 19)
            EXPECT(is_plain(&s, steps));
        destroy_scenario(&s);
    }
}

TEST(mazes_in_space_are_the_plain_ones)
{
    static const int sizes[][3] = {
        {1,  3, 3 },
        {2,  3, 5 },
        {33, 4, 3 },
        {7,  9, 11}
    };
    for (int n = 0; n < 4; n++)
        for (unsigned solid = 2; solid <= 10; solid += 4) {
            Scenario s = create_maze_in_space(sizes[n][0], sizes[n][1], sizes[n][2], solid);
            EXPECT(is_plain(&s, 7));
            destroy_scenario(&s);
        }
}

/** The exact flow is straight; that of the lattice is not (labs/cross_flow, in double precision). */
TEST(a_duct_flows_across_itself_as_the_lattice_has_it)
{
    const Parameters small = {.width = 1, .height = 10, .depth = 10, .tau = 0.933, .u = 0.05};
    Scenario s = create_scenario(find_flow("duct"), small);
    Snapshot r = run_flow(&STAGE, &s, small_block, 266);
    double along = 0.0, across = 0.0;
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        along = fmax(along, r.moments[cell].ux);
        across = fmax(across, hypot(r.moments[cell].uy, r.moments[cell].uz));
    }
    EXPECT_NEAR(across / along, 2.33e-4, 1e-6);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}
