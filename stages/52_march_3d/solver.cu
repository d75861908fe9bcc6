// D3Q19, regularized: a block of GPU threads marches a tile of columns up along z, plane by plane; nine
// moments a cell instead of 19 populations, in lines of 32 cells, two grids.
#include "gpu/lane_d3q19.h"
#include "host/allocate.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

enum { WARPS = 8, ROWS = 2 }; // warps of a block, rows of cells of a warp
// Cells on each side of a tile that it only reads, and those that it owns: only these does it write. Of the
// columns one would do on each side, but then those that it owns would fill some sectors of memory in part.
enum { HALO = 1, MARGIN = 4, TILE_COLUMNS = LANES - 2 * MARGIN, TILE_ROWS = WARPS * ROWS - 2 * HALO };
enum { PLANES = 32 }; // of a piece of a tile
enum { LINE = 32 };   // cells whose moments lie together

// A piece of a tile, planes bottom to top - 1: the work of a block.
typedef struct {
    int tile, bottom, top;
} Piece;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [depth][height][width]
    LinkMask *links;      // [depth][height][width]
    float *gains;         // [MOST_GAINS][MOMENTS]: at moving walls
    float *f;             // [depth][height][lines][MOMENTS][LINE]: moments before a collision
    float *next;          // the same, one step later
    long steps;           // so far; after the first one, f is one step behind
};

HOST_DEVICE int lines_of(int width)
{
    return (width + LINE - 1) / LINE;
}

// Lines: all moments of neighbouring cells of a row lie together.
HOST_DEVICE size_t at(size_t cell, int i, const Physics *physics)
{
    const size_t row = cell / physics->width, x = cell % physics->width;
    return ((row * lines_of(physics->width) + x / LINE) * MOMENTS + i) * LINE + x % LINE;
}

// State of a warp in each of its rows, for the plane that it read last.
typedef struct {
    Lane arrived[MOMENTS]; // still without the populations from above
    CrossingSums up;       // of the populations on their way to the next plane, where they arrive
} Level;

typedef Lane Populations[ROWS][DIRECTIONS];

// A piece of a tile as one warp sees it.
typedef struct {
    int bottom, top;     // planes bottom to top - 1
    int row[ROWS];       // of the grid
    int row_owned[ROWS]; // whether the tile owns it
    LaneInt column, column_owned;
    LaneInt place; // of the column's first moment in its row
} Chunk;

HOST_DEVICE int tiles_of(int cells, int owned)
{
    return (cells + owned - 1) / owned;
}

HOST_DEVICE int all_tiles(const Physics *physics)
{
    return tiles_of(physics->width, TILE_COLUMNS) * tiles_of(physics->height, TILE_ROWS);
}

HOST_DEVICE int blocks_of(const Physics *physics)
{
    return all_tiles(physics) * tiles_of(physics->depth, PLANES);
}

HOST_DEVICE int wrap_far(int n, int size)
{
    return (n % size + size) % size;
}

// The piece of a block. Neighbouring tiles run side by side at the same planes.
HOST_DEVICE Piece find_piece(int block, const Physics *physics)
{
    const int tiles = all_tiles(physics), bottom = block / tiles * PLANES;
    const int top = bottom + PLANES < physics->depth ? bottom + PLANES : physics->depth;
    const Piece piece = {block % tiles, bottom, top};
    return piece;
}

// The column of the grid, or beyond its border, where a tile begins with its halo, and the row.
HOST_DEVICE int first_column(int tile, const Physics *physics)
{
    return tile % tiles_of(physics->width, TILE_COLUMNS) * TILE_COLUMNS - MARGIN;
}

HOST_DEVICE int first_row(int tile, const Physics *physics)
{
    return tile / tiles_of(physics->width, TILE_COLUMNS) * TILE_ROWS - HALO;
}

// The rows of a warp in a piece of a tile.
LANE_FUNCTION Chunk find_chunk(Piece piece, int warp, const Physics *physics)
{
    Chunk chunk;
    chunk.bottom = piece.bottom;
    chunk.top = piece.top;
    const LaneInt k = lane_number(), x = first_column(piece.tile, physics) + k;
    chunk.column = (x % physics->width + physics->width) % physics->width;
    chunk.column_owned = (k >= MARGIN) & (k < MARGIN + TILE_COLUMNS) & (x < physics->width);
    chunk.place = chunk.column / LINE * (LINE * MOMENTS) + chunk.column % LINE;
    for (int c = 0; c < ROWS; c++) {
        const int n = warp * ROWS + c, y = first_row(piece.tile, physics) + n;
        chunk.row[c] = wrap_far(y, physics->height);
        chunk.row_owned[c] = n >= HALO && n < HALO + TILE_ROWS && y < physics->height;
    }
    return chunk;
}

