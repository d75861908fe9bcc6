// build/capsule_in_stokes REFINEMENT BENDING CA...: a capsule in the shear flow of an unbounded fluid without inertia,
// as viscous inside as outside: the reference for the capsules of the lattice. A boundary integral computes
// it: no grid, only the membrane, whose forces move all of its nodes (Pozrikidis 1992, Boundary Integral and
// Singularity Methods, section 5.3). Radius, shear rate and viscosity are 1. In double precision.
// BENDING is the bending modulus over the shear modulus.
#include "flow/membrane.h"
#include "host/allocate.h"
#include "host/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/** A capsule of radius 1, the forces on its nodes, and what of its area belongs to each, along the normal. */
typedef struct {
    Membrane membrane;
    Stiffness stiffness;
    double *force, *area; // [3][nodes]
} Capsule;

static Capsule create_capsule(int refinement, double bending, double ca)
{
    const double centre[3] = {0.0, 0.0, 0.0};
    Membrane small = create_ellipsoid(centre, (double[]){1.0, 1.0, 1.0}, refinement);
    const double radius = cbrt(4.0 / 3.0 * pi / small.volume); // its volume is that of the sphere
    destroy_membrane(&small);
    Capsule c = {
        .stiffness = {.shear = 1.0 / ca, .bending = bending / ca}
    };
    c.membrane = create_ellipsoid(centre, (double[]){radius, radius, radius}, refinement);
    c.force = allocate(3 * (size_t)c.membrane.nodes * sizeof(double));
    c.area = allocate(3 * (size_t)c.membrane.nodes * sizeof(double));
    return c;
}

static void destroy_capsule(Capsule *c)
{
    destroy_membrane(&c->membrane);
    free(c->force);
    free(c->area);
}

static void find_areas(Capsule *c, const double *position)
{
    const Membrane *m = &c->membrane;
    memset(c->area, 0, 3 * (size_t)m->nodes * sizeof *c->area);
    for (int n = 0; n < 3 * m->triangles; n++) {
        const Triangle t = triangle_of(m, position, n % m->triangles);
        const Vector third = volume_gradient(&t);
        double *at = c->area + m->corner[n];
        at[0] += third.x;
        at[m->nodes] += third.y;
        at[2 * m->nodes] += third.z;
    }
}

/**
 * Adds what the force on a node does to its own velocity. Around it the forces are spread over the membrane;
 * the sum over the other nodes is that integral but for this term, which is exact for a plane of equilateral
 * triangles: 3.921032 is the potential of a lattice of charges in its background (Bonsall & Maradudin 1977,
 * Phys. Rev. B 15, 1959). The force along the normal counts 1, that in the plane 3/2.
 */
static void add_own(const Capsule *c, int node, double u[3])
{
    double n[3], f[3], square = 0.0, along = 0.0;
    for (int a = 0; a < 3; a++) {
        n[a] = c->area[a * c->membrane.nodes + node];
        f[a] = c->force[a * c->membrane.nodes + node];
        square += n[a] * n[a];
        along += n[a] * f[a];
    }
    for (int a = 0; a < 3; a++)
        u[a] += 3.921032 / sqrt(sqrt(square)) * (1.5 * f[a] - 0.5 * along * n[a] / square);
}

/** Sets velocity[3][nodes]: the shear flow, and those of all forces in an unbounded fluid (Stokeslets). */
static void find_velocities(double *velocity, Capsule *c, const double *position)
{
    const int nodes = c->membrane.nodes;
    const double *x = position, *y = x + nodes, *z = y + nodes;
    const double *fx = c->force, *fy = fx + nodes, *fz = fy + nodes;
    find_forces(c->force, &c->membrane, position, c->stiffness);
    find_areas(c, position);
    for (int i = 0; i < nodes; i++) {
        double u[3] = {0.0, 0.0, 0.0};
        for (int j = 0; j < nodes; j++) {
            const double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
            const double square = dx * dx + dy * dy + dz * dz, inverse = j == i ? 0.0 : 1.0 / sqrt(square);
            const double along = (dx * fx[j] + dy * fy[j] + dz * fz[j]) * inverse * inverse;
            u[0] += inverse * (fx[j] + along * dx);
            u[1] += inverse * (fy[j] + along * dy);
            u[2] += inverse * (fz[j] + along * dz);
        }
        add_own(c, i, u);
        for (int a = 0; a < 3; a++)
            velocity[a * nodes + i] = u[a] / (8.0 * pi) + (a == 0 ? y[i] : 0.0);
    }
}

