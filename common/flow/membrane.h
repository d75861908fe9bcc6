/**
 * @file membrane.h
 * A closed elastic membrane of triangles: its mesh, its forces, and its shape. What kernels need is host and
 * device code; the rest is computed on the host. Lengths are in cells, forces in lattice units.
 *
 * Positions are relative to the origin of their membrane, at which it starts: a float resolves small numbers
 * more finely, and a node may move by less than 1e-5 cells in a step.
 */
#pragma once

#include "lattice/cell.h"

#include <math.h>

/** A point or a vector. */
typedef struct {
    Real x, y, z;
} Vector;

/** The corners of a triangle, counter-clockwise when seen from outside. */
typedef struct {
    Vector corner[3];
} Triangle;

/** A symmetric matrix of 2 x 2: products of the edges u and v that leave the first corner of a triangle. */
typedef struct {
    Real uu, uv, vv;
} Metric;

/** How stiff a membrane is. */
typedef struct {
    Real shear;   /**< surface shear modulus G_s; the capillary number is mu (shear rate) R / G_s */
    Real bending; /**< bending modulus: a cylinder has half of it, over its squared radius, for each area */
    Real volume;  /**< pressure inside for each part that the volume falls short of the one at rest */
} Stiffness;

/** The vector from one point to another. */
HOST_DEVICE Vector vector_between(Vector from, Vector to)
{
    const Vector result = {to.x - from.x, to.y - from.y, to.z - from.z};
    return result;
}

/** a . b. */
HOST_DEVICE Real inner_product(Vector a, Vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** a x b. */
HOST_DEVICE Vector cross_product(Vector a, Vector b)
{
    const Vector result = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return result;
}

/** a u + b v. */
HOST_DEVICE Vector combine(Real a, Vector u, Real b, Vector v)
{
    const Vector result = {a * u.x + b * v.x, a * u.y + b * v.y, a * u.z + b * v.z};
    return result;
}

/** Normal of the triangle with these corners: as long as twice its area. */
HOST_DEVICE Vector normal_of(Vector first, Vector second, Vector third)
{
    return cross_product(vector_between(first, second), vector_between(first, third));
}

/** A vector of length 1 in the same direction. */
HOST_DEVICE Vector unit_vector(Vector v)
{
    return combine(1.0f / (Real)sqrt(inner_product(v, v)), v, 0.0f, v);
}

/** The inverse of the matrix of edge products. Its determinant is 1 / (2 area)^2. */
HOST_DEVICE Metric inverse_metric(const Triangle *t)
{
    const Vector u = vector_between(t->corner[0], t->corner[1]),
                 v = vector_between(t->corner[0], t->corner[2]);
    const Real uu = inner_product(u, u), uv = inner_product(u, v), vv = inner_product(v, v);
    const Vector normal = cross_product(u, v);
    const Real scale = 1.0f / inner_product(normal, normal);
    const Metric result = {scale * vv, -scale * uv, scale * uu};
    return result;
}

/** Determinant of a matrix. */
HOST_DEVICE Real determinant(Metric m)
{
    return m.uu * m.vv - m.uv * m.uv;
}

/**
 * Forces of an elastic triangle on its three corners, without those that keep the volume. `rest` is the
 * inverse_metric of the triangle at rest.
 *
 * The law is neo-Hookean: the energy for each area at rest is G_s / 2 (l1^2 + l2^2 + 1 / (l1 l2)^2 - 3), where
 * l1 and l2 are the stretches along the principal directions (Barthes-Biesel, Diaz & Dhenin 2002, J. Fluid
 * Mech. 460, 211). A triangle whose strain is uniform needs no coordinates in its plane: with g the matrix of
 * its edge products and G the one at rest, l1^2 + l2^2 is the trace of G^-1 g, and (l1 l2)^2 is det g / det G.
 * Their derivatives with respect to g are G^-1, and det g / det G times g^-1.
 */
HOST_DEVICE void elastic_forces(Vector force[3], const Triangle *t, Metric rest, Real shear)
{
    const Vector u = vector_between(t->corner[0], t->corner[1]),
                 v = vector_between(t->corner[0], t->corner[2]);
    const Metric now = inverse_metric(t);
    const Real turned = determinant(rest), thinner = determinant(now) / turned; // 1 / (l1 l2)^2
    const Real scale = -0.5f * shear / (Real)sqrt(turned);
    const Real uu = scale * (rest.uu - thinner * now.uu), uv = scale * (rest.uv - thinner * now.uv);
    const Real vv = scale * (rest.vv - thinner * now.vv);
    force[1] = combine(uu, u, uv, v);
    force[2] = combine(uv, u, vv, v);
    force[0] = combine(-1.0f, force[1], -1.0f, force[2]);
}

/**
 * Adds what bending does to the corners of a triangle. `across[k]` belongs to the neighbour opposite corner k, and not
 * to the triangle. Neighbours want to be parallel: the energy of two with normals n and n' is 2 / sqrt(3) times the
 * modulus times 1 - n . n' (Seung & Nelson 1988, Phys. Rev. A 38, 1005). Here n moves; n' does with the neighbour.
 */
HOST_DEVICE void add_bending_forces(Vector force[3], const Triangle *t, const Vector across[3], Real bending)
{
    const Vector normal = normal_of(t->corner[0], t->corner[1], t->corner[2]), n = unit_vector(normal);
    Vector sum = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; k++) {
        const Vector other = normal_of(t->corner[(k + 2) % 3], t->corner[(k + 1) % 3], across[k]);
        sum = combine(1.0f, sum, 1.0f, unit_vector(other));
    }
    const Real scale = 1.1547005f * bending / (Real)sqrt(inner_product(normal, normal));
    const Vector turn = combine(scale, sum, -scale * inner_product(sum, n), n);
    for (int k = 0; k < 3; k++) {
        const Vector edge = vector_between(t->corner[(k + 1) % 3], t->corner[(k + 2) % 3]);
        force[k] = combine(1.0f, force[k], 1.0f, cross_product(turn, edge));
    }
}

