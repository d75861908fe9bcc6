#include "flow/membrane.h"

#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

/* ---- Mesh ---- */

int refinement_of(double radius)
{
    const double pi = 3.14159265358979323846, longest = 1.1;
    int refinement = 0;
    for (double area = pi * radius * radius / 5.0; area > sqrt(3.0) / 4.0 * longest * longest; area /= 4.0)
        refinement++;
    return refinement;
}

enum { MOST_NEIGHBOURS = 6 };

/** A mesh of the unit sphere, with room for its last refinement. */
typedef struct {
    int nodes, triangles;
    double (*node)[3];
    int (*corner)[3];
    int (*halved)[MOST_NEIGHBOURS]
                 [2]; /**< of a node: to which larger ones edges are halved, and by which nodes */
} Mesh;

static int add_node(Mesh *mesh, const double at[3])
{
    const double length = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    for (int axis = 0; axis < 3; axis++)
        mesh->node[mesh->nodes][axis] = at[axis] / length;
    return mesh->nodes++;
}

/** The nodes are the corners of three golden rectangles. */
static void add_icosahedron(Mesh *mesh)
{
    static const int corner[20][3] = {
        {0, 8,  2 },
        {0, 2,  9 },
        {0, 6,  4 },
        {0, 4,  8 },
        {0, 9,  6 },
        {1, 3,  10},
        {1, 11, 3 },
        {1, 4,  6 },
        {1, 10, 4 },
        {1, 6,  11},
        {2, 5,  7 },
        {2, 8,  5 },
        {2, 7,  9 },
        {3, 7,  5 },
        {3, 5,  10},
        {3, 11, 7 },
        {4, 10, 8 },
        {5, 8,  10},
        {6, 9,  11},
        {7, 11, 9 },
    };
    const double golden = 0.5 * (1.0 + sqrt(5.0));
    for (int n = 0; n < 12; n++) {
        double at[3] = {0.0};
        at[n / 4] = n % 4 < 2 ? 1.0 : -1.0;
        at[(n / 4 + 2) % 3] = n % 2 ? -golden : golden;
        add_node(mesh, at);
    }
    memcpy(mesh->corner, corner, sizeof corner);
    mesh->triangles = 20;
}

/** The node that halves an edge; the two triangles of the edge share it. */
static int half_way(Mesh *mesh, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    int n = 0, (*const halved)[2] = mesh->halved[low];
    while (halved[n][1] && halved[n][0] != high)
        n++;
    if (!halved[n][1]) {
        const double *p = mesh->node[a], *q = mesh->node[b];
        halved[n][0] = high;
        halved[n][1] = add_node(mesh, (double[]){p[0] + q[0], p[1] + q[1], p[2] + q[2]});
    }
    return halved[n][1];
}

/** Makes four of each triangle. */
static void refine(Mesh *mesh)
{
    const int triangles = mesh->triangles;
    memset(mesh->halved, 0, (size_t)mesh->nodes * sizeof *mesh->halved);
    for (int t = 0; t < triangles; t++) {
        int *c = mesh->corner[t];
        const int ab = half_way(mesh, c[0], c[1]), bc = half_way(mesh, c[1], c[2]),
                  ca = half_way(mesh, c[2], c[0]);
        const int four[4][3] = {
            {c[0], ab,   ca  },
            {ab,   c[1], bc  },
            {ca,   bc,   c[2]},
            {ab,   bc,   ca  }
        };
        memcpy(c, four[3], sizeof four[3]);
        memcpy(mesh->corner[mesh->triangles], four, 3 * sizeof four[0]);
        mesh->triangles += 3;
    }
}

static Mesh unit_sphere(int refinement)
{
    const size_t triangles = (size_t)20 << 2 * refinement, nodes = triangles / 2 + 2;
    Mesh mesh = {.node = allocate(nodes * sizeof *mesh.node),
                 .corner = allocate(triangles * sizeof *mesh.corner),
                 .halved = allocate(nodes * sizeof *mesh.halved)};
    add_icosahedron(&mesh);
    for (int n = 0; n < refinement; n++)
        refine(&mesh);
    return mesh;
}

/* ---- Membrane ---- */

