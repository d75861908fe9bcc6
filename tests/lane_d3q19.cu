// The collision of lane_d3q19.h, by itself.
#include "device_memory.h"
#include "gpu/lane_d3q19.h"

#include "check.h"
#include "drift.h"

/** Collides the populations f[cell][19] of a cell in each lane. */
static __global__ void collide_similar(float *f, Physics physics, Factors factors)
{
    const LaneInt place = 19 * (warp_number() * LANES + lane_number()), everywhere = place >= 0;
    const Lane force[3] = {broadcast(physics.force_x), broadcast(physics.force_y),
                           broadcast(physics.force_z)};
    const float stored[3] = {12.0f, 2.0f, 1.0f}; // the number by which they are divided
    Lane now[19], m[MOMENTS];
    for (int i = 0; i < 19; i++)
        now[i] = load(f + i, place) / stored[(i > 0) + (i > 6)];
    const CrossingSums up = sum_up(now), down = sum_down(now);
    start_moments(m, now, &up);
    add_down(m, &down);
    collide_lanes(now, m, force, &factors);
    for (int i = 0; i < 19; i++)
        store(f + i, place, everywhere, now[i] * stored[(i > 0) + (i > 6)]);
}

static void collide_all(float *f, const Physics *physics)
{
    const size_t bytes = 19 * SIMILAR_CELLS * sizeof *f;
    float *const there = (float *)to_device(f, bytes);
    LAUNCH_WARPS(collide_similar, SIMILAR_CELLS / LANES, there, *physics, factors_of(physics));
    from_device(f, there, bytes);
}

TEST(rounding_in_lanes_does_not_add_up)
{
    expect_no_drift(collide_all);
}
