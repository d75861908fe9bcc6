// Prints the record of how stiff bodies turn in a shear flow on the lattice: capsules at a small Ca whose shape at rest
// is a sphere, or a spheroid twice as long as thick. A rigid spheroid whose long axis is in the shear plane turns by pi
// in a time of pi (r + 1 / r) over the shear rate, where r is its aspect ratio (Jeffery 1922, Proc. R. Soc. Lond. A 102,
// 161); with r = 1 that is half the shear rate.
#include "simulation/simulation.h"
#include "stage/stages.h"

#include <stdio.h>

static const double radius = 3.0, rate = 0.0008, ca = 0.03;

/** A box of that side with a body that has the volume of a sphere of the radius, and its longest axis along x. */
static Scenario create_body(double aspect, int side)
{
    const double thin = radius / cbrt(aspect);
    Scenario s = create_scenario(
        find_flow("capsule"),
        (Parameters){.width = side, .height = side + 2, .depth = side, .tau = 1.5, .u = 0.5 * rate * side});
    Membrane body =
        create_ellipsoid(s.membrane.origin, (double[]){aspect * thin, thin, thin}, refinement_of(radius));
    destroy_membrane(&s.membrane);
    s.membrane = body;
    s.stiffness.shear = (Real)(s.nu * rate * radius / ca);
    s.stiffness.bending = (Real)(1e-3 * radius * radius * s.stiffness.shear);
    return s;
}

/** What is seen of a body while it turns. */
typedef struct {
    double angle, turned; // of a node, and how far that has turned clockwise
    double least, most;   // deformation
} Turn;

static void look(Turn *turn, const Simulation *simulation, Snapshot *r)
{
    const Membrane *m = &r->scenario->membrane;
    read_snapshot(r, simulation);
    const Ellipsoid shape = shape_of(m, r->nodes);
    const double angle = angle_of_node(m, r->nodes, &shape, MARKED_NODE);
    turn->turned += remainder(turn->angle - angle, 2.0 * pi);
    turn->angle = angle;
    turn->least = fmin(turn->least, shape.deformation);
    turn->most = fmax(turn->most, shape.deformation);
}

static void turn_by_pi(double aspect, int side)
{
    enum { STEPS = 50 };
    const double expected = pi * (aspect + 1.0 / aspect);
    Scenario s = create_body(aspect, side);
    Snapshot r = create_snapshot(&s);
    Simulation *simulation = begin_simulation(find_stage("60_membrane"), &s, (Block){32, 4});
    Turn turn = {.least = 1.0}, before;
    advance_simulation(simulation, lround(1.0 / rate)); // until the membrane is as strained as it stays
    look(&turn, simulation, &r);
    const long start = r.step;
    turn.turned = 0.0;
    do {
        before = turn;
        advance_simulation(simulation, STEPS);
        look(&turn, simulation, &r);
    } while (turn.turned < pi);
    const double late = STEPS * (turn.turned - pi) / (turn.turned - before.turned);
    const double time = rate * ((double)(r.step - start) - late);
    printf("%g,%d,%.3f,%.3f,%.3f,%.3f,%.3f\n", aspect, side, time, expected, time / expected, turn.least,
           turn.most);
    fflush(stdout);
    end_simulation(simulation);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

int main(void)
{
    printf(
        "# build/capsule_rigid: bodies with the volume of a sphere of radius %g between walls at a distance of "
        "`side`, periodic after\n"
        "# as many cells along x and z; Ca %g, bending as in the flow, shear rate %g, tau 1.5, stage 60\n"
        "# time: in which a node turns by pi, times the shear rate; D: least and largest Taylor deformation\n"
        "aspect,side,time,jeffery,over_jeffery,least_D,most_D\n",
        radius, ca, rate);
    for (int side = 20; side <= 28; side += 8)
        for (int aspect = 1; aspect <= 2; aspect++)
            turn_by_pi(aspect, side);
}