// Populations that cross the boundaries between the warps of a block: [2][10][WARPS + 1][LANES], in planes of
// even and odd number, and a number more at each end, as they may be read a lane further.
enum { CROSSING = 10, EXCHANGE = CROSSING * (WARPS + 1) * LANES, SHARED_FLOATS = 2 * EXCHANGE + 2 };

// Those of population i, which moves along y, at the boundary below a warp.
LANE_FUNCTION float *shared_row(float *exchange, int i, int warp)
{
    const int number[DIRECTIONS] = {0, 0, 0, 0, 1, 0, 0, 2, 3, 4, 5, 0, 0, 0, 0, 6, 7, 8, 9};
    return exchange + 1 + (number[i] * (WARPS + 1) + warp) * LANES;
}

// Shares the populations that leave the rows of a warp, and waits for those of all others.
LANE_FUNCTION void share_rows(float *exchange, const Populations f, int warp)
{
    UNROLL
    for (int i = 1; i < DIRECTIONS; i++)
        if (ey(i) != 0)
            store(shared_row(exchange, i, ey(i) > 0 ? warp + 1 : warp), lane_number(), lane_number() >= 0,
                  f[ey(i) > 0 ? ROWS - 1 : 0][i]);
    __syncthreads();
}

// Population i that arrives in a row of a warp, from one of its rows or from another warp's.
LANE_FUNCTION Lane arrive(float *exchange, const Populations f, int i, int row, int warp)
{
    const int from = row - ey(i);
    if (from < 0 || from >= ROWS)
        return load(shared_row(exchange, i, from < 0 ? warp : warp + 1), lane_number() - ex(i));
    return ex(i) > 0 ? shuffle_up(f[from][i]) : ex(i) < 0 ? shuffle_down(f[from][i]) : f[from][i];
}

// Moves the populations of a plane: those that arrive in the plane below complete it, and it is handed out as
// m; the others begin the next one.
LANE_FUNCTION void stream(Lane *m, Level *level, float *exchange, const Populations f, int row, int warp,
                          LaneInt links, const float *gains)
{
    Lane arriving[DIRECTIONS];
    UNROLL
    for (int i = 0; i < DIRECTIONS; i++)
        arriving[i] = arrive(exchange, f, i, row, warp);
    const CrossingSums down = sum_down(arriving);
    memcpy(m, level->arrived, sizeof level->arrived);
    add_down(m, &down);
    start_moments(level->arrived, arriving, &level->up);
    level->up = sum_up(arriving);
    if (any(links & NEIGHBOURS))
        bounce_back(level->arrived, f[row], links, gains);
}

// Number of the first cell of a row of a plane.
LANE_FUNCTION CellNumber row_number(const Chunk *chunk, int c, int plane, const Physics *physics)
{
    return (CellNumber)plane * physics->height + chunk->row[c];
}

LANE_FUNCTION void load_plane(Lane m[ROWS][MOMENTS], LaneInt *links, const float *from, const LinkMask *all,
                              const Chunk *chunk, int plane, const Physics *physics)
{
    UNROLL
    for (int c = 0; c < ROWS; c++) {
        const CellNumber row = row_number(chunk, c, plane, physics);
        const float *const moments = from + (size_t)row * (lines_of(physics->width) * LINE * MOMENTS);
        for (int n = 0; n < MOMENTS; n++)
            m[c][n] = load(moments + n * LINE, chunk->place);
        links[c] = load_words(all + (size_t)row * physics->width, chunk->column);
    }
}

LANE_FUNCTION void store_row(float *to, const Lane *m, const Chunk *chunk, int c, int plane,
                             const Physics *physics)
{
    const CellNumber row = row_number(chunk, c, plane, physics);
    float *const moments = to + (size_t)row * (lines_of(physics->width) * LINE * MOMENTS);
    for (int n = 0; n < MOMENTS; n++)
        store(moments + n * LINE, chunk->place, chunk->column_owned, m[n]);
}

LANE_FUNCTION void collide_row(Lane *f, Lane *m, LaneInt links, int y, const Factors *factors,
                               const Physics *physics)
{
    Lane force[3] = {broadcast(physics->force_x), broadcast(physics->force_y), broadcast(physics->force_z)};
    if (any(links))
        impose_types(m, force, links, y, physics);
    collide_lanes(f, m, force, factors);
}

