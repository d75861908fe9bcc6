// Flows in space: geometry, exact solutions, sizes.
#include "flow/scenario.h"
#include "lattice/lattice.h"
#include "result/snapshot.h"

#include "check.h"

#include <math.h>

static Scenario duct(int width, int height, int depth)
{
    return create_scenario(find_flow("duct"), (Parameters){.width = width, .height = height, .depth = depth});
}

TEST(a_duct_has_four_walls)
{
    Scenario s = duct(3, 6, 5);
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const Position at = position_of(&s, cell);
        const int wall = at.y == 0 || at.y == 5 || at.z == 0 || at.z == 4;
        EXPECT(s.type[cell] == (wall ? WALL : FLUID));
    }
    destroy_scenario(&s);
}

/** Largest and mean velocity of a duct whose fluid has these sides, over G a^2 / mu, a the shorter one. */
static void sum_up_duct(int height, int depth, double *largest, double *mean)
{
    Scenario s = duct(1, height + 2, depth + 2);
    const double a = fmin(height, depth), unit = s.physics.force_x * a * a / s.nu;
    *largest = *mean = 0.0;
    for (int z = 1; z <= depth; z++)
        for (int y = 1; y <= height; y++) {
            const double u = exact_at(&s, 0.0, (Position){0, y, z}).ux / unit;
            *largest = fmax(*largest, u);
            *mean += u / (height * depth);
        }
    destroy_scenario(&s);
}

/** Of a square u_max = 0.073671 and u_mean = 0.035144 G a^2 / mu; of sides 1:2 Q = 0.114341 * 2 G a^4 / mu /
 * 2 and u_max / u_mean = 1.99180: the series, summed apart. The centre is a cell's where sides are odd. */
TEST(ducts_have_the_profile_of_the_series)
{
    double largest, mean;
    sum_up_duct(101, 101, &largest, &mean);
    EXPECT_NEAR(largest, 0.073671, 1e-6);
    EXPECT_NEAR(mean, 0.035144, 1e-5); // the midpoint rule over cells
    sum_up_duct(101, 202, &largest, &mean);
    EXPECT_NEAR(mean, 0.114341 / 2.0, 1e-5);
    EXPECT_NEAR(largest / mean, 1.99180, 1e-3);
    double turned, turned_mean;
    sum_up_duct(202, 101, &turned, &turned_mean);
    EXPECT_NEAR(turned, largest, 1e-6);
    EXPECT_NEAR(turned_mean, mean, 1e-6);
}

TEST(the_force_of_a_duct_makes_its_speed)
{
    Scenario s = duct(1, 11, 23);
    EXPECT_NEAR(exact_at(&s, 0.0, (Position){0, 5, 11}).ux, s.u, 1e-6 * s.u);
    EXPECT(s.physics.force_y == 0.0f && s.physics.force_z == 0.0f);
    destroy_scenario(&s);
}

/** Velocity of the flow abc at a point of the grid, which is periodic. */
static Moments abc_at(const Scenario *s, int x, int y, int z)
{
    return exact_at(s, 0.0, (Position){x, y, z});
}

/** Its vorticity by central differences is sin(k) / k times k times the velocity, and its divergence 0. */
TEST(abc_is_a_beltrami_flow)
{
    enum { N = 24 };
    Scenario s = create_scenario(find_flow("abc"), (Parameters){.width = N, .u = 0.1});
    const double k = 2.0 * 3.14159265358979 / N, factor = sin(k);
    double fastest = 0.0, worst = 0.0, sum = 0.0;
    EXPECT(s.height == N && s.depth == N);
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const Position p = position_of(&s, cell);
        const Moments m = abc_at(&s, p.x, p.y, p.z);
        const Moments e = abc_at(&s, p.x + 1, p.y, p.z), w = abc_at(&s, p.x - 1, p.y, p.z);
        const Moments n = abc_at(&s, p.x, p.y + 1, p.z), o = abc_at(&s, p.x, p.y - 1, p.z);
        const Moments u = abc_at(&s, p.x, p.y, p.z + 1), d = abc_at(&s, p.x, p.y, p.z - 1);
        const double curl[3] = {(n.uz - o.uz - u.uy + d.uy) / 2.0, (u.ux - d.ux - e.uz + w.uz) / 2.0,
                                (e.uy - w.uy - n.ux + o.ux) / 2.0};
        const double divergence = (e.ux - w.ux + n.uy - o.uy + u.uz - d.uz) / 2.0;
        worst = fmax(worst, fabs(curl[0] - factor * m.ux) + fabs(curl[1] - factor * m.uy) +
                                fabs(curl[2] - factor * m.uz) + fabs(divergence));
        fastest = fmax(fastest, sqrt(m.ux * m.ux + m.uy * m.uy + m.uz * m.uz));
        sum += m.drho;
    }
    EXPECT(worst < 1e-7);
    EXPECT(fastest <= 0.1 && fastest > 0.099);
    EXPECT_NEAR(sum / (double)cell_count(&s), 0.0, 1e-7);
    const double later = exact_at(&s, 100.0, (Position){3, 5, 7}).uy / abc_at(&s, 3, 5, 7).uy;
    EXPECT_NEAR(later, exp(-s.nu * k * k * 100.0), 1e-6);
    destroy_scenario(&s);
}

