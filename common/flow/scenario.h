/**
 * @file scenario.h
 * The flows: geometry, parameters and initial state. All quantities are in lattice units.
 */
#pragma once

#include "flow/bodies.h"
#include "flow/membrane.h"
#include "lattice/lattice.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the user may set of a flow; 0 leaves the flow's default. */
typedef struct {
    int width, height, depth; /**< cells along x, y and z, walls included; the depth of a plane flow is 1, and
                                 in space a width given alone is that of a cube */
    double re;                /**< Reynolds number; excludes tau */
    double tau;               /**< relaxation time; excludes re */
    double u;                 /**< reference speed */
    double ca;                /**< capillary number, of a flow with a membrane */
    long capsules;            /**< how many there are in such a flow */
    Bodies bodies;            /**< in the stream */
} Parameters;

typedef struct Flow Flow;

/** Flows that are known as functions of time and place (solutions.h). */
typedef enum {
    NONE,
    PARABOLA,
    DECAYING_VORTICES,
    SLANTED_STREAM,
    CHANNEL_STREAM,
    DUCT_PROFILE,
    ABC_WAVES,
    VORTICES_IN_SPACE,
    SHEAR
} Solution;

/** A state to begin with, other than the flow's own. */
typedef struct {
    const Real *f; /**< populations of all cells, f[directions * cell + i]; NULL: there is none */
    long step;     /**< when it was so; then the nodes of a membrane were where it has them */
} Start;

/** One flow with all its parameters fixed. */
typedef struct Scenario {
    const Flow *flow;
    int width, height, depth; /**< cells along x, y and z, walls included */
    double tau, nu;           /**< relaxation time; viscosity (tau - 1/2) / 3 */
    double u, length;         /**< reference speed and length of the Reynolds number */
    double re;                /**< u length / nu */
    double ca;                /**< nu (shear rate) length / G_s; 0 without a membrane */
    double mach;              /**< fastest speed that the flow prescribes / c_s */
    Physics physics;          /**< the same for the kernels */
    Bodies bodies;            /**< in the stream */
    long capsules;            /**< 0: the flow has none */
    Stiffness stiffness;      /**< of the membrane */
    CellType *type;           /**< type[(z * height + y) * width + x] */
    Membrane membrane;        /**< where a run begins; no nodes: there is none */
    Start start;              /**< where a run goes on from; the caller's */
} Scenario;

/** What one kind of flow is. */
struct Flow {
    const char *name, *about;
    const Lattice *lattice;      /**< it is computed on */
    Parameters defaults;         /**< exactly one of re and tau is set */
    Position least;              /**< sides of the smallest grid that makes sense; z is 0 in a plane */
    int is_cube;                 /**< whether all sides of the grid must be equal */
    int steady;                  /**< whether it tends to a steady state */
    double largest_cell_re;      /**< u / nu up to which BGK was seen to be stable; 0: not known */
    int max_bodies;              /**< how many the user may give */
    Body (*body)(Position size); /**< if none is given; NULL: no bodies */
    double (*length)(int width, int height);                 /**< reference; NULL: of the highest body */
    double (*peak)(int width, int height);                   /**< fastest speed over u; NULL: 1 */
    double (*duration)(const Scenario *scenario);            /**< steps that show the whole of it */
    CellType (*cell)(const Scenario *scenario, Position at); /**< geometry */
    void (*drive)(Scenario *scenario);                       /**< force, lid, inflow; may be NULL */
    Solution start;                                          /**< state at time 0; NONE: rest */
    Solution exact;                                          /**< analytic solution; may be NONE */
};

/** All flows. */
extern const Flow flows[];
extern const int flow_count;

/** Whether spheres of the reference length float in it, in a membrane: it has a capillary number. */
int has_membrane(const Flow *flow);

/** The flow of that name, or NULL. */
const Flow *find_flow(const char *name);

/** The most cells of a grid: as many as a CellNumber counts. */
static const size_t most_cells = UINT32_MAX;

/** From so many cells on, several threads of the CPU fill a grid or read it. A program that has done so may
 * not fork workers that do it again: gcc's threads hang there. */
