/**
 * @file lane_d2q9.h
 * The regularized collision of D2Q9 in the lanes of a warp, in six moments of each cell, and bounce-back at
 * the walls beside a cell, which are given as bits.
 */
#ifndef LANE_D2Q9_H
#define LANE_D2Q9_H

#include "gpu/lane.h"
#include "lattice/d2q9.h"

/** Moments of a cell after the collision: momentum along x and y, and half the sum of each pair of opposite
 * populations. */
enum { MOMENTS = 6 };

/** The moment that is half the sum of populations i and opposite(i), i > 0. */
HOST_DEVICE int pair(int i)
{
    return (i < 5 ? 3 : 5) - i % 2;
}

/**
 * Links of a cell: bit i is set if neighbour i is solid, bit MOVES + i if that neighbour moves; three bits
 * mark open boundary cells, and their kind. In solid cells all bits i are set.
 */
typedef unsigned LinkMask;
enum { MOVES = 8, PRESCRIBED = 17, INFLOWING = 18, OUTFLOWING = 19 };

/** The bits of a cell with these types of cells around it. */
HOST_DEVICE LinkMask link_mask(const CellType *type, int width, int height, int x, int y)
{
    const CellType own = type[(size_t)y * width + x];
    LinkMask mask = (LinkMask)is_opening(own) << PRESCRIBED | (LinkMask)(own == INFLOW) << INFLOWING |
                    (LinkMask)(own == OUTFLOW) << OUTFLOWING;
    for (int i = 1; i < 9; i++) {
        const int nx = wrap(x + ex(i), width), ny = wrap(y + ey(i), height);
        const CellType neighbour = type[(size_t)ny * width + nx];
        if (is_wall(own) || is_wall(neighbour))
            mask |= 1u << i;
        if (!is_wall(own) && neighbour == MOVING_WALL)
            mask |= 1u << (MOVES + i);
    }
    return mask;
}

/** The types of all cells, in device memory, and where their links go. */
typedef struct {
    int width, height;
    const CellType *type;
    LinkMask *links; // [height][width]
} LinkSearch;

/** Stores the links of a cell. */
HOST_DEVICE void find_links(const LinkSearch *search, CellNumber cell)
{
    const int x = (int)(cell % search->width), y = (int)(cell / search->width);
    search->links[cell] = link_mask(search->type, search->width, search->height, x, y);
}

EACH(find_links, LinkSearch)

/** Device memory with the links of all cells. */
static inline LinkMask *find_all_links(const Physics *physics, const CellType *type)
{
    LinkSearch search = {physics->width, physics->height, type, 0};
    const CellNumber cells = (CellNumber)physics->width * physics->height;
    CHECK(cudaMalloc((void **)&search.links, cells * sizeof(LinkMask)));
    find_links_each(search, cells);
    return search.links;
}

/** Moments of the populations that have arrived in a cell: density - 1, momentum, and of the second moments
 * xx - yy and xy. */
typedef struct {
    Lane drho, jx, jy, difference, shear;
} LaneMoments;

/** The populations f[9] of cells after the collision, from their moments; f[0] is stored divided by four. */
LANE_FUNCTION void reconstruct(Lane *f, const Lane *m)
{
    const float axis = weight_over_cs2(1), diagonal = weight_over_cs2(5);
    const Lane jx = m[0], jy = m[1], rising = jx + jy, falling = jx - jy;
    f[0] = FMA(-2.0f, m[pair(5)] + m[pair(6)], m[pair(1)] + m[pair(2)]);
    f[1] = FMA(axis, jx, m[pair(1)]);
    f[3] = FMA(-axis, jx, m[pair(1)]);
    f[2] = FMA(axis, jy, m[pair(2)]);
    f[4] = FMA(-axis, jy, m[pair(2)]);
    f[5] = FMA(diagonal, rising, m[pair(5)]);
    f[7] = FMA(-diagonal, rising, m[pair(5)]);
    f[8] = FMA(diagonal, falling, m[pair(6)]);
    f[6] = FMA(-diagonal, falling, m[pair(6)]);
}

/** Replaces the moments after a collision in open boundary cells, as impose_boundary() of d2q9.h does.
 */