/** Moves the nodes by a step of the midpoint rule, and scales them back to their volume. */
static void step(Capsule *c, double dt, double *velocity, double *half_way)
{
    double *position = c->membrane.position;
    const int numbers = 3 * c->membrane.nodes;
    find_velocities(velocity, c, position);
    for (int i = 0; i < numbers; i++)
        half_way[i] = position[i] + 0.5 * dt * velocity[i];
    find_velocities(velocity, c, half_way);
    for (int i = 0; i < numbers; i++)
        position[i] += dt * velocity[i];
    const double scale = cbrt(4.0 / 3.0 * pi / shape_of(&c->membrane, position).volume);
    for (int i = 0; i < numbers; i++)
        position[i] *= scale;
}

static void print_shape(const Capsule *c, double time)
{
    const Stiffness s = c->stiffness;
    const Ellipsoid e = shape_of(&c->membrane, c->membrane.position);
    printf("%d,%g,%g,%g,%.4f,%.4f,%.4f\n", c->membrane.triangles, s.bending / s.shear, 1.0 / s.shear, time,
           e.deformation, e.inclination / pi, e.across);
    fflush(stdout);
}

/** The stiffest motion, that of neighbours against each other, takes some Ca times the length of an edge. */
static void deform(int refinement, double bending, double ca)
{
    Capsule c = create_capsule(refinement, bending, ca);
    const size_t bytes = 3 * (size_t)c.membrane.nodes * sizeof(double);
    double *velocity = allocate(bytes), *half_way = allocate(bytes);
    const double edge = sqrt(16.0 * pi / (sqrt(3.0) * c.membrane.triangles));
    const int steps = (int)ceil(1.0 / fmin(0.25 * ca * edge, 0.01));
    for (int time = 1; time <= 8; time++) {
        for (int n = 0; n < steps; n++)
            step(&c, 1.0 / steps, velocity, half_way);
        if ((time & (time - 1)) == 0)
            print_shape(&c, time);
    }
    free(velocity);
    free(half_way);
    destroy_capsule(&c);
}

static double parse(const char *name, const char *text, double least, double most)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value <= most))
        fail(EXIT_USAGE, "%s is \"%s\"; it takes a number from %g to %g", name, text, least, most);
    return value;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        fail(EXIT_USAGE, "usage: %s REFINEMENT BENDING CA...", argv[0]);
    const int refinement = (int)parse("REFINEMENT", argv[1], 1, 5);
    const double bending = parse("BENDING", argv[2], 0.0, 1.0);
    for (int n = 3; n < argc; n++)
        parse("CA", argv[n], 0.001, 10.0);
    printf("# build/capsule_in_stokes");
    for (int n = 1; n < argc; n++)
        printf(" %s", argv[n]);
    printf(
        ", double precision\n# a neo-Hookean capsule in an unbounded shear flow without inertia, viscosity ratio 1\n"
        "# bending: bending modulus / (surface shear modulus * radius^2)\n"
        "# ca: viscosity * shear rate * radius / surface shear modulus; time: of the shear, times its rate\n"
        "# D: Taylor deformation; inclination: of the longest axis to the flow; across: along the vorticity\n"
        "triangles,bending,ca,time,D,inclination_over_pi,semi_axis_across\n");
    for (int n = 3; n < argc; n++)
        deform(refinement, bending, parse("CA", argv[n], 0.001, 10.0));
}
