// D2Q9, regularized, one GPU warp a strip of columns, which it marches up row by row, several steps each
// time: six moments instead of nine populations, structure of arrays, two grids.
#include "gpu/lane_d2q9.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 5, COLUMNS = 2, ROWS = 128 }; // steps a sweep, columns a lane, rows a chunk
// TODO(3): the columns that a strip owns; one that it only reads at each side is enough for one step
enum { TILE_COLUMNS = LANES * COLUMNS - 2 };

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    LinkMask *links;      // [height][width]
    float *f;             // [MOMENTS][height][width]: moments before their populations stream
    float *next;          // where the next sweep stores them
    long steps;           // so far
};

// Structure of arrays: one moment of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, const Physics *physics)
{
    return (size_t)i * physics->width * physics->height + cell;
}

// Fetches the populations that arrive in a cell: half the sum of a pair, and half the difference.
HOST_DEVICE void pull(float *f, const float *m, const CellType *type, int x, int y, const Physics *physics)
{
    for (int i = 1; i < 9; i++) {
        const Destination from = boundary(physics, type, x, y, i);
        const float jx = m[at(from.cell, 0, physics)], jy = m[at(from.cell, 1, physics)];
        const float half = m[at(from.cell, pair(i), physics)], other = weight_over_cs2(i) * dot(i, jx, jy);
        f[opposite(i)] = half + (from.direction == i ? -other : other) + from.gain;
    }
    const CellNumber cell = (CellNumber)y * physics->width + x;
    f[0] = 4.0f * (m[at(cell, pair(1), physics)] + m[at(cell, pair(2), physics)]) -
           8.0f * (m[at(cell, pair(5), physics)] + m[at(cell, pair(6), physics)]);
}

// Collides the populations of a cell, and stores their moments.
HOST_DEVICE void collide_regularized(float *m, float *f, CellType type, int y, const Physics *physics)
{
    if (type != FLUID)
        impose_boundary(f, type, y, physics);
    const float drho = sum(f), jx = momentum_x(f), jy = momentum_y(f);
    const float volume = 1.0f / (1.0f + drho), ux = jx * volume, uy = jy * volume, trace = jx * ux + jy * uy;
    float difference = (f[1] + f[3]) - (f[2] + f[4]), shear = (f[5] + f[7]) - (f[6] + f[8]);
    difference += physics->omega * (jx * ux - jy * uy - difference);
    shear += physics->omega * (jx * uy - shear);
    m[0] = jx + (type == FLUID ? physics->force_x : 0.0f);
    m[1] = jy + (type == FLUID ? physics->force_y : 0.0f);
    const float twelfth = (1.0f / 12.0f) * trace;
    const float axis = weight(1) * drho + twelfth, diagonal = weight(5) * drho + twelfth;
    m[pair(1)] = axis + 0.25f * difference;
    m[pair(2)] = axis - 0.25f * difference;
    m[pair(5)] = diagonal + 0.25f * shear;
    m[pair(6)] = diagonal - 0.25f * shear;
}

// State of a pipeline level in each of its columns, for the row that it worked on last.
typedef struct {
    LaneMoments arrived; // still without the populations from above
    Lane up[3]; // populations 2, 5 and 6 on their way to the next row, in the columns where they arrive
} Level;

typedef Lane Populations[COLUMNS][9];

LANE_FUNCTION Lane from_left(const Populations f, int i, int column)
{
    return column > 0 ? f[column - 1][i] : shuffle_up(f[COLUMNS - 1][i]);
}

LANE_FUNCTION Lane from_right(const Populations f, int i, int column)
{
    return column < COLUMNS - 1 ? f[column + 1][i] : shuffle_down(f[0][i]);
}