LANE_FUNCTION void impose_boundary_moments(LaneMoments *after, Lane *trace, const LaneMoments *arrived,
                                           LaneInt links, int y, const Physics *physics)
{
    const float d = (float)y - physics->open_centre, profile = 1.0f - physics->open_curvature * d * d;
    const LaneInt here = links & 1 << PRESCRIBED, out = links & 1 << OUTFLOWING;
    const Lane ux = blend(out, arrived->drho + arrived->jx, broadcast(profile * physics->open_x));
    const Lane uy =
        blend(out, 0.5f * (arrived->jy + arrived->shear) / (1.0f + ux), broadcast(profile * physics->open_y));
    const Lane drho =
        blend(links & 1 << INFLOWING, (arrived->drho - arrived->jx + ux) / (1.0f - ux), broadcast(0.0f));
    const Lane rho = 1.0f + drho;
    after->drho = blend(here, drho, after->drho);
    after->jx = blend(here, rho * ux, after->jx);
    after->jy = blend(here, rho * uy, after->jy);
    *trace = blend(here, rho * (ux * ux + uy * uy), *trace);
    after->difference = blend(here, rho * (ux * ux - uy * uy), after->difference);
    after->shear = blend(here, rho * (ux * uy), after->shear);
}

/**
 * Collides the moments that have arrived in cells of row y, and leaves m[MOMENTS]. Density and momentum are
 * conserved; the trace of the second moments relaxes fully, the other two second moments with omega (Latt &
 * Chopard 2006). Without `has_boundary` all cells are fluid, and their links are not read.
 */
LANE_FUNCTION void collide_moments(Lane *m, const LaneMoments *arrived, LaneInt links, int has_boundary,
                                   int y, const Physics *physics)
{
    const Lane jx = arrived->jx, jy = arrived->jy, volume = reciprocal(1.0f + arrived->drho);
    const Lane ux = jx * volume, uy = jy * volume;
    Lane trace = FMA(jx, ux, jy * uy); // xx + yy relaxes fully
    LaneMoments after = {
        arrived->drho, jx + physics->force_x, jy + physics->force_y,
        FMA(physics->omega, FMA(jx, ux, -FMA(jy, uy, arrived->difference)), arrived->difference),
        FMA(physics->omega, FMA(jx, uy, -arrived->shear), arrived->shear)};
    if (has_boundary && any(links & 1 << PRESCRIBED))
        impose_boundary_moments(&after, &trace, arrived, links, y, physics);
    const Lane twelfth = (1.0f / 12.0f) * trace;
    const Lane axis = FMA(weight(1), after.drho, twelfth), diagonal = FMA(weight(5), after.drho, twelfth);
    m[0] = after.jx;
    m[1] = after.jy;
    m[pair(1)] = FMA(0.25f, after.difference, axis);
    m[pair(2)] = FMA(-0.25f, after.difference, axis);
    m[pair(5)] = FMA(0.25f, after.shear, diagonal);
    m[pair(6)] = FMA(-0.25f, after.shear, diagonal);
}

/** Population i comes back from a wall if there is one: `*f` becomes `own` instead of the population that has
 * streamed here. */
LANE_FUNCTION void bounce(Lane *f, LaneInt links, int i, Lane own)
{
    *f = blend(links & 1 << i, own, *f);
}

/** Adds the momentum that population i gains at a moving wall. */
LANE_FUNCTION void gain(Lane *f, LaneInt links, int i, const Physics *physics)
{
    *f = blend(links & 1 << (MOVES + i), *f + physics->wall_gain[i], *f);
}

/** Whether there is a moving wall beside any of the cells. */
LANE_FUNCTION int any_moves(LaneInt links)
{
    return any(links & 0x1fe << MOVES);
}

/** Corrects populations 4, 7 and 8, which have come down to a cell from above: `own2`, `own5` and `own6` left
 * the cell upwards, and come back if there is a wall. */
LANE_FUNCTION void bounce_from_above(Lane *f4, Lane *f7, Lane *f8, Lane own2, Lane own5, Lane own6,
                                     LaneInt links, const Physics *physics)
{
    bounce(f4, links, 2, own2);
    bounce(f7, links, 5, own5);
    bounce(f8, links, 6, own6);
    if (any_moves(links)) {
        gain(f4, links, 2, physics);
        gain(f7, links, 5, physics);
        gain(f8, links, 6, physics);
    }
}

/** Corrects the populations that have come to a cell from its sides and from below; own[9] left the cell. */
LANE_FUNCTION void bounce_from_below(Lane *f1, Lane *f3, Lane *f2, Lane *f5, Lane *f6, const Lane *own,
                                     LaneInt links, const Physics *physics)
{
    bounce(f1, links, 3, own[3]);
    bounce(f3, links, 1, own[1]);
    bounce(f2, links, 4, own[4]);
    bounce(f5, links, 7, own[7]);
    bounce(f6, links, 8, own[8]);
    if (any_moves(links)) {
        gain(f1, links, 3, physics);
        gain(f3, links, 1, physics);
        gain(f2, links, 4, physics);
        gain(f5, links, 7, physics);
        gain(f6, links, 8, physics);
    }
}

#endif