enum { PARALLEL_CELLS = 1 << 18 };

/** Difference of the velocities of the walls over their distance, in the flow "capsule". */
double shear_rate(const Scenario *scenario);

/** Membranes with a larger shear modulus diverged within some thousand steps; stiff ones below it may, too, later. */
static const double most_shear_modulus = 0.03;

/** The smallest speed, whose square is a Real with all its digits. */
double least_speed(void);

/** The relaxation time of a flow: 1/2 + 3 u length / re. */
double relaxation_time(double u, double length, double re);

enum { REASON_SIZE = 256 };

/**
 * Whether resolve_scenario takes these numbers: all of width, height, re and u, and no bodies, of a flow whose
 * length does not depend on them. If not, says why.
 */
int can_run(const Flow *flow, Parameters parameters, char reason[REASON_SIZE]);

/**
 * Fixes a flow's parameters; `type` is NULL. Ends the program with exit code 2 and one line if they make no
 * sense (grid too small or too large, tau or speed beyond what a Real resolves, the fastest speed not below
 * that of sound, both re and tau, bodies that don't belong there). A mask stays the caller's.
 */
Scenario resolve_scenario(const Flow *flow, Parameters parameters);

/** Works out the types of all cells of a resolved scenario, and its membrane. */
void create_cells(Scenario *scenario);

/** resolve_scenario and create_cells. */
Scenario create_scenario(const Flow *flow, Parameters parameters);

/** Frees what create_cells took. */
void destroy_scenario(Scenario *scenario);

enum { SIZE_TEXT = 40, DESCRIPTION_SIZE = 256 };

/** The size of its grid: "130x130", or "66x66x66" in space; returns the text. */
const char *describe_size(const Scenario *scenario, char text[SIZE_TEXT]);

/** For people and in files: "cavity, 130x130 cells, Re 1000, tau 0.5384, u 0.1", to nine digits. */
void describe(const Scenario *scenario, char text[DESCRIPTION_SIZE]);

/** Whether the flow has three dimensions; a plane flow has a depth of 1. */
int is_in_space(const Scenario *scenario);

/** Density and velocity that a cell of the flow has at time 0, and the gradient, unless NULL. */
Moments start_at(const Scenario *scenario, Position at, Gradient *gradient);

/** Density and velocity of the analytic solution at a time, of a flow that has one. */
Moments exact_at(const Scenario *scenario, double t, Position at);

/** Number of cells, walls included. */
size_t cell_count(const Scenario *scenario);

/** Populations of a cell, of cells with numbers: f[directions_of(scenario) * cell + i]. */
int directions_of(const Scenario *scenario);

/** Number of populations of all cells. */
size_t population_count(const Scenario *scenario);

/** Bytes of the positions of a membrane's nodes, [3][nodes]; 0: there is none. */
size_t node_bytes(const Scenario *scenario);

/** Where the cell with that number is. */
Position position_of(const Scenario *scenario, size_t cell);

/** The number of the cell there. */
size_t cell_at(const Scenario *scenario, Position at);

/** Cells along an axis: x (0), y (1) or z (2). */
int side_of(const Scenario *scenario, int axis);

/** Number of layers, whose cells have numbers in sequence: rows of a plane flow, planes across z in space. */
int layer_count(const Scenario *scenario);

/** Rows of a layer: 1 in a plane flow. */
int rows_of_layer(const Scenario *scenario);

/** Number of cells of a layer. */
size_t cells_of_layer(const Scenario *scenario);

/** The layer of the periodic grid that layer n is, which may be below 0 or above the last one. */
int layer_in_grid(const Scenario *scenario, int n);

/** Writes the types of `count` layers of the periodic grid, from layer `first` on, one after the other. */
void cell_layers(const Scenario *scenario, int first, int count, CellType *type);

/**
 * Writes the state that a scenario with types begins with, f[directions * cell + i]: that of `start` where
 * there is one, else the flow's at time 0. Walls hold zeros.
 */
void initial_populations(const Scenario *scenario, Real *f);

#ifdef __cplusplus
}
#endif
