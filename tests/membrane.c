// The membrane: its mesh, its forces against their energies, its shape, and the delta function.
#include "flow/membrane.h"

#include "check.h"
#include "host/allocate.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846, middle[3] = {15.5, 15.5, 15.5};
static const Real shear = 0.5f;

/** A triangle, its rest as coordinates in its plane, and one that is strained by about a fifth. */
static const Triangle at_rest = {
    {{0.0f, 0.0f, 0.0f}, {1.25f, 0.0f, 0.0f}, {0.5f, 0.75f, 0.0f}}
};
static const Triangle strained = {
    {{3.0f, -2.0f, 1.0f}, {4.25f, -1.5f, 1.5f}, {3.0f, -1.25f, 0.75f}}
};

static Membrane m;

static void open_sphere(double radius)
{
    m = create_ellipsoid(middle, (double[]){radius, radius, radius}, refinement_of(radius));
}

/** Moves a node by as much as `size` along each axis, each by another distance. */
static Vector displacement(int node, double size)
{
    const double n = node;
    return (Vector){(Real)(size * sin(1.7 * n)), (Real)(size * sin(2.3 * n + 1.0)),
                    (Real)(size * cos(3.1 * n))};
}

/** Stretches the membrane, and moves each of its nodes. */
static void deform(double size)
{
    for (int n = 0; n < m.nodes; n++) {
        const Vector d = displacement(n, size);
        m.position[n] = 1.25f * m.position[n] + d.x;
        m.position[m.nodes + n] = 0.75f * m.position[m.nodes + n] + d.y;
        m.position[2 * m.nodes + n] += 0.25f * m.position[n] + d.z;
    }
}

static void to_doubles(double p[3][3], const Triangle *t)
{
    for (int c = 0; c < 3; c++) {
        p[c][0] = t->corner[c].x;
        p[c][1] = t->corner[c].y;
        p[c][2] = t->corner[c].z;
    }
}

