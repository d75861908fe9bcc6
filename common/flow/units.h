/**
 * @file units.h
 * From SI units to lattice units, and what of them a simulation can bear (docs/units.md).
 */
#ifndef UNITS_H
#define UNITS_H

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

/**
 * The largest Mach number. By Bernoulli's equation the pressure differs by rho u^2 / 2, and so the density,
 * which is pressure over c_s^2, by half the square of the Mach number: 4.5% at 0.3.
 */
static const double most_mach = 0.3;

/**
 * The smallest relaxation time. A step multiplies what no flow has, but rounding and walls excite, by
 * 1 - 1 / tau: at 0.505 it changes its sign each step and takes 50 steps to fall to 1/e, closer to 1/2 ever
 * more.
 */
static const double least_tau = 0.505;

/** The largest speed that a still wall may have, over that of the flow: what one is ready to lose. */
static const double most_slip = 0.01;

/**
 * The largest Reynolds number of a cell: that of the cavity, whose corners bear least (primer_lbm.md).
 * Krueger et al. 2017, chapter 7: about 10.
 */
double most_cell_re(void);

/**
 * Speed at the half-way walls of a channel so many cells wide, over that in its middle: (16/3 (tau - 1/2)^2 -
 * 1) / cells^2. Collision and force of d2q9.h solve the rows of a steady channel by a parabola and a
 * constant, which is 0 at BGK_WALL_TAU (He, Zou, Luo & Dembo 1997; Krueger et al. 2017, chapter 5).
 */
double slip_at_walls(double tau, double cells);

/** The flow with so many cells along its length, moving u cells a step. */
LatticeFlow on_lattice(const MeasuredFlow *flow, double cells, double u);

/** The fewest cells that the Reynolds number can do with: by those of a cell and, for slip, 10. */
double fewest_cells(double re);

/** The lattice speeds between which Mach number, relaxation time and slip are good. Three digits, rounded
 * inwards. */
double slowest_u(double re, double cells), fastest_u(double re, double cells);

/** Rounds a positive number to three digits, none too large (down) or too small (up). */
double round_down(double number), round_up(double number);

#endif