// Completes the row below with the populations that come down to it, and collides it.
LANE_FUNCTION void finish_row(Lane m[COLUMNS][MOMENTS], Level *level, const Populations f,
                              const LaneInt *links, int y, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f4 = f[c][4], f7 = from_right(f, 7, c), f8 = from_left(f, 8, c);
        const Lane own5 = c < COLUMNS - 1 ? level[c + 1].up[1] : shuffle_down(level[0].up[1]);
        const Lane own6 = c > 0 ? level[c - 1].up[2] : shuffle_up(level[COLUMNS - 1].up[2]);
        bounce_from_above(&f4, &f7, &f8, level[c].up[0], own5, own6, links[c], physics);
        LaneMoments *arrived = &level[c].arrived;
        const Lane down = f4 + (f7 + f8), along = f8 - f7;
        arrived->drho += down;
        arrived->jx += along;
        arrived->jy -= down;
        arrived->difference -= f4;
        arrived->shear -= along;
        collide_moments(m[c], arrived, links[c], 1, y, physics);
    }
}

// Begins the row of these populations with those that come from itself and from below.
LANE_FUNCTION void start_row(Level *level, const Populations f, const LaneInt *links, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f1 = from_left(f, 1, c), f3 = from_right(f, 3, c);
        Lane f2 = level[c].up[0], f5 = level[c].up[1], f6 = level[c].up[2];
        bounce_from_below(&f1, &f3, &f2, &f5, &f6, f[c], links[c], physics);
        LaneMoments *arrived = &level[c].arrived;
        const Lane up = f2 + (f5 + f6), sides = f1 + f3;
        arrived->drho = FMA(4.0f, f[c][0], sides + up);
        arrived->jx = (f1 - f3) + (f5 - f6);
        arrived->jy = up;
        arrived->difference = sides - f2;
        arrived->shear = f5 - f6;
        level[c].up[0] = f[c][2];
        level[c].up[1] = from_left(f, 5, c);
        level[c].up[2] = from_right(f, 6, c);
    }
}

LANE_FUNCTION void load_links(LaneInt own[COLUMNS], const LinkMask *links, const LaneInt *column, int row,
                              const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++)
        own[c] = load_words(links + (size_t)row * physics->width, column[c]);
}

// Takes a row through all pipeline levels: each advances it by one step and passes on the row below.
LANE_FUNCTION void advance_pipeline(const int steps, Level level[STEPS][COLUMNS], Lane m[COLUMNS][MOMENTS],
                                    const LaneInt *column, const LinkMask *links, int row,
                                    const Physics *physics)
{
    LaneInt here[COLUMNS], below[COLUMNS];
    load_links(here, links, column, row, physics);
    // TODO(1): this is pipeline level 0, but a row must go through all of them
    (void)steps;
    row = (row > 0 ? row : physics->height) - 1;
    load_links(below, links, column, row, physics);
    Populations f;
    for (int c = 0; c < COLUMNS; c++)
        reconstruct(f[c], m[c]);
    finish_row(m, level[0], f, below, row, physics);
    start_row(level[0], f, here, physics);
}

LANE_FUNCTION void load_row(Lane m[COLUMNS][MOMENTS], const float *from, const LaneInt *column, int row,
                            const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < MOMENTS; i++)
            m[c][i] = load(from + at((size_t)row * physics->width, i, physics), column[c]);
}

LANE_FUNCTION void store_row(float *to, Lane m[COLUMNS][MOMENTS], const LaneInt *column, const LaneInt *owned,
                             int row, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < MOMENTS; i++)
            store(to + at((size_t)row * physics->width, i, physics), column[c], owned[c], m[c][i]);
}

HOST_DEVICE int strips_of(int width)
{
    return (width + TILE_COLUMNS - 1) / TILE_COLUMNS;
}

HOST_DEVICE int chunks_of(int height, int rows)
{
    return (height - 1) / rows + 1;
}

// A chunk of a strip, rows bottom to top - 1.
typedef struct {
    int strip, bottom, top;
} Chunk;

HOST_DEVICE int warps_of(int width, int height)
{
    return strips_of(width) * chunks_of(height, ROWS);
}

// The chunk of a warp; an empty one if there are more warps than chunks.
LANE_FUNCTION Chunk find_chunk(int warp, int width, int height)
{
    const int bottom = warp / strips_of(width) * ROWS, top = bottom + ROWS;
    const Chunk chunk = {warp % strips_of(width), bottom, top < height ? top : height};
    return chunk;
}

