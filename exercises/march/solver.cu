// D2Q9, regularized, one GPU warp a strip of columns, which it marches up row by row: six moments instead of
// nine populations, structure of arrays, two grids.
#include "gpu/lane_d2q9.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 4 }; // of a chunk of a strip
// Columns on each side of a strip that it only reads, and those that it owns: only these does it write.
// TODO(4): so far a strip owns all columns that its lanes read
enum { HALO = 0, TILE_COLUMNS = LANES };

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    LinkMask *links;      // [height][width]
    float *f;             // [MOMENTS][height][width]: moments now
    float *next;          // the same, one step later; after a step, the moments before it
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

// State of a warp, for the row that it read last.
typedef struct {
    LaneMoments arrived; // still without the populations from above
    Lane up[3]; // populations 2, 5 and 6 on their way to the next row, in the columns where they arrive
} Level;

// Completes the row below with the populations that come down to it, and collides it.
LANE_FUNCTION void finish_row(Lane *m, Level *level, const Lane *f, LaneInt links, int y,
                              const Physics *physics)
{
    // TODO(2): populations that arrive in a column, or left it upwards; so far all stay in their column
    Lane f4 = f[4], f7 = f[7], f8 = f[8];
    const Lane own5 = level->up[1], own6 = level->up[2];

    bounce_from_above(&f4, &f7, &f8, level->up[0], own5, own6, links, physics);
    LaneMoments *arrived = &level->arrived;
    // TODO(1): add the share of f4, f7 and f8 to each moment

    collide_moments(m, arrived, links, 1, y, physics);
}

// Begins the row of these populations with those that come from itself and from below.
LANE_FUNCTION void start_row(Level *level, const Lane *f, LaneInt links, const Physics *physics)
{
    // TODO(2): populations that arrive from the columns beside this one; so far they stay in their column
    Lane f1 = f[1], f3 = f[3];

    Lane f2 = level->up[0], f5 = level->up[1], f6 = level->up[2];
    bounce_from_below(&f1, &f3, &f2, &f5, &f6, f, links, physics);
    LaneMoments *arrived = &level->arrived;
    // TODO(1): the moments of the populations that have arrived so far
    memset(arrived, 0, sizeof *arrived);

    // TODO(2): populations for the next row, in the columns where they arrive; so far they stay in theirs
    level->up[0] = f[2];
    level->up[1] = f[5];
    level->up[2] = f[6];
}

// Takes a row at the current time, and returns the row below it one step later.
LANE_FUNCTION void advance_pipeline(Level *level, Lane *m, LaneInt column, const LinkMask *links, int row,
                                    const Physics *physics)
{
    const LaneInt here = load_words(links + (size_t)row * physics->width, column);
    row = (row > 0 ? row : physics->height) - 1;
    const LaneInt below = load_words(links + (size_t)row * physics->width, column);
    Lane f[9];
    reconstruct(f, m);
    finish_row(m, level, f, below, row, physics);
    start_row(level, f, here, physics);
}

LANE_FUNCTION void load_row(Lane *m, const float *from, LaneInt column, int row, const Physics *physics)
{
    for (int i = 0; i < MOMENTS; i++)
        m[i] = load(from + at((size_t)row * physics->width, i, physics), column);
}

LANE_FUNCTION void store_row(float *to, const Lane *m, LaneInt column, LaneInt owned, int row,
                             const Physics *physics)
{
    for (int i = 0; i < MOMENTS; i++)
        store(to + at((size_t)row * physics->width, i, physics), column, owned, m[i]);
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

// The column of a lane, and whether the strip owns it.
LANE_FUNCTION void find_columns(LaneInt *column, LaneInt *owned, int strip, int width)
{
    // TODO(4): the same here
    const LaneInt x = strip * TILE_COLUMNS + lane_number();
    *owned = x < width;

    *column = (x % width + width) % width;
}

// The work of one warp in a step of the whole grid: a chunk of a strip, and a row beyond each end.
static __global__ void march(Physics physics, const LinkMask *__restrict__ links,
                             const float *__restrict__ from, float *__restrict__ to)
{
    const int height = physics.height;
    const Chunk chunk = find_chunk(warp_number(), physics.width, height);
    if (chunk.bottom >= chunk.top)
        return;
    LaneInt column, owned;
    find_columns(&column, &owned, chunk.strip, physics.width);

    Level level;
    memset(&level, 0, sizeof level);
    // TODO(3): so far only the rows of the chunk; `row` is y, wrapped round at the ends of the grid
    int row = chunk.bottom;
    for (int y = chunk.bottom; y < chunk.top; y++) {

        Lane m[MOMENTS];
        load_row(m, from, column, row, &physics);
        advance_pipeline(&level, m, column, links, row, &physics);
        if (y - 1 >= chunk.bottom)
            store_row(to, m, column, owned, y - 1, &physics);
        row = row + 1 < height ? row + 1 : 0;
    }
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
    for (int n = 0; n < steps; n++) {
        LAUNCH_WARPS(march, warps_of(s->width, s->height), s->physics, solver->links, solver->f,
                     solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    pull(f, solver->next, site->type, site->x, site->y, site->physics);
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
    .summary = "a warp marches up a strip of columns, and the sums of a row wait in registers for its last "
               "populations",
    .lattice = &d2q9,
    .bytes_per_update = 52.0,   // 6 floats read and 6 written, a word of links
    .bytes_per_cell = 53.0,     // two grids of 6 floats, a word of links, 1 cell type
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 1,
    .magic_tau = 7.0 / 8.0,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
