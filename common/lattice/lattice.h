/**
 * @file lattice.h
 * The lattices as data, for host code that takes any of them. A solver includes the header of its own lattice
 * instead, with the same functions known at compile time.
 */
#pragma once

#include "lattice/cell.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A lattice: the functions of its header, for directions 0 .. directions - 1. */
typedef struct {
    const char *name; /**< "D2Q9": two dimensions, nine directions */
    int dimensions;
    int directions; /**< as many populations as a cell has */

    int (*e)(int i, int axis);      /**< component of the lattice velocity along x (0), y (1), z (2) */
    int (*opposite)(int i);         /**< the direction that points the other way */
    Real (*weight)(int i);          /**< lattice weight w_i */
    Real (*weight_over_cs2)(int i); /**< 3 w_i */

    /** Sets all populations of a cell to their equilibrium at this density and velocity. */
    void (*equilibrium)(Real *f, Moments at);

    /** The same in a flow that changes slowly, with the part that the gradient of its velocity adds. */
    void (*near_equilibrium)(Real *f, Moments at, const Gradient *gradient, const Physics *physics);

    /** Density less 1 and velocity of the populations of a cell. */
    Moments (*moments)(const Real *f, const Physics *physics);

    /** Sets the populations of an open boundary cell with this y. */
    void (*impose_boundary)(Real *f, CellType type, int y, const Physics *physics);
} Lattice;

extern const Lattice d2q9, d3q19;

#ifdef __cplusplus
}
#endif
