/**
 * @file units.h
 * From SI units to lattice units, and what of them a simulation can bear (docs/units.md).
 */
#pragma once

#include "flow/scenario.h"

/** A flow as one measures it. */
typedef struct {
    double length;    /**< of the Reynolds number, m */
    double speed;     /**< m/s */
    double viscosity; /**< kinematic, m^2/s */
} MeasuredFlow;

/** The same flow on a lattice. */
typedef struct {
    double re;      /**< Reynolds number, speed length / viscosity: the same in all units */
    double cells;   /**< along the length */
    double u;       /**< the speed, cells a step */
    double nu, tau; /**< viscosity u cells / re; relaxation time 1/2 + 3 nu */
    double mach;    /**< u / c_s, where c_s = 1 / sqrt(3) */
    double cell_re; /**< Reynolds number of a cell, u / nu */
    double slip;    /**< see slip_at_walls */
    double dx, dt;  /**< what a cell and a step measure: m, s */
} LatticeFlow;

/** The fewest cells along the length. With as many, walls slip by at most most_slip at the smallest tau. */
static const double least_cells = 10.0;

/** The largest speed, Mach number Ma 0.17: by Bernoulli's equation the pressure differs by rho u^2 / 2, and
 * so the density by Ma^2 / 2, 1.5%. */
static const double most_u = 0.1;

/** The Mach number above which a run warns: there the density differs by 4.5%. */
static const double most_mach = 0.3;

/** The smallest relaxation time. A step multiplies what no flow has, but rounding and walls excite, by
 * 1 - 1 / tau: at 0.505 that takes 50 steps to fall to 1/e. */
static const double least_tau = 0.505;

/** The largest speed that a still wall may have, over that of the flow: what one is ready to lose. */
static const double most_slip = 0.01;

/** The largest Reynolds number of a cell: that of the cavity, whose corners bear least (primer_lbm.md).
 * Krueger et al. 2017, chapter 7: about 10. */
double most_cell_re(void);

/** Whether a number is above a limit by more than doubles are rounded; NaN is. */
int exceeds(double number, double limit);

/**
 * Speed at the half-way walls of a channel so many cells wide, over that in its middle: (16/3 (tau - 1/2)^2 -
 * 1) / cells^2, which is 0 at BGK_MAGIC_TAU (He, Zou, Luo & Dembo 1997; Krueger et al. 2017, chapter 5).
 */
double slip_at_walls(double tau, double cells);

/** The flow with so many cells along its length, moving u cells a step. */
LatticeFlow on_lattice(const MeasuredFlow *flow, double cells, double u);

/* ---- Limits ---- */

/** What of a flow has a limit. */
typedef enum { CELLS, LATTICE_SPEED, TAU, CELL_RE, SLIP, LIMIT_COUNT } LimitedNumber;

/** A number of a flow, and its limit. */
typedef struct {
    const char *name;
    double number, limit;
    int is_least; /**< whether the limit is the least or the most that is good */
} Limit;

/** A number of a flow with its limit. */
Limit limit_of(const LatticeFlow *flow, LimitedNumber number);

/** Whether the number keeps its limit. */
int is_kept(const Limit *limit);

/** Whether a run takes the flow, in a closed box with so many cells a side (can_run). If not, says why. */
int fits_a_run(const LatticeFlow *flow, char reason[REASON_SIZE]);

/** Whether all limits are kept and a run takes the flow. */
int is_good_for_a_run(const LatticeFlow *flow);

/* ---- Numbers that are good ---- */

/** The most cells along the side of a box that a run takes. */
double most_cells_a_side(void);

/** The fewest cells that are good at a Reynolds number. */
double fewest_cells(double re);

/** The fewest cells with which tau is good. */
double fewest_cells_for_tau(double re, double u);

/** The lattice speeds between which speed, tau and slip are good with so many cells; three digits. */
double slowest_u(double re, double cells), fastest_u(double re, double cells);

/** Rounds a positive number to three digits, none too large (down) or too small (up). */
double round_down(double number), round_up(double number);