/** How the volume changes when one corner moves, whichever it is: a third of the area, along the normal. The
 * parts that this leaves out cancel over all triangles of a closed surface. */
HOST_DEVICE Vector volume_gradient(const Triangle *t)
{
    const Vector normal = normal_of(t->corner[0], t->corner[1], t->corner[2]);
    return combine((Real)1 / 6, normal, 0.0f, normal);
}

/** Volume of the tetrahedron between the triangle and the origin; all of them together fill the membrane. */
HOST_DEVICE Real volume_below(const Triangle *t)
{
    return inner_product(t->corner[0], cross_product(t->corner[1], t->corner[2])) / 6.0f;
}

/** The pressure that brings a volume back to that at rest: the force on a corner is this times
 * volume_gradient. It belongs to the energy stiffness (volume - rest)^2 / (2 rest). */
HOST_DEVICE Real volume_pressure(Real volume, Real rest, Real stiffness)
{
    return stiffness * (rest - volume) / rest;
}

/** Cells along each axis to which a node belongs. */
enum { DELTA_CELLS = 2 };

/**
 * Sets the parts with which a node at x belongs to the cells n .. n + DELTA_CELLS - 1 along an axis, and
 * returns n. The delta function of the immersed boundary method is the product of those of the axes. With two
 * cells it is linear interpolation: velocities are read, and forces spread, with the same parts. A wider one
 * is smoother, but makes the membrane thicker (Krueger, Varnik & Raabe 2011, Comput. Math. Appl. 61, 3485).
 */
HOST_DEVICE int delta_function(Real x, Real part[DELTA_CELLS])
{
    const Real first = (Real)floor(x);
    part[1] = x - first;
    part[0] = 1.0f - part[1];
    return (int)first;
}