static double product(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Coordinates of a triangle in its plane: (0, 0), (x[0], 0), (x[1], x[2]). */
static void lay_flat(double x[3], double p[3][3])
{
    double u[3], v[3];
    for (int a = 0; a < 3; a++) {
        u[a] = p[1][a] - p[0][a];
        v[a] = p[2][a] - p[0][a];
    }
    x[0] = sqrt(product(u, u));
    x[1] = product(u, v) / x[0];
    x[2] = sqrt(product(v, v) - x[1] * x[1]);
}

/** The energy as the law has it, from the stretches: those of the matrix that maps rest to now in the plane. */
static double energy(const Triangle *rest, double now[3][3])
{
    double p[3][3], before[3], after[3];
    to_doubles(p, rest);
    lay_flat(before, p);
    lay_flat(after, now);
    const double f_xx = after[0] / before[0], f_yy = after[2] / before[2];
    const double f_xy = (after[1] - f_xx * before[1]) / before[2];
    const double squares = f_xx * f_xx + f_xy * f_xy + f_yy * f_yy, area = f_xx * f_yy;
    return 0.5 * before[0] * before[2] * 0.5 * shear * (squares + 1.0 / (area * area) - 3.0);
}

/** The derivative of an energy with respect to one coordinate. */
static double slope(double (*of)(const Triangle *, double[3][3]), const Triangle *t, int corner, int axis)
{
    const double step = 1e-5;
    double above[3][3], below[3][3];
    to_doubles(above, t);
    to_doubles(below, t);
    above[corner][axis] += step;
    below[corner][axis] -= step;
    return (of(&at_rest, above) - of(&at_rest, below)) / (2.0 * step);
}

static double component(Vector v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* ---- Mesh ---- */

TEST(edges_are_about_a_cell_long)
{
    EXPECT(refinement_of(13.5) == 4 && refinement_of(7.0) == 3);
    open_sphere(13.5);
    EXPECT(m.triangles == 5120 && m.nodes == 2562);
    for (int n = 0; n < m.triangles; n++) {
        const Triangle t = triangle_of(&m, m.position, n);
        for (int c = 0; c < 3; c++) {
            const Vector edge = vector_between(t.corner[c], t.corner[(c + 1) % 3]);
            EXPECT_NEAR(sqrt(inner_product(edge, edge)), 1.03, 0.16);
        }
    }
    destroy_membrane(&m);
}

/** Each edge is in two triangles, once in each direction, and V - E + F = 2. */
TEST(the_mesh_is_closed_and_its_triangles_turn_one_way)
{
    open_sphere(7.0);
    unsigned char *edge = allocate((size_t)m.nodes * (size_t)m.nodes);
    for (int n = 0; n < 3 * m.triangles; n++) {
        const int c = n / m.triangles, next = (c + 1) % 3 * m.triangles + n % m.triangles;
        edge[m.corner[n] * m.nodes + m.corner[next]]++;
    }
    int edges = 0;
    for (int a = 0; a < m.nodes; a++)
        for (int b = 0; b < m.nodes; b++) {
            EXPECT(edge[a * m.nodes + b] <= 1 && edge[a * m.nodes + b] == edge[b * m.nodes + a]);
            edges += edge[a * m.nodes + b];
        }
    EXPECT(m.nodes - edges / 2 + m.triangles == 2);
    EXPECT(m.volume > 0.0f);
    free(edge);
    destroy_membrane(&m);
}

TEST(a_node_knows_its_corners)
{
    open_sphere(7.0);
    int fives = 0;
    EXPECT(m.first[0] == 0 && m.first[m.nodes] == 3 * m.triangles);
    for (int n = 0; n < m.nodes; n++) {
        const int count = m.first[n + 1] - m.first[n];
        EXPECT(count == 5 || count == 6);
        fives += count == 5;
        for (int i = m.first[n]; i < m.first[n + 1]; i++)
            EXPECT(m.corner[m.around[i]] == n && (i == m.first[n] || m.around[i] > m.around[i - 1]));
    }
    EXPECT(fives == 12);
    destroy_membrane(&m);
}

/* ---- Forces ---- */

TEST(the_elastic_force_is_the_slope_of_the_energy)
{
    Vector force[3];
    elastic_forces(force, &strained, inverse_metric(&at_rest), shear);
    for (int i = 0; i < 9; i++)
        EXPECT_NEAR(component(force[i / 3], i % 3), -slope(energy, &strained, i / 3, i % 3), 1e-6);
}

/** With x a small stretch of both axes the tension is 6 G_s x; of one at constant area, 2 G_s x. */
TEST(the_modulus_is_that_of_shear)
{
    const Triangle right = {
        {{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}}
    };
    const Real x = 1e-3f;
    const Triangle both = {
        {{0.0f, 0.0f, 0.0f}, {1.0f + x, 0.0f, 0.0f}, {0.0f, 1.0f + x, 0.0f}}
    };
    const Triangle one = {
        {{0.0f, 0.0f, 0.0f}, {1.0f + x, 0.0f, 0.0f}, {0.0f, 1.0f - x, 0.0f}}
    };
    Vector force[3];
    elastic_forces(force, &both, inverse_metric(&right), shear);
    EXPECT_NEAR(force[1].x / (-0.5 * shear * x), 6.0, 0.05);
    elastic_forces(force, &one, inverse_metric(&right), shear);
    EXPECT_NEAR(force[1].x / (-0.5 * shear * x), 2.0, 0.02);
    EXPECT_NEAR(force[2].y / (-0.5 * shear * x), -2.0, 0.02);
}

TEST(at_rest_there_is_no_force)
{
    open_sphere(7.0);
    for (int n = 0; n < m.triangles; n++) {
        const Triangle t = triangle_of(&m, m.position, n);
        const Metric rest = {m.rest[n], m.rest[m.triangles + n], m.rest[2 * m.triangles + n]};
        Vector force[3];
        elastic_forces(force, &t, rest, shear);
        for (int i = 0; i < 9; i++)
            EXPECT_NEAR(component(force[i / 3], i % 3), 0.0, 4e-7 * shear);
    }
    EXPECT(volume_pressure(m.volume, m.volume, 1.0f) == 0.0f);
    destroy_membrane(&m);
}

/** A force turns with its triangle: here by the rotation (3, 4, 0; -4, 3, 0; 0, 0, 5) / 5, and does not change
 * as the triangle moves. */
TEST(forces_turn_and_move_with_the_triangle)
{
    Triangle turned;
    Vector force[3], expected[3];
    for (int c = 0; c < 3; c++) {
        const Vector at = strained.corner[c];
        turned.corner[c] =
            (Vector){0.6f * at.x + 0.8f * at.y + 5.0f, 0.6f * at.y - 0.8f * at.x - 7.0f, at.z + 9.0f};
    }
    elastic_forces(expected, &strained, inverse_metric(&at_rest), shear);
    elastic_forces(force, &turned, inverse_metric(&at_rest), shear);
    for (int c = 0; c < 3; c++) {
        EXPECT_NEAR(force[c].x, 0.6 * expected[c].x + 0.8 * expected[c].y, 2e-6);
        EXPECT_NEAR(force[c].y, 0.6 * expected[c].y - 0.8 * expected[c].x, 2e-6);
        EXPECT_NEAR(force[c].z, expected[c].z, 2e-6);
    }
}

/** Whether a triangle has the edge from node a to node b. */
static int has_edge(int triangle, int a, int b)
{
    int found = 0;
    for (int k = 0; k < 3; k++)
        found |=
            m.corner[k * m.triangles + triangle] == a && m.corner[(k + 1) % 3 * m.triangles + triangle] == b;
    return found;
}

/** That of all pairs of neighbours, each of which is found from both sides. The modulus is 1. */
static double bending_energy(void)
{
    double sum = 0.0;
    for (int n = 0; n < 3 * m.triangles; n++) {
        const Triangle t = triangle_of(&m, m.position, n % m.triangles);
        const int a = m.corner[n], b = m.corner[(n + m.triangles) % (3 * m.triangles)];
        int other = 0;
        while (!has_edge(other, b, a))
            other++;
        const Triangle u = triangle_of(&m, m.position, other);
        const Vector normal = volume_gradient(&t), others = volume_gradient(&u);
        sum += 1.0 - inner_product(normal, others) /
                         sqrt((double)inner_product(normal, normal) * (double)inner_product(others, others));
    }
    return sum / sqrt(3.0);
}

TEST(bending_is_the_slope_of_its_energy)
{
    open_sphere(2.0);
    deform(0.125);
    Real *force = allocate(3 * (size_t)m.nodes * sizeof *force);
    find_forces(force, &m, m.position, (Stiffness){.bending = 1.0f});
    for (int i = 0; i < 3 * m.nodes; i += 7) {
        const Real before = m.position[i], step = 0x1p-9f;
        m.position[i] = before + step;
        const double above = bending_energy();
        m.position[i] = before - step;
        EXPECT_NEAR(force[i], (bending_energy() - above) / (2.0 * step), 1e-3);
        m.position[i] = before;
    }
    free(force);
    destroy_membrane(&m);
}

/** Neither the elastic forces nor bending nor the pressure push or turn a deformed membrane as a whole. */
TEST(forces_and_torques_cancel)
{
    open_sphere(7.0);
    deform(0.1);
    Real *force = allocate(3 * (size_t)m.nodes * sizeof *force);
    double sum[3] = {0.0}, torque[3] = {0.0}, all = 0.0;
    find_forces(force, &m, m.position, (Stiffness){shear, shear, shear});
    for (int n = 0; n < m.nodes; n++)
        for (int a = 0; a < 3; a++) {
            const int b = (a + 1) % 3 * m.nodes + n, c = (a + 2) % 3 * m.nodes + n;
            sum[a] += force[a * m.nodes + n];
            torque[a] += (double)m.position[b] * (double)force[c] - (double)m.position[c] * (double)force[b];
            all += fabs((double)force[a * m.nodes + n]);
        }
    EXPECT(all > 10.0);
    for (int a = 0; a < 3; a++) {
        EXPECT_NEAR(sum[a], 0.0, 1e-6 * all);
        EXPECT_NEAR(torque[a], 0.0, 1e-5 * all);
    }
    free(force);
    destroy_membrane(&m);
}

static double volume_now(void)
{
    return shape_of(&m, m.position).volume;
}

/** The gradients of the triangles round a node sum up to how the volume of the membrane changes with it. */
TEST(the_volume_gradient_is_the_slope_of_the_volume)
{
    open_sphere(7.0);
    deform(0.1);
    for (int n = 0; n < m.nodes; n += 100) {
        double sum[3] = {0.0};
        for (int i = m.first[n]; i < m.first[n + 1]; i++) {
            const Triangle t = triangle_of(&m, m.position, m.around[i] % m.triangles);
            for (int a = 0; a < 3; a++)
                sum[a] += component(volume_gradient(&t), a);
        }
        for (int a = 0; a < 3; a++) {
            const Real before = m.position[a * m.nodes + n], step = 0.25f;
            m.position[a * m.nodes + n] = before + step;
            const double above = volume_now();
            m.position[a * m.nodes + n] = before - step;
            EXPECT_NEAR(sum[a], (above - volume_now()) / (2.0 * step), 1e-5);
            m.position[a * m.nodes + n] = before;
        }
    }
    destroy_membrane(&m);
}

TEST(pressure_drives_the_volume_back)
{
    EXPECT(volume_pressure(0.5f, 2.0f, 4.0f) == 3.0f);
    EXPECT(volume_pressure(3.0f, 2.0f, 4.0f) == -2.0f);
}

/* ---- Delta function ---- */

/** The parts of a node are not negative, sum up to 1, and have it as their centre; they change continuously. */
TEST(the_delta_function_keeps_forces_and_torques)
{
    for (double x = -2.0; x < 3.0; x += 0.03125) {
        Real part[DELTA_CELLS];
        const int first = delta_function((Real)x, part);
        double sum = 0.0, centre = 0.0;
        for (int n = 0; n < DELTA_CELLS; n++) {
            EXPECT(part[n] >= 0.0f);
            sum += part[n];
            centre += part[n] * (first + n);
        }
        EXPECT_NEAR(sum, 1.0, 1e-6);
        EXPECT_NEAR(centre, x, 1e-6);
    }
}

/* ---- Shape ---- */

/** The triangles lie within the surface, by an amount of second order in their size. */
TEST(the_mesh_converges_to_the_ellipsoid)
{
    double missing[2];
    for (int refinement = 3; refinement < 5; refinement++) {
        m = create_ellipsoid(middle, (double[]){6.0, 3.0, 4.5}, refinement);
        const Ellipsoid shape = shape_of(&m, m.position);
        missing[refinement - 3] = 1.0 - shape.volume / (4.0 / 3.0 * pi * 6.0 * 3.0 * 4.5);
        EXPECT_NEAR(shape.volume, m.volume, 1e-5 * shape.volume);
        EXPECT_NEAR(shape.longest / 6.0, 1.0 - missing[refinement - 3] / 3.0, 1e-4);
        EXPECT_NEAR(shape.shortest / 3.0, 1.0 - missing[refinement - 3] / 3.0, 1e-4);
        EXPECT_NEAR(shape.across / 4.5, 1.0 - missing[refinement - 3] / 3.0, 1e-4);
        EXPECT_NEAR(shape.deformation, 3.0 / 9.0, 1e-4);
        EXPECT_NEAR(shape.inclination, 0.0, 1e-6);
        destroy_membrane(&m);
    }
    EXPECT_NEAR(missing[0] / missing[1], 4.0, 0.05);
    EXPECT(missing[1] > 0.0 && missing[1] < 0.003);
}

/** An ellipsoid that is turned by an angle and moved. */
TEST(the_shape_of_a_turned_ellipsoid_is_found)
{
    for (double angle = -1.5; angle < 1.6; angle += 0.5) {
        m = create_ellipsoid(middle, (double[]){6.0, 3.0, 4.5}, 3);
        for (int n = 0; n < m.nodes; n++) {
            const double x = m.position[n], y = m.position[m.nodes + n];
            m.position[n] = (Real)(cos(angle) * x - sin(angle) * y + 2.0);
            m.position[m.nodes + n] = (Real)(sin(angle) * x + cos(angle) * y - 3.0);
            m.position[2 * m.nodes + n] += 4.0f;
        }
        const Ellipsoid shape = shape_of(&m, m.position);
        EXPECT_NEAR(shape.inclination, angle, 1e-5);
        EXPECT_NEAR(shape.deformation, 3.0 / 9.0, 1e-4);
        EXPECT_NEAR(shape.centre[0], 2.0, 1e-5);
        EXPECT_NEAR(shape.centre[1], -3.0, 1e-5);
        EXPECT_NEAR(shape.centre[2], 4.0, 1e-5);
        int tip = 0; // the node that was furthest along x
        for (int n = 0; n < m.nodes; n++)
            if (cos(angle) * m.position[n] + sin(angle) * m.position[m.nodes + n] >
                cos(angle) * m.position[tip] + sin(angle) * m.position[m.nodes + tip])
                tip = n;
        EXPECT_NEAR(angle_of_node(&m, m.position, &shape, tip), angle, 0.1);
        destroy_membrane(&m);
    }
}

TEST(repeated_membranes_have_the_forces_of_one)
{
    enum { COUNT = 3 };
    double x[COUNT] = {0.0, 8.0, -4.0}, y[COUNT] = {0.0, 0.0, 16.0}, z[COUNT] = {0.0, 2.0, -32.0};
    const double *along[3] = {x, y, z};
    open_sphere(2.0);
    deform(0.125);
    const int one = m.nodes;
    Real *expected = allocate(3 * (size_t)one * sizeof *expected),
         *force = allocate(3 * (size_t)one * COUNT * sizeof *force);
    const Stiffness stiffness = {shear, shear, 1.0f};
    find_forces(expected, &m, m.position, stiffness);
    const double before[3] = {m.origin[0], m.origin[1], m.origin[2]};
    m = repeat_membrane(m, COUNT, (double *const[]){x, y, z});
    EXPECT(m.nodes == COUNT * one && m.first[m.nodes] == 3 * m.triangles);
    find_forces(force, &m, m.position, stiffness);
    for (int i = 0; i < 3 * m.nodes; i++)
        EXPECT(force[i] == expected[i / m.nodes * one + i % m.nodes % one]);
    for (int i = 0; i < 3 * m.nodes; i++)
        EXPECT(membrane_origin(&m, i / 3, i % 3) == before[i % 3] + along[i % 3][i / 3 / one]);
    free(force);
    free(expected);
    destroy_membrane(&m);
}