// The work of one block in a step of the whole grid: a piece of a tile, and a plane beyond each end.
static __global__ void __launch_bounds__(WARPS *THREADS_PER_WARP, 2)
    march(Physics physics, Factors factors, const LinkMask *__restrict__ links,
          const float *__restrict__ gains, const float *__restrict__ from, float *__restrict__ to)
{
    SHARED(float, shared);
    const int warp = warp_in_block();
    const Chunk chunk = find_chunk(find_piece(blockIdx.x, &physics), warp, &physics);

    Level level[ROWS];
    memset(level, 0, sizeof level);
    Lane m[ROWS][MOMENTS];
    LaneInt next_links[ROWS], own_links[ROWS];
    int plane = wrap(chunk.bottom - 1, physics.depth);
    load_plane(m, next_links, from, links, &chunk, plane, &physics);
    for (int z = chunk.bottom - 1; z <= chunk.top; z++) {
        Populations f;
        memcpy(own_links, next_links, sizeof own_links);
        UNROLL
        for (int c = 0; c < ROWS; c++)
            collide_row(f[c], m[c], own_links[c], chunk.row[c], &factors, &physics);
        plane = plane + 1 < physics.depth ? plane + 1 : 0;
        if (z < chunk.top) // the loads take as long as the rest of this plane
            load_plane(m, next_links, from, links, &chunk, plane, &physics);
        float *const exchange = shared + (z & 1) * EXCHANGE;
        share_rows(exchange, f, warp);
        UNROLL
        for (int c = 0; c < ROWS; c++) {
            Lane finished[MOMENTS];
            stream(finished, &level[c], exchange, f, c, warp, own_links[c], gains);
            if (z > chunk.bottom && chunk.row_owned[c])
                store_row(to, finished, &chunk, c, z - 1, &physics);
        }
    }
}
BLOCK_KERNEL(march, Physics, Factors, const LinkMask *, const float *, const float *, float *);

// Bytes of the moments of all cells.
static size_t moment_bytes(const Scenario *s)
{
    return (size_t)s->depth * s->height * lines_of(s->width) * LINE * MOMENTS * sizeof(float);
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    dim3 blocks, threads; // unused, but invalid shapes are refused as in every stage
    gpu_cover(scenario, block, &blocks, &threads);

    const size_t cells = cell_count(scenario), bytes = moment_bytes(scenario);
    gpu_need(2 * bytes + cells * sizeof(LinkMask) + sizeof((Gains *)0)->moments);
    solver->links = find_all_links(&scenario->physics, type, &solver->gains);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Scenario *s = solver->scenario;
    const dim3 blocks = {(unsigned)blocks_of(&s->physics), 1, 1},
               threads = {WARPS * THREADS_PER_WARP, 1, BLOCK_Z};
    for (int n = solver->steps == 0 ? 1 : 0; n < steps; n++) { // read() makes the last step
        LAUNCH_BLOCKS(march, blocks, threads, SHARED_FLOATS * sizeof(float), s->physics,
                      factors_of(&s->physics), solver->links, solver->gains, solver->f, solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
    solver->steps += steps;
}

// A cell after the collision of the moments that have arrived in it.
HOST_DEVICE Collided collided(const Solver *solver, const Site *site, CellNumber cell)
{
    const int y = (int)(cell / site->physics->width % site->physics->height);
    const float *const place = solver->f + at(cell, 0, site->physics);
    float m[MOMENTS];
    for (int i = 0; i < MOMENTS; i++)
        m[i] = place[i * LINE];
    return collide_moments(m, site->type[cell], y, site->physics);
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    UNROLL
    for (int i = 0; i < 19; i++) {
        const Destination from = boundary(site->physics, site->type, site->x, site->y, site->z, i);
        const Collided after = collided(solver, site, from.cell);
        const float straight = population(&after, opposite(i)), back = population(&after, i);
        f[opposite(i)] = (from.direction == i ? straight : back) + from.gain;
    }
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    float m[MOMENTS];
    sum_moments(m, f);
    for (int i = 0; i < MOMENTS; i++)
        solver->f[at(site->cell, i, site->physics)] = m[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->links));
    CHECK(cudaFree(solver->gains));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary =
        "a block marches along z, and nine moments of a plane wait in registers for its last populations",
    .lattice = &d3q19,
    .bytes_per_update = 76.0,   // 9 floats read and 9 written, a word of links
    .bytes_per_cell = 77.0,     // two grids of 9 floats, a word of links, 1 cell type
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
