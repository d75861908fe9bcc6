/**
 * @file lane_d3q19.h
 * The regularized collision of D3Q19 in the lanes of a warp, in the nine moments of lattice/moments_d3q19.h,
 * for kernels that march along z: populations are summed up to the moments of the cell in which they arrive,
 * plane by plane. Bounce-back at the walls beside a cell, which are given as bits.
 */
#ifndef LANE_D3Q19_H
#define LANE_D3Q19_H

#include "flow/scenario.h"
#include "gpu/lane.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/moments_d3q19.h"

#include <stdlib.h>
#include <string.h>

/**
 * Links of a cell: bit 0 is set if the cell is solid; if not, bit i if neighbour i is. Two bits are the type
 * of an open boundary cell, and all others the number of the gain at moving walls, in a table; number 0 is no
 * gain.
 */
typedef unsigned LinkMask;
enum { SOLID = 1, NEIGHBOURS = 0x7fffe, OPENING_SHIFT = 19, OPENING = 3 << OPENING_SHIFT, GAIN_SHIFT = 21 };

/** The table of gains, one for each set of neighbours that move: the moments that their walls add. */
enum { MOST_GAINS = 1 << (32 - GAIN_SHIFT) };
typedef struct {
    int count;
    LinkMask movers[MOST_GAINS]; /**< bit i is set if neighbour i moves */
    float moments[MOST_GAINS][MOMENTS];
} Gains;

/** The number of a gain, which is new if there is none with these movers. Fails with exit code 2 if the table
 * is full. */
static inline LinkMask find_gain(Gains *gains, LinkMask movers, const Physics *physics)
{
    int n = 0;
    while (n < gains->count && gains->movers[n] != movers)
        n++;
    if (n == MOST_GAINS)
        fail(EXIT_USAGE, "moving walls lie beside cells in more than %d ways; this stage takes up to %d",
             MOST_GAINS - 1, MOST_GAINS - 1);
    if (n == gains->count) {
        float f[DIRECTIONS] = {0.0f};
        for (int i = 1; i < DIRECTIONS; i++)
            if (movers >> i & 1)
                f[opposite(i)] = physics->wall_gain[i];
        gains->movers[n] = movers;
        sum_moments(gains->moments[n], f);
        gains->count++;
    }
    return (LinkMask)n;
}

/** The bits of a cell of a scenario with types; `gains` is all zeros before the first one. */
static inline LinkMask link_mask(const Scenario *s, CellNumber cell, Gains *gains)
{
    const CellType own = s->type[cell];
    if (is_wall(own))
        return SOLID;
    const Position at = position_of(s, cell);
    LinkMask mask = (LinkMask)own << OPENING_SHIFT, movers = 0;
    for (int i = 1; i < DIRECTIONS; i++) {
        const int nx = wrap(at.x + ex(i), s->width), ny = wrap(at.y + ey(i), s->height);
        const CellType neighbour =
            s->type[((size_t)wrap(at.z + ez(i), s->depth) * s->height + ny) * s->width + nx];
        mask |= (LinkMask)is_wall(neighbour) << i;
        movers |= (LinkMask)(neighbour == MOVING_WALL) << i;
    }
    if (gains->count == 0)
        find_gain(gains, 0, &s->physics);
    return mask | (movers ? find_gain(gains, movers, &s->physics) << GAIN_SHIFT : 0);
}

/** The types of all cells, in device memory, and what is found of them. */
typedef struct {
    Physics physics;
    const CellType *type;
    unsigned char *seen;          /**< [SETS]: whether a set of neighbours moves beside some cell */
    const unsigned short *number; /**< [SETS]: of the gain of each set */
    LinkMask *links;              /**< [depth][height][width] */
} LinkSearch;
enum { SETS = 1 << (DIRECTIONS - 1) }; /**< of neighbours; in that of a number, bit i - 1 is set if i moves */

/** The solid neighbours of a cell, bit i - 1 of neighbour i, or those of them that move. */
HOST_DEVICE unsigned neighbours_of(const LinkSearch *s, CellNumber cell, CellType least, CellType most)
{
    const Physics *const p = &s->physics;
    const CellNumber row = cell / p->width;
    const int x = (int)(cell % p->width), y = (int)(row % p->height), z = (int)(row / p->height);
    unsigned found = 0;
    for (int i = 1; i < DIRECTIONS; i++) {
        const int nx = wrap(x + ex(i), p->width), ny = wrap(y + ey(i), p->height),
                  nz = wrap(z + ez(i), p->depth);
        const CellType type = s->type[((size_t)nz * p->height + ny) * p->width + nx];
        found |= (unsigned)(type >= least && type <= most) << (i - 1);
    }
    return found;
}

