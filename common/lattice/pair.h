/**
 * @file pair.h
 * Two opposite populations, which the collision of a pair relaxes together.
 */
#pragma once

#include "lattice/cell.h"

/** The sum of two opposite populations, and the first one minus the second. */
typedef struct {
    Real sum, difference;
} Pair;

/** The pair of two populations. */
HOST_DEVICE Pair pair_of(Real one, Real other)
{
    const Pair pair = {one + other, one - other};
    return pair;
}

/** Relaxes two populations, which are `now`, at the rate 2 half towards a pair; then adds `push` to the first
 * and subtracts it from the second. */
HOST_DEVICE void relax_pair(Real *one, Real *other, Pair now, Pair towards, Real half, Real push)
{
    const Real both = half * (towards.sum - now.sum);
    const Real more = half * (towards.difference - now.difference) + push;
    *one += both + more;
    *other += both - more;
}
