#include "lattice/moments_d3q19.h"

#include "floats_in_space.h"

/** The populations after so many steps, with moments alone kept between two steps, and without tiles; the
 * caller destroys the result. */
static Snapshot run_on_moments(const Scenario *s, int steps)
{
    Snapshot r = create_snapshot(s);
    r.step = steps;
    float *arrived = (float *)allocate(population_count(s) * sizeof *arrived);
    initial_populations(s, r.f);
    for (int n = 0; n < steps; n++) {
        memcpy(arrived, r.f, population_count(s) * sizeof *arrived);
        for (size_t cell = 0; cell < cell_count(s); cell++) {
            const Position at = position_of(s, cell);
            if (is_wall(s->type[cell]))
                continue;
            float m[MOMENTS];
            sum_moments(m, arrived + 19 * cell);
            const Collided after = collide_moments(m, s->type[cell], at.y, &s->physics);
            for (int i = 0; i < 19; i++) {
                const Destination to = boundary(&s->physics, s->type, at.x, at.y, at.z, i);
                r.f[19 * (size_t)to.cell + (size_t)to.direction] = population(&after, i) + to.gain;
            }
        }
    }
    find_moments(&r);
    free(arrived);
    return r;
}

/** Whether a flow is the one without tiles: bit for bit, or, as a GPU's compiler fuses operations, but for
 * rounding. */
static int is_the_same_without_tiles(const Scenario *s, int steps)
{
    Snapshot r = run_flow(&STAGE, s, small_block, steps), expected = run_on_moments(s, steps);
#ifdef GPU_ON_CPU
    const int is = different_bits(&r, &expected) == 0;
#else
    const int is = largest_difference(&r, &expected) <= 5e-7;
#endif
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    return is;
}

TEST(tiles_change_nothing)
{
    static const int sizes[][3] = {
        {1,  3,  3 },
        {31, 5,  4 },
        {32, 8,  4 },
        {33, 4,  9 },
        {64, 3,  5 },
        {66, 10, 11}
    };
    for (int n = 0; n < 6; n++)
        for (unsigned solid = 0; solid <= 6; solid += 2) {
            Scenario s = create_maze_in_space(sizes[n][0], sizes[n][1], sizes[n][2], solid);
            s.physics.open_centre = 1.5f;
            s.physics.open_curvature = 0.02f;
            EXPECT(is_the_same_without_tiles(&s, 4));
            destroy_scenario(&s);
        }
}

TEST(a_single_wall_is_noted_in_all_tiles_around_it)
{
    static const int xs[] = {0, 31, 32, 33}, ys[] = {0, 3, 4, 5}, zs[] = {0, 3, 4};
    for (int n = 0; n < 4 * 4 * 3; n++) {
        const int x = xs[n % 4], y = ys[n / 4 % 4], z = zs[n / 16];
        Scenario s = create_single_cell_in_space(34, 6, 5, ((size_t)z * 6 + y) * 34 + x, n % 2 ? WALL : BODY);
        EXPECT(is_the_same_without_tiles(&s, 2));
        destroy_scenario(&s);
    }
}

TEST(any_block_gives_the_same_bits)
{
    const Block blocks[] = {
        {1,   1 },
        {7,   3 },
        {128, 1 },
        {32,  32}
    };
    Scenario s = create_maze_in_space(35, 6, 7, 3);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 3);
    for (int n = 0; n < 4; n++) {
        Snapshot r = run_flow(&STAGE, &s, blocks[n], 3);
        EXPECT(different_bits(&r, &expected) == 0);
        destroy_snapshot(&r);
    }
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}