/** The node across the edge from a to b of a triangle: its neighbour has that edge from b to a. */
static int node_across(const Membrane *m, int a, int b)
{
    int place = m->first[a];
    while (m->corner[(m->around[place] + 2 * m->triangles) % (3 * m->triangles)] != b)
        place++;
    return m->corner[(m->around[place] + m->triangles) % (3 * m->triangles)];
}

/** Lists the corners that each node is, in the order of their places, and the nodes across edges. */
static void find_neighbours(Membrane *m)
{
    for (int place = 0; place < 3 * m->triangles; place++)
        m->first[m->corner[place] + 1]++;
    for (int n = 0; n < m->nodes; n++)
        m->first[n + 1] += m->first[n];
    int *next = allocate((size_t)m->nodes * sizeof *next);
    memcpy(next, m->first, (size_t)m->nodes * sizeof *next);
    for (int place = 0; place < 3 * m->triangles; place++)
        m->around[next[m->corner[place]]++] = place;
    free(next);
    for (int place = 0; place < 3 * m->triangles; place++)
        m->across[place] = node_across(m, m->corner[(place + m->triangles) % (3 * m->triangles)],
                                       m->corner[(place + 2 * m->triangles) % (3 * m->triangles)]);
}

/** Takes the present positions as those at rest. */
static void set_rest(Membrane *m)
{
    double volume = 0.0;
    for (int n = 0; n < m->triangles; n++) {
        const Triangle t = triangle_of(m, m->position, n);
        const Metric rest = inverse_metric(&t);
        m->rest[n] = rest.uu;
        m->rest[m->triangles + n] = rest.uv;
        m->rest[2 * m->triangles + n] = rest.vv;
        volume += volume_below(&t);
    }
    m->volume = (Real)volume;
}

static Membrane allocate_membrane(int count, int all_nodes, int all_triangles)
{
    const size_t nodes = (size_t)all_nodes, triangles = (size_t)all_triangles;
    Membrane m = {.count = count, .nodes = all_nodes, .triangles = all_triangles};
    m.origin = allocate(3 * (size_t)count * sizeof *m.origin);
    m.position = allocate(3 * nodes * sizeof *m.position);
    m.corner = allocate(3 * triangles * sizeof *m.corner);
    m.across = allocate(3 * triangles * sizeof *m.across);
    m.rest = allocate(3 * triangles * sizeof *m.rest);
    m.first = allocate((nodes + 1) * sizeof *m.first);
    m.around = allocate(3 * triangles * sizeof *m.around);
    return m;
}

Membrane create_ellipsoid(const double origin[3], const double semi_axes[3], int refinement)
{
    const Mesh mesh = unit_sphere(refinement);
    const size_t nodes = (size_t)mesh.nodes, triangles = (size_t)mesh.triangles;
    Membrane m = allocate_membrane(1, mesh.nodes, mesh.triangles);
    memcpy(m.origin, origin, 3 * sizeof *m.origin);
    for (size_t i = 0; i < 3 * nodes; i++)
        m.position[i] = (Real)(semi_axes[i / nodes] * mesh.node[i % nodes][i / nodes]);
    for (size_t i = 0; i < 3 * triangles; i++)
        m.corner[i] = mesh.corner[i % triangles][i / triangles];
    free(mesh.node);
    free(mesh.corner);
    free(mesh.halved);
    find_neighbours(&m);
    set_rest(&m);
    return m;
}

Membrane repeat_membrane(Membrane one, int count, double *const shift[3])
{
    Membrane m = allocate_membrane(count, count * one.nodes, count * one.triangles);
    m.volume = one.volume;
    for (int i = 0; i < 3 * count; i++)
        m.origin[i] = one.origin[i / count] + shift[i / count][i % count];
    for (int i = 0; i < 3 * m.nodes; i++)
        m.position[i] = one.position[i / m.nodes * one.nodes + i % m.nodes % one.nodes];
    for (int i = 0; i < 3 * m.triangles; i++) {
        const int n = i % m.triangles, same = i / m.triangles * one.triangles + n % one.triangles;
        m.corner[i] = one.corner[same] + n / one.triangles * one.nodes;
        m.rest[i] = one.rest[same];
    }
    find_neighbours(&m);
    destroy_membrane(&one);
    return m;
}

