// The velocity gradient, vorticity and Q criterion of flows whose gradient is known.
#include "result/gradient.h"

#include "check.h"

static Scenario s;
static Snapshot r;

/** A box in space with an open border, in which the velocity is u[i][0] x + u[i][1] y + u[i][2] z. */
static void open_linear_flow(int size, const float u[3][3])
{
    s = create_scenario(find_flow("abc"), (Parameters){.width = size});
    r = create_snapshot(&s);
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const Position at = position_of(&s, cell);
        const int last = size - 1;
        float v[3];
        for (int i = 0; i < 3; i++)
            v[i] = u[i][0] * (float)at.x + u[i][1] * (float)at.y + u[i][2] * (float)at.z;
        r.moments[cell] = (Moments){0.0f, v[0], v[1], v[2]};
        if (at.x % last == 0 || at.y % last == 0 || at.z % last == 0)
            s.type[cell] = OPEN;
    }
}

static void close_flow(void)
{
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** Whether neither the cell nor its neighbours along the axes are walls or openings. */
static int is_amid_fluid(Position at)
{
    int amid = 1;
    for (int axis = 0; axis < 3; axis++)
        for (int step = -1; step <= 1; step++) {
            Position beside = at;
            int *const along = axis == 0 ? &beside.x : axis == 1 ? &beside.y : &beside.z;
            *along = wrap(*along + step, side_of(&s, axis));
            amid &= s.type[cell_at(&s, beside)] == FLUID;
        }
    return amid;
}

/** At openings, too, where it is one-sided. */
TEST(the_gradient_of_a_linear_flow_is_exact)
{
    const float u[3][3] = {
        {1.0f,  2.0f,  -3.0f},
        {4.0f,  -5.0f, 6.0f },
        {-7.0f, 8.0f,  9.0f }
    };
    open_linear_flow(4, u);
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const Gradient g = gradient_at(&r, position_of(&s, cell));
        EXPECT(memcmp(g.u, u, sizeof u) == 0);
        EXPECT(vorticity(&g, 0) == u[2][1] - u[1][2]);
        EXPECT(vorticity(&g, 1) == u[0][2] - u[2][0]);
        EXPECT(vorticity(&g, 2) == u[1][0] - u[0][1]);
    }
    close_flow();
}

TEST(one_cell_has_no_gradient)
{
    s = create_scenario(find_flow("abc"), (Parameters){.width = 1});
    r = initial_snapshot(&s);
    const Gradient g = gradient_at(&r, (Position){0, 0, 0});
    const Gradient none = {0};
    EXPECT(memcmp(&g, &none, sizeof g) == 0);
    close_flow();
}

/** Central differences take sin(k) / k of the slope of a wave, at the ends of a periodic grid as inside. */
TEST(the_gradient_of_a_periodic_flow_goes_round)
{
    s = create_scenario(find_flow("abc"), (Parameters){.width = 24});
    r = initial_snapshot(&s);
    const double k = 2.0 * 3.14159265358979 / s.width;
    double worst = 0.0;
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        Gradient exact;
        start_at(&s, position_of(&s, cell), &exact);
        const Gradient g = gradient_at(&r, position_of(&s, cell));
        for (int i = 0; i < 9; i++)
            worst = fmax(worst, fabs(g.u[i / 3][i % 3] - sin(k) / k * exact.u[i / 3][i % 3]));
    }
    EXPECT_NEAR(worst, 0.0, 1e-6 * s.u);
    close_flow();
}

/** By differences between cells beside which no wall and no opening is. */
TEST(every_flow_starts_with_the_gradient_of_its_velocity)
{
    for (int n = 0; n < flow_count; n++) {
        s = create_scenario(&flows[n], (Parameters){0});
        r = initial_snapshot(&s);
        double worst = 0.0, largest = 0.0;
        for (size_t cell = 0; cell < cell_count(&s); cell++) {
            const Position at = position_of(&s, cell);
            Gradient exact;
            start_at(&s, at, &exact);
            const Gradient g = gradient_at(&r, at);
            for (int i = 0; i < 9 && is_amid_fluid(at); i++) {
                worst = fmax(worst, fabs(g.u[i / 3][i % 3] - exact.u[i / 3][i % 3]));
                largest = fmax(largest, fabs(exact.u[i / 3][i % 3]));
            }
        }
        EXPECT(largest > 0.0 || flows[n].start == NONE);
        EXPECT_NEAR(worst, 0.0, 0.01 * largest);
        close_flow();
    }
}

/** Half a cell outside the fluid stand the walls of a duct: a parabola between them has its exact slope in
 * the first row, too, and none in the walls. */
TEST(walls_are_half_a_cell_away)
{
    s = create_scenario(find_flow("duct"), (Parameters){.width = 3, .height = 9, .depth = 8});
    r = create_snapshot(&s);
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const float y = (float)position_of(&s, cell).y - 0.5f;
        r.moments[cell] = (Moments){.ux = is_wall(s.type[cell]) ? 0.0f : y * (7.0f - y)};
    }
    for (int y = 0; y < s.height; y++)
        for (int z = 0; z < s.depth; z += 4) { // a wall, and the middle
            const Gradient g = gradient_at(&r, (Position){1, y, z});
            const int solid = y == 0 || y == s.height - 1 || z == 0;
            EXPECT_NEAR(g.u[0][1], solid ? 0.0 : 8.0 - 2.0 * y, 1e-5);
            EXPECT(g.u[0][0] == 0.0f && g.u[1][1] == 0.0f && (solid || g.u[0][2] == 0.0f));
        }
    close_flow();
}

/** A lid drags a single row of fluid along: the velocity falls from that of the lid to 0 over one cell. */
TEST(a_moving_wall_has_its_velocity)
{
    s = create_scenario(find_flow("cavity"), (Parameters){.width = 5, .height = 3, .u = 0.125});
    r = initial_snapshot(&s);
    const Gradient g = gradient_at(&r, (Position){2, 1, 0});
    EXPECT(g.u[0][1] == 0.125f && vorticity(&g, 2) == -0.125f);
    close_flow();
}

/** A solid body that rotates by w has Q = w^2, a strain at the rate a has -a^2, and a shear flow, which is
 * half of each, 0. */
TEST(q_is_rotation_less_strain)
{
    const float w = 0.25f,
                flows[][3][3] = {
                    {{0, -w},     {w}},
                    {{0},           {0, 0, -w}, {0, w}},
                    {{w},{0, -w}},
                    {{0, w},           {w}},
                    {{0, 0, w}             },
    };
    const float expected[] = {w * w, w * w, -w * w, -w * w, 0.0f};
    for (int n = 0; n < 5; n++) {
        open_linear_flow(3, flows[n]);
        const Gradient g = gradient_at(&r, (Position){1, 1, 1});
        EXPECT_NEAR(q_criterion(&g), expected[n], 1e-7);
        close_flow();
    }
}

/** Half the squares of the rates of rotation and strain, as the definition has them, for any gradient. */
TEST(q_is_what_its_definition_says)
{
    const Gradient g = {
        {{0.3f, -0.7f, 0.2f}, {0.5f, 0.1f, -0.9f}, {-0.4f, 0.8f, 0.6f}}
    };
    double rotation = 0.0, strain = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            rotation += pow(0.5 * (g.u[i][j] - g.u[j][i]), 2.0);
            strain += pow(0.5 * (g.u[i][j] + g.u[j][i]), 2.0);
        }
    EXPECT_NEAR(q_criterion(&g), 0.5 * (rotation - strain), 1e-6);
}