// The columns of a lane, and whether the strip owns them.
LANE_FUNCTION void find_columns(LaneInt *column, LaneInt *owned, int strip, int width)
{
    for (int c = 0; c < COLUMNS; c++) {
        // TODO(3): the same here
        const LaneInt k = COLUMNS * lane_number() + c, x = strip * TILE_COLUMNS - 1 + k;
        owned[c] = (k >= 1) & (k < 1 + TILE_COLUMNS) & (x < width);

        column[c] = (x % width + width) % width;
    }
}

// The work of one warp in `steps` steps of the whole grid: a chunk of a strip, and `steps` rows beyond each
// end of it.
LANE_FUNCTION void sweep(const int steps, const Physics *physics, const LinkMask *links,
                         const float *__restrict__ from, float *__restrict__ to)
{
    const int height = physics->height;
    const Chunk chunk = find_chunk(warp_number(), physics->width, height);
    if (chunk.bottom >= chunk.top)
        return;
    LaneInt column[COLUMNS], owned[COLUMNS];
    find_columns(column, owned, chunk.strip, physics->width);

    Level level[STEPS][COLUMNS];
    memset(level, 0, sizeof level);
    // TODO(2): one row below the chunk is enough for one step
    int row = wrap(chunk.bottom - 1, height);
    for (int y = chunk.bottom - 1; y < chunk.top + steps; y++) {

        Lane m[COLUMNS][MOMENTS];
        load_row(m, from, column, row, physics);
        advance_pipeline(steps, level, m, column, links, row, physics);
        if (y - steps >= chunk.bottom)
            store_row(to, m, column, owned, y - steps, physics);
        row = row + 1 < height ? row + 1 : 0;
    }
}

static __global__ LAUNCH_BOUNDS_OF_WARPS(3) void several_steps(Physics physics,
                                                               const LinkMask *__restrict__ links,
                                                               const float *__restrict__ from,
                                                               float *__restrict__ to)
{
    sweep(STEPS, &physics, links, from, to);
}

static __global__ LAUNCH_BOUNDS_OF_WARPS(3) void one_step(Physics physics, const LinkMask *__restrict__ links,
                                                          const float *__restrict__ from,
                                                          float *__restrict__ to)
{
    sweep(1, &physics, links, from, to);
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    dim3 blocks, threads; // unused, but invalid shapes are refused as in every stage
    gpu_cover(scenario, block, &blocks, &threads);

    const size_t cells = cell_count(scenario), bytes = MOMENTS * cells * sizeof(float);
    gpu_need(2 * bytes + cells * sizeof(LinkMask));
    solver->links = find_all_links(&scenario->physics, type);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Scenario *s = solver->scenario;
    const int warps = warps_of(s->width, s->height);
    for (int n = solver->steps == 0 ? 1 : 0, made; n < steps; n += made) { // the first collision is done
        made = steps - n < STEPS ? 1 : STEPS;
        if (made == STEPS)
            LAUNCH_WARPS(several_steps, warps, s->physics, solver->links, solver->f, solver->next);
        else
            LAUNCH_WARPS(one_step, warps, s->physics, solver->links, solver->f, solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
    solver->steps += steps;
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    pull(f, solver->f, site->type, site->x, site->y, site->physics);
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    float m[MOMENTS];
    collide_regularized(m, f, site->type[site->cell], site->y, site->physics);
    for (int i = 0; i < MOMENTS; i++)
        solver->f[at(site->cell, i, site->physics)] = m[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->links));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "a warp takes each row that it loads five steps further",
    .lattice = &d2q9,
    .bytes_per_update = 52.0 / STEPS, // 6 floats read and 6 written, a word of links, once in a sweep
    .bytes_per_cell = 53.0,           // two grids of 6 floats, a word of links, 1 cell type
    .epsilon = 1.0 / (1 << 24),       // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,           // ties to even
    .cycle = STEPS,
    .magic_tau = 7.0 / 8.0,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
