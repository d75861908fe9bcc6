/**
 * @file forces.h
 * Drag, lift and pressure on bodies, worked out on the host from the populations that come back from them.
 */
#pragma once

#include "result/snapshot.h"

/** A link from a body to the fluid: the population that just came back from there, and its direction. */
typedef struct {
    size_t population;
    int ex, ey, ez;
} Link;

/** All links between the bodies and the fluid. */
typedef struct {
    size_t count;
    Link *link;
} LinkList;

/**
 * Force over 1/2 rho u^2 times the area that the reference body turns to the stream, at a time step: along
 * the stream (x), along y and along z. The area is the length in a plane, and pi / 4 length^2 in space.
 */
typedef struct {
    double step, drag, lift, side;
} Force;

/** Finds the links of a scenario. Fails with exit code 3 if memory is short. */
LinkList find_links(const Scenario *scenario);

/** Frees what find_links took. */
void destroy_links(LinkList *links);

/** Density of the oncoming stream: the mean over the inflow cells; 1 where there are none. */
double stream_density(const Snapshot *result);

/** The coefficients of a force along x, y and z in a stream of that density. */
Force scale_force(const Scenario *scenario, const double force[3], double density, long step);

/** The force by momentum exchange (Ladd 1994; Mei, Yu, Shyy & Luo 2002): a population that meets a still body
 * comes back reversed and leaves twice its momentum there. */
Force force_on_bodies(const Snapshot *result, const LinkList *links);

/** Whether a flow has a pressure_difference: its body is one disc in a plane. */
int has_pressure_difference(const Scenario *scenario);

/** Pressure in front of a cylinder minus behind it, on its surface, over rho u^2 of a stream of that density:
 * extrapolated along the two rows beside its centre. */
double pressure_difference(const Snapshot *result, double density);

/** The number of the row below the centre of the disc (0) or above it (1). */
int row_beside(const Scenario *scenario, int n);