/** Notes which combination of moving neighbours a cell has. */
HOST_DEVICE void see_movers(const LinkSearch *s, CellNumber cell)
{
    if (!is_wall(s->type[cell]))
        s->seen[neighbours_of(s, cell, MOVING_WALL, MOVING_WALL)] = 1;
}

/** Stores the links of a cell. */
HOST_DEVICE void find_links(const LinkSearch *s, CellNumber cell)
{
    const CellType own = s->type[cell];
    const LinkMask gain = s->number[neighbours_of(s, cell, MOVING_WALL, MOVING_WALL)];
    s->links[cell] = is_wall(own) ? SOLID
                                  : (LinkMask)own << OPENING_SHIFT | neighbours_of(s, cell, WALL, BODY) << 1 |
                                        gain << GAIN_SHIFT;
}

EACH(see_movers, LinkSearch)
EACH(find_links, LinkSearch)

/** Copies the gains of all sets that were seen to device memory, and their numbers to `number`. */
static inline float *upload_gains(const unsigned char *seen, const Physics *physics, unsigned short *number)
{
    Gains *gains = (Gains *)allocate(sizeof *gains);
    float *there;
    for (unsigned set = 0; set < SETS; set++)
        if (seen[set] || set == 0)
            number[set] = (unsigned short)find_gain(gains, set << 1, physics);
    CHECK(cudaMalloc((void **)&there, sizeof gains->moments));
    CHECK(cudaMemcpy(there, gains->moments, sizeof gains->moments, cudaMemcpyHostToDevice));
    free(gains);
    return there;
}

/** Device memory with the links of all cells; `gains` becomes that of the table. Fails with exit code 2 if
 * the table is full. */
static inline LinkMask *find_all_links(const Physics *physics, const CellType *type, float **gains)
{
    const CellNumber cells = (CellNumber)physics->width * physics->height * physics->depth;
    LinkSearch s = {*physics, type, 0, 0, 0};
    unsigned char *seen = (unsigned char *)allocate(SETS);
    unsigned short *number = (unsigned short *)allocate(SETS * sizeof *number), *there;
    CHECK(cudaMalloc((void **)&s.links, cells * sizeof(LinkMask)));
    CHECK(cudaMalloc((void **)&s.seen, SETS));
    CHECK(cudaMalloc((void **)&there, SETS * sizeof *there));
    CHECK(cudaMemset(s.seen, 0, SETS));
    see_movers_each(s, cells);
    CHECK(cudaMemcpy(seen, s.seen, SETS, cudaMemcpyDeviceToHost));
    *gains = upload_gains(seen, physics, number);
    CHECK(cudaMemcpy(there, number, SETS * sizeof *there, cudaMemcpyHostToDevice));
    s.number = there;
    find_links_each(s, cells);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(s.seen));
    CHECK(cudaFree(there));
    free(number);
    free(seen);
    return s.links;
}

/** Factors of the collision that are the same in all cells. */
typedef struct {
    float keep_8, keep_24;  /**< (1 - omega) / 8 and / 24 */
    float omega_8, omega_3; /**< omega / 8, and 1 / (3 omega) */
    float axis_2, diagonal; /**< half of 3 w_1, and 3 w_7 */
    float third, thirty_sixth;
} Factors;

/** The factors of a flow. */
static inline Factors factors_of(const Physics *physics)
{
    const float omega = physics->omega;
    const Factors k = {
        0.125f * (1.0f - omega),   (1.0f - omega) / 24.0f, 0.125f * omega, 1.0f / (3.0f * omega),
        0.5f * weight_over_cs2(1), weight_over_cs2(7),     1.0f / 3.0f,    1.0f / 36.0f};
    return k;
}

/** The four populations f[0] to f[3] along the diagonals of a plane: their mean without the shear, a quarter
 * of the shear, and the momentum along the two axes of the plane. */
