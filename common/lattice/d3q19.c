#include "lattice/d3q19.h"

#include "lattice/lattice.h"

static int component(int i, int axis)
{
    return axis == 0 ? ex(i) : axis == 1 ? ey(i) : ez(i);
}

const Lattice d3q19 = {
    .name = "D3Q19",
    .dimensions = 3,
    .directions = DIRECTIONS,
    .e = component,
    .opposite = opposite,
    .weight = weight,
    .weight_over_cs2 = weight_over_cs2,
    .equilibrium = set_equilibrium,
    .near_equilibrium = set_near_equilibrium,
    .moments = moments,
    .impose_boundary = impose_boundary,
};