#ifdef __cplusplus
extern "C" {
#endif

/** A membrane, or equal ones, one after the other in the arrays. Arrays with a bracket of nodes or triangles last
 * are read by neighbouring threads side by side. */
typedef struct {
    int count;            /**< of membranes */
    int nodes, triangles; /**< of all */
    double *origin;       /**< [3][count]: of the positions, in cells */
    Real *position;       /**< [3][nodes] */
    int *corner;          /**< [3][triangles]: numbers of nodes */
    int *across; /**< [3][triangles]: of the neighbour opposite a corner, the node that is not shared */
    Real *rest;  /**< [3][triangles]: uu, uv and vv of the inverse_metric at rest */
    Real volume; /**< of one at rest */
    int *first;  /**< [nodes + 1]: where the corners of a node begin in around[] */
    int *around; /**< [3 * triangles]: the corners that a node is, as places in corner[] */
} Membrane;

/** The refinement at which the edges of a sphere are about a cell long. Each makes four of a triangle. */
int refinement_of(double radius);

/** An ellipsoid with these semi-axes along x, y and z, at rest, of 20 * 4^refinement triangles. */
Membrane create_ellipsoid(const double origin[3], const double semi_axes[3], int refinement);

/** As many membranes equal to the one, which it frees, each shift[axis][n] from there. */
Membrane repeat_membrane(Membrane one, int count, double *const shift[3]);

/** Frees what create_ellipsoid took. */
void destroy_membrane(Membrane *membrane);

/** Sets force[3][nodes] to that of the membrane on the fluid at positions[3][nodes]. */
void find_forces(Real *force, const Membrane *membrane, const Real *position, Stiffness stiffness);

/** The shape of the first membrane, as the ellipsoid that has its volume's second moments (Ramanujan & Pozrikidis
 * 1998, J. Fluid Mech. 361, 117). The shear plane is spanned by x and y. */
typedef struct {
    double volume, centre[3];
    double longest, shortest, across; /**< semi-axes: in the shear plane, and along the vorticity */
    double deformation;               /**< D = (longest - shortest) / (longest + shortest) */
    double inclination;               /**< of the longest to the flow, in radians from -pi / 2 to pi / 2 */
} Ellipsoid;

/** The shape at positions[3][nodes]. */
Ellipsoid shape_of(const Membrane *membrane, const Real *position);

/** A node in the shear plane of a sphere. */
enum { MARKED_NODE = 4 };

/** The angle of a node, seen from the centre of the shape, in the shear plane: it decreases as the membrane
 * turns in a flow whose x velocity grows along y. */
double angle_of_node(const Membrane *membrane, const Real *position, const Ellipsoid *shape, int node);

#ifdef __cplusplus
}
#endif

/** A node, at positions[3][nodes]. */
HOST_DEVICE Vector node_at(const Membrane *m, const Real *position, int node)
{
    const Vector result = {position[node], position[m->nodes + node], position[2 * m->nodes + node]};
    return result;
}

/** A triangle, at positions[3][nodes]. */
HOST_DEVICE Triangle triangle_of(const Membrane *m, const Real *position, int triangle)
{
    Triangle t;
    for (int k = 0; k < 3; k++)
        t.corner[k] = node_at(m, position, m->corner[k * m->triangles + triangle]);
    return t;
}

/** What elastic_forces takes as a triangle's shape at rest. */
HOST_DEVICE Metric rest_of(const Membrane *m, int triangle)
{
    const Real *at = m->rest + triangle;
    const Metric result = {at[0], at[m->triangles], at[2 * m->triangles]};
    return result;
}

/** Forces of a triangle on its corners, without those that keep the volume. */
HOST_DEVICE void triangle_forces(Vector force[3], const Membrane *m, const Real *position, int triangle,
                                 Stiffness s)
{
    const Triangle t = triangle_of(m, position, triangle);
    Vector across[3];
    for (int k = 0; k < 3; k++)
        across[k] = node_at(m, position, m->across[k * m->triangles + triangle]);
    elastic_forces(force, &t, rest_of(m, triangle), s.shear);
    add_bending_forces(force, &t, across, s.bending);
}

/** Cells to which a node belongs. */
enum { CELLS_OF_NODE = DELTA_CELLS * DELTA_CELLS * DELTA_CELLS };

/** Where the positions of the membrane of a node begin along an axis. */
HOST_DEVICE double membrane_origin(const Membrane *m, int node, int axis)
{
    return m->origin[axis * m->count + node / (m->nodes / m->count)];
}

/** Finds the numbers of these cells in the periodic grid, and the part that each has of the node. */
HOST_DEVICE void find_cells(const Membrane *m, const Physics *physics, int node,
                            CellNumber cell[CELLS_OF_NODE], Real part[CELLS_OF_NODE])
{
    const int side[3] = {physics->width, physics->height, physics->depth};
    Real parts[3][DELTA_CELLS];
    CellNumber place[3][DELTA_CELLS];
    for (int axis = 0; axis < 3; axis++) {
        const double at = membrane_origin(m, node, axis) + m->position[axis * m->nodes + node];
        const int first = delta_function((Real)at, parts[axis]) % side[axis] + side[axis]; // at least 0
        for (int n = 0; n < DELTA_CELLS; n++)
            place[axis][n] = (first + n) % side[axis];
    }
    for (int n = 0; n < CELLS_OF_NODE; n++) {
        const int x = n % DELTA_CELLS, y = n / DELTA_CELLS % DELTA_CELLS, z = n / (DELTA_CELLS * DELTA_CELLS);
        cell[n] = (place[2][z] * physics->height + place[1][y]) * physics->width + place[0][x];
        part[n] = parts[0][x] * parts[1][y] * parts[2][z];
    }
}
