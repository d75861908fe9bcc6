/**
 * @file forces.h
 * What the fluid does to the bodies in it: drag, lift and pressure, worked out on the host from the
 * populations before the collision, f[9 * cell + i], and so once for all stages.
 */
#ifndef FORCES_H
#define FORCES_H

#include "scenario.h"

/** A link from a body to the fluid: the population that just came back from there, and its direction. */
typedef struct {
    size_t population;
    int ex, ey;
} Link;

/** All links between the bodies and the fluid. */
typedef struct {
    size_t count;
    Link *link;
} Links;

/** Force over 1/2 rho u^2 length, along the stream and across it, at a time step. */
typedef struct {
    double step, drag, lift;
} Force;

/** Finds the links of a scenario. Fails with exit code 3 if memory is short. */
Links find_links(const Scenario *scenario);

/** Frees what find_links took. */
void destroy_links(Links *links);

/** Density of the oncoming stream: the mean over the inflow cells; 1 where there are none. */
double stream_density(const Scenario *scenario, const float *f);

/**
 * Drag and lift by momentum exchange (Ladd 1994; Mei, Yu, Shyy & Luo 2002): a population that meets a
 * still body comes back reversed and leaves twice its momentum there.
 */
Force force_on_bodies(const Scenario *scenario, const Links *links, const float *f, double step);

/**
 * Pressure in front of a cylinder minus behind it, on its surface, over rho u^2: extrapolated along the two
 * rows beside its centre. NaN if the body is anything but one disc.
 */
double pressure_difference(const Scenario *scenario, const float *f);

/** A coefficient over time. */
typedef struct {
    double last, mean, min, max;
} Summary;

/** What is left of many samples of the force. */
typedef struct {
    Summary drag, lift; /**< mean and extrema between `from` and `to` */
    double from, to;    /**< steps */
    int periods;        /**< of the lift between them; 0: it has no regular period */
    double period;      /**< in steps; NaN without periods */
} Shedding;

/**
 * Sums up samples taken at equal intervals. Only their second half counts, the rest is taken for the start of
 * the flow; and of it only whole periods, from the first to the last upward crossing of the mean lift. Their
 * lengths must agree within a tenth, there must be two at least, of ten samples or more, and the lift must
 * swing by more than 0.001; else the whole second half counts.
 */
Shedding sum_up(const Force *sample, size_t count);

#endif