LANE_FUNCTION void set_diagonals(Lane *f, Lane base, Lane shear, Lane ja, Lane jb, const Factors *k)
{
    const Lane plus = FMA(2.0f, shear, base), minus = FMA(-2.0f, shear, base);
    const Lane rising = ja + jb, falling = ja - jb;
    f[0] = fma_once(k->diagonal, rising, plus);
    f[1] = fma_once(-k->diagonal, rising, plus);
    f[2] = fma_once(k->diagonal, falling, minus);
    f[3] = fma_once(-k->diagonal, falling, minus);
}

/**
 * The populations f[19] of cells after the collision of collide_moments() in lattice/moments_d3q19.h; a force
 * acts on them. f[0] is stored divided by 12, f[1] to f[6] divided by 2.
 */
LANE_FUNCTION void collide_lanes(Lane *f, const Lane *m, const Lane *force, const Factors *k)
{
    const Lane volume = k->omega_8 * reciprocal(1.0f + m[DRHO]), w = k->thirty_sixth * m[DRHO];
    const Lane vx = m[JX] * volume, vy = m[JY] * volume, vz = m[JZ] * volume; // omega u / 8
    const Lane trace = FMA(m[JX], vx, FMA(m[JY], vy, m[JZ] * vz)), isotropic = FMA(-k->third, trace, w);
    const Lane rest = FMA(-k->omega_3, trace, w);
    const Lane along_x = FMA(m[JX], vx, FMA(k->keep_24, FMA(2.0f, m[XX_ZZ], -m[YY_ZZ]), isotropic));
    const Lane along_y = FMA(m[JY], vy, FMA(k->keep_24, FMA(2.0f, m[YY_ZZ], -m[XX_ZZ]), isotropic));
    const Lane along_z = FMA(3.0f, w, -along_x) - along_y, base = FMA(3.0f, w, -rest);
    const Lane jx = m[JX] + force[0], jy = m[JY] + force[1], jz = m[JZ] + force[2];
    f[0] = rest;
    f[1] = fma_once(k->axis_2, jx, along_x);
    f[2] = fma_once(-k->axis_2, jx, along_x);
    f[3] = fma_once(k->axis_2, jy, along_y);
    f[4] = fma_once(-k->axis_2, jy, along_y);
    f[5] = fma_once(k->axis_2, jz, along_z);
    f[6] = fma_once(-k->axis_2, jz, along_z);
    set_diagonals(f + 7, base - along_z, FMA(vx, m[JY], k->keep_8 * m[XY]), jx, jy, k);
    set_diagonals(f + 11, base - along_y, FMA(vx, m[JZ], k->keep_8 * m[XZ]), jx, jz, k);
    set_diagonals(f + 15, base - along_x, FMA(vy, m[JZ], k->keep_8 * m[YZ]), jy, jz, k);
}

/** Replaces the moments of open boundary cells, as impose_boundary_moments() of lattice/moments_d3q19.h. */
LANE_FUNCTION void impose_boundary_lanes(Lane *m, LaneInt links, int y, const Physics *physics)
{
    const float d = (float)y - physics->open_centre, profile = 1.0f - physics->open_curvature * d * d;
    const LaneInt type = links >> OPENING_SHIFT & 3, here = type != FLUID, out = type == OUTFLOW;
    const Lane zero = broadcast(0.0f);
    const Lane ux = blend(out, m[DRHO] + m[JX], broadcast(profile * physics->open_x));
    const Lane uy = blend(out, 0.5f * (m[JY] + m[XY]) / (1.0f + ux), broadcast(profile * physics->open_y));
    const Lane uz = blend(out, 0.5f * (m[JZ] + m[XZ]) / (1.0f + ux), zero);
    const Lane drho = blend(type == INFLOW, (m[DRHO] - m[JX] + ux) / (1.0f - ux), zero);
    const Lane rho = 1.0f + drho;
    m[DRHO] = blend(here, drho, m[DRHO]);
    m[JX] = blend(here, rho * ux, m[JX]);
    m[JY] = blend(here, rho * uy, m[JY]);
    m[JZ] = blend(here, rho * uz, m[JZ]);
    m[XX_ZZ] = blend(here, rho * (ux * ux - uz * uz), m[XX_ZZ]);
    m[YY_ZZ] = blend(here, rho * (uy * uy - uz * uz), m[YY_ZZ]);
    m[XY] = blend(here, rho * (ux * uy), m[XY]);
    m[XZ] = blend(here, rho * (ux * uz), m[XZ]);
    m[YZ] = blend(here, rho * (uy * uz), m[YZ]);
}

