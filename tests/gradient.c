// The velocity gradient, vorticity and Q criterion of flows whose velocity is linear.
#include "result/gradient.h"

#include "check.h"

static Scenario s;
static Result r;

/** A flow in space, periodic, whose velocity is u[i][0] x + u[i][1] y + u[i][2] z. */
static void open_linear_flow(int size, const float u[3][3])
{
    s = create_scenario(find_flow("abc"), (Parameters){.width = size});
    r = create_result(&s);
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const Position at = position_of(&s, cell);
        float v[3];
        for (int i = 0; i < 3; i++)
            v[i] = u[i][0] * (float)at.x + u[i][1] * (float)at.y + u[i][2] * (float)at.z;
        r.moments[cell] = (Moments){1.0f, v[0], v[1], v[2]};
    }
}

static void close_flow(void)
{
    destroy_result(&r);
    destroy_scenario(&s);
}

/** At the ends of the grid, too. */
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
    const float u[3][3] = {{1.0f}};
    open_linear_flow(1, u);
    const Gradient g = gradient_at(&r, (Position){0, 0, 0});
    const Gradient none = {0};
    EXPECT(memcmp(&g, &none, sizeof g) == 0);
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