void destroy_membrane(Membrane *m)
{
    free(m->origin);
    free(m->position);
    free(m->corner);
    free(m->across);
    free(m->rest);
    free(m->first);
    free(m->around);
}

/** Volume of the membrane of these triangles. */
static double volume_of(const Membrane *m, const Real *position, int first, int end)
{
    double volume = 0.0;
    for (int n = first; n < end; n++) {
        const Triangle t = triangle_of(m, position, n);
        volume += volume_below(&t);
    }
    return volume;
}

void find_forces(Real *force, const Membrane *m, const Real *position, Stiffness stiffness)
{
    const int each = m->count ? m->triangles / m->count : 0;
    double volume = 0.0;
    memset(force, 0, 3 * (size_t)m->nodes * sizeof *force);
    for (int n = 0; n < m->triangles; n++) {
        if (n % each == 0)
            volume = volume_of(m, position, n, n + each);
        const Real pressure = volume_pressure((Real)volume, m->volume, stiffness.volume);
        const Triangle t = triangle_of(m, position, n);
        const Vector outward = volume_gradient(&t);
        Vector elastic[3];
        triangle_forces(elastic, m, position, n, stiffness);
        for (int c = 0; c < 3; c++) {
            const Vector all = combine(1.0f, elastic[c], pressure, outward);
            Real *at = force + m->corner[c * m->triangles + n];
            at[0] += all.x;
            at[m->nodes] += all.y;
            at[2 * m->nodes] += all.z;
        }
    }
}

/* ---- Shape ---- */

/** Integrals over a volume: of 1, of x, y and z, and of their products in the order of `products`. */
typedef struct {
    double one, first[3], second[4];
} Integrals;

static const int products[4][2] = {
    {0, 0},
    {1, 1},
    {2, 2},
    {0, 1}
};

/** Adds those over the tetrahedron between a triangle and the origin. */
static void add_tetrahedron(Integrals *sum, const Triangle *t)
{
    double p[3][3], all[3], volume = 0.0;
    for (int c = 0; c < 3; c++) {
        const double at[3] = {t->corner[c].x, t->corner[c].y, t->corner[c].z};
        memcpy(p[c], at, sizeof at);
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        volume += p[0][a] * (p[1][b] * p[2][c] - p[1][c] * p[2][b]) / 6.0;
        all[a] = p[0][a] + p[1][a] + p[2][a];
    }
    sum->one += volume;
    for (int a = 0; a < 3; a++)
        sum->first[a] += volume / 4.0 * all[a];
    for (int n = 0; n < 4; n++) {
        const int a = products[n][0], b = products[n][1];
        sum->second[n] +=
            volume / 20.0 * (p[0][a] * p[0][b] + p[1][a] * p[1][b] + p[2][a] * p[2][b] + all[a] * all[b]);
    }
}

Ellipsoid shape_of(const Membrane *m, const Real *position)
{
    Integrals sum = {.one = 0.0};
    for (int n = 0; n < m->triangles / m->count; n++) {
        const Triangle t = triangle_of(m, position, n);
        add_tetrahedron(&sum, &t);
    }
    Ellipsoid shape = {.volume = sum.one};
    double square[4]; // five times the mean product of distances from the centre; along an axis: that squared
    for (int axis = 0; axis < 3; axis++)
        shape.centre[axis] = sum.first[axis] / sum.one;
    for (int n = 0; n < 4; n++)
        square[n] =
            5.0 * (sum.second[n] / sum.one - shape.centre[products[n][0]] * shape.centre[products[n][1]]);
    const double mean = 0.5 * (square[0] + square[1]), half = 0.5 * (square[0] - square[1]);
    const double apart = hypot(half, square[3]);
    shape.longest = sqrt(mean + apart);
    shape.shortest = sqrt(mean - apart);
    shape.across = sqrt(square[2]);
    shape.deformation = (shape.longest - shape.shortest) / (shape.longest + shape.shortest);
    shape.inclination = 0.5 * atan2(square[3], half);
    return shape;
}

double angle_of_node(const Membrane *m, const Real *position, const Ellipsoid *shape, int node)
{
    return atan2(position[m->nodes + node] - shape->centre[1], position[node] - shape->centre[0]);
}
