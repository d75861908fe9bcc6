/**
 * @file forces.h
 * What the fluid does to the bodies in it: drag, lift and pressure, worked out on the host from the
 * populations that come back from them, and so once for all stages.
 */
#ifndef FORCES_H
#define FORCES_H

#include "result/result.h"

/** A link from a body to the fluid: the population that just came back from there, and its direction. */
typedef struct {
    size_t population;
    int ex, ey;
} Link;

/** All links between the bodies and the fluid. */
typedef struct {
    size_t count;
    Link *link;
} BodyLinks;

/** Force over 1/2 rho u^2 length, along the stream and across it, at a time step. */
typedef struct {
    double step, drag, lift;
} Force;

/** Finds the links of a scenario. Fails with exit code 3 if memory is short. */
BodyLinks find_links(const Scenario *scenario);

/** Frees what find_links took. */
void destroy_links(BodyLinks *links);

/** Density of the oncoming stream: the mean over the inflow cells; 1 where there are none. */
double stream_density(const Result *result);

/**
 * Drag and lift by momentum exchange (Ladd 1994; Mei, Yu, Shyy & Luo 2002): a population that meets a
 * still body comes back reversed and leaves twice its momentum there.
 */
Force force_on_bodies(const Result *result, const BodyLinks *links);

/**
 * Pressure in front of a cylinder minus behind it, on its surface, over rho u^2: extrapolated along the two
 * rows beside its centre. NaN if the body is anything but one disc.
 */
double pressure_difference(const Result *result);

#endif