/* ---- Cube ---- */

TEST(a_cube_has_a_lid_whose_edges_are_still)
{
    Scenario s = create_scenario(find_flow("cube"), (Parameters){.width = 5, .height = 6, .depth = 7});
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const Position at = position_of(&s, cell);
        const int side = at.x == 0 || at.x == 4 || at.z == 0 || at.z == 6 || at.y == 0;
        EXPECT(s.type[cell] == (side ? WALL : at.y == 5 ? MOVING_WALL : FLUID));
    }
    EXPECT(s.length == 3.0);
    destroy_scenario(&s);
}

/** Summed over all directions, -6 w_i (e_i . u) e_i is -2 u. */
TEST(the_lid_of_a_cube_drives_along_x_alone)
{
    Scenario s = resolve_scenario(find_flow("cube"), (Parameters){.width = 8, .u = 0.1});
    double momentum[3] = {0.0, 0.0, 0.0}, mass = 0.0;
    for (int i = 0; i < 19; i++) {
        mass += s.physics.wall_gain[i];
        for (int axis = 0; axis < 3; axis++)
            momentum[axis] += s.physics.wall_gain[i] * d3q19.e(i, axis);
    }
    EXPECT_NEAR(mass, 0.0, 1e-9);
    EXPECT_NEAR(momentum[0], -2.0 * 0.1, 1e-7);
    EXPECT_NEAR(momentum[1], 0.0, 1e-9);
    EXPECT_NEAR(momentum[2], 0.0, 1e-9);
}

TEST(a_cube_of_one_layer_is_the_plane_cavity)
{
    Scenario s = create_scenario(find_flow("cube"), (Parameters){.width = 6, .height = 5, .depth = 1}),
             plane = create_scenario(find_flow("cavity"), (Parameters){.width = 6, .height = 5});
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        EXPECT(s.type[cell] == plane.type[cell]);
    destroy_scenario(&plane);
    destroy_scenario(&s);
}

/* ---- Taylor-Green vortices in space ---- */

static Moments vortices_at(const Scenario *s, int x, int y, int z)
{
    const int n = s->width;
    return start_at(s, (Position){(x + n) % n, (y + n) % n, (z + n) % n}, NULL);
}

/** By central differences, the divergence is 0, and the pressure has the Laplacian of the velocity's
 * products:
 * -(d_a u_b) (d_b u_a), the Poisson equation of an incompressible flow. */
TEST(vortices_in_space_start_divergence_free_with_their_pressure)
{
    enum { N = 48 };
    Scenario s =
        resolve_scenario(find_flow("taylor_green_3d"), (Parameters){.width = N, .tau = 0.8, .u = 0.1});
    const double k = 2.0 * 3.14159265358979 / N, unit = 0.01 * k * k;
    double energy = 0.0, fastest = 0.0;
    for (int cell = 0; cell < N * N * N; cell += 7) {
        const int x = cell % N, y = cell / N % N, z = cell / N / N;
        double gradient[3][3], laplacian = -6.0 * vortices_at(&s, x, y, z).drho, product = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            const int dx = axis == 0, dy = axis == 1, dz = axis == 2;
            const Moments a = vortices_at(&s, x + dx, y + dy, z + dz),
                          b = vortices_at(&s, x - dx, y - dy, z - dz);
            gradient[axis][0] = 0.5 * (a.ux - b.ux);
            gradient[axis][1] = 0.5 * (a.uy - b.uy);
            gradient[axis][2] = 0.5 * (a.uz - b.uz);
            laplacian += (double)a.drho + b.drho;
        }
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                product += gradient[a][b] * gradient[b][a];
        EXPECT_NEAR(gradient[0][0] + gradient[1][1] + gradient[2][2], 0.0, 1e-7);
        EXPECT_NEAR(laplacian / 3.0 / unit, -product / unit, 0.03);
        const Moments m = vortices_at(&s, x, y, z);
        const double square = m.ux * m.ux + m.uy * m.uy + m.uz * m.uz;
        energy += 0.5 * square * 7.0 / (N * N * N);
        fastest = fmax(fastest, sqrt(square));
    }
    EXPECT_NEAR(energy, 0.01 / 8.0, 1e-5);
    EXPECT(fastest <= 0.1 && fastest > 0.099);
    EXPECT_NEAR(s.length, 1.0 / k, 1e-9);
}

/* ---- Sphere ---- */

TEST(the_stream_past_a_sphere_is_open_all_round)
{
    Scenario s = create_scenario(find_flow("sphere"), (Parameters){.width = 24, .height = 9, .depth = 11});
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const Position at = position_of(&s, cell);
        if (at.x == 0 || at.y == 0 || at.y == 8 || at.z == 0 || at.z == 10)
            EXPECT(s.type[cell] == OPEN);
        else if (at.x == 23)
            EXPECT(s.type[cell] == OUTFLOW);
        else
            EXPECT(s.type[cell] == FLUID || s.type[cell] == BODY);
    }
    EXPECT(s.physics.open_x == (Real)s.u && s.physics.open_y == 0.0f && s.physics.open_curvature == 0.0f);
    destroy_scenario(&s);
}