/** Sets moments and force of the cells of row y that are no fluid: solid ones are empty. */
LANE_FUNCTION void impose_types(Lane *m, Lane *force, LaneInt links, int y, const Physics *physics)
{
    const Lane zero = broadcast(0.0f);
    for (int n = 0; n < MOMENTS; n++)
        m[n] = blend(links & SOLID, zero, m[n]);
    for (int n = 0; n < 3; n++)
        force[n] = blend(links & (SOLID | OPENING), zero, force[n]);
    if (any(links & OPENING))
        impose_boundary_lanes(m, links, y, physics);
}

/** Sums of populations that cross from plane to plane: all of them, their momentum along x and y, and their
 * second moments xx - zz and yy - zz. */
typedef struct {
    Lane all, x, y, xx_zz, yy_zz;
} CrossingSums;

/** The sums of a population along z, stored divided by 2, and of those towards +x, -x, +y and -y. */
LANE_FUNCTION CrossingSums sum_crossing(Lane z, Lane east, Lane west, Lane north, Lane south)
{
    const Lane along_x = east + west, along_y = north + south;
    const Lane all = FMA(2.0f, z, along_x + along_y);
    const CrossingSums sums = {all, east - west, north - south, along_x - all, along_y - all};
    return sums;
}

/** The sums of those of f[19] that move up. */
LANE_FUNCTION CrossingSums sum_up(const Lane *f)
{
    return sum_crossing(f[5], f[11], f[14], f[15], f[18]);
}

/** The sums of those that move down. */
LANE_FUNCTION CrossingSums sum_down(const Lane *f)
{
    return sum_crossing(f[6], f[13], f[12], f[17], f[16]);
}

/** The moments of the populations that have arrived in cells from their own plane, f[19], and from below. */
LANE_FUNCTION void start_moments(Lane *m, const Lane *f, const CrossingSums *up)
{
    const Lane rising = f[7] + f[8], falling = f[9] + f[10], diagonal = rising + falling;
    const Lane up_right = f[7] - f[8], down_right = f[9] - f[10], along_y = f[3] + f[4];
    const Lane xx = FMA(2.0f, f[1] + f[2], diagonal), yy = FMA(2.0f, along_y, diagonal);
    m[DRHO] = FMA(12.0f, f[0], FMA(2.0f, along_y, xx) + up->all);
    m[JX] = FMA(2.0f, f[1] - f[2], (up_right + down_right) + up->x);
    m[JY] = FMA(2.0f, f[3] - f[4], (up_right - down_right) + up->y);
    m[JZ] = up->all;
    m[XX_ZZ] = xx + up->xx_zz;
    m[YY_ZZ] = yy + up->yy_zz;
    m[XY] = rising - falling;
    m[XZ] = up->x;
    m[YZ] = up->y;
}

/** Adds the populations that have arrived from above. */
LANE_FUNCTION void add_down(Lane *m, const CrossingSums *down)
{
    m[DRHO] += down->all;
    m[JX] += down->x;
    m[JY] += down->y;
    m[JZ] -= down->all;
    m[XX_ZZ] += down->xx_zz;
    m[YY_ZZ] += down->yy_zz;
    m[XZ] -= down->x;
    m[YZ] -= down->y;
}

/** Adds the populations that walls send back to cells: own[19] left the cells. No population comes out of a
 * solid cell, as its moments are 0. */
LANE_FUNCTION void bounce_back(Lane *m, const Lane *own, LaneInt links, const float *gains)
{
    Lane f[DIRECTIONS], more[MOMENTS];
    f[0] = broadcast(0.0f);
    UNROLL
    for (int i = 1; i < DIRECTIONS; i++)
        f[opposite(i)] = blend(links & 1 << i, own[i], f[0]);
    const CrossingSums up = sum_up(f), down = sum_down(f);
    start_moments(more, f, &up);
    add_down(more, &down);
    for (int n = 0; n < MOMENTS; n++)
        m[n] += more[n];
    const LaneInt gain = links >> GAIN_SHIFT & (MOST_GAINS - 1);
    if (any(gain))
        for (int n = 0; n < MOMENTS; n++)
            m[n] += load(gains + n, MOMENTS * gain);
}

#endif
