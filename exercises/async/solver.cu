// D2Q9, regularized, one GPU warp a strip of columns, which it marches up row by row, several steps each
// time, while the next rows are on their way: six moments instead of nine populations, row by row, two grids.
#include "gpu/lane_d2q9.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 5, COLUMNS = 2 }; // steps a sweep, columns a lane
// Columns on each side of a strip that it only reads, as each step loses one, and those that it owns.
enum { HALO = STEPS, TILE_COLUMNS = LANES * COLUMNS - 2 * HALO };

struct Solver {
    const Scenario *scenario;
    const CellType *type;        // [height][width]
    LinkMask *links;             // [height][width]
    unsigned char *has_boundary; // [strip][height]: whether a cell of the strip has links in the row
    int rows;                    // of a chunk of a strip; of the first strip half as many
    float *f;                    // [height][MOMENTS / 2][width][2]: moments before their populations stream
    float *next;                 // where the next sweep stores them
    long steps;                  // so far
};

// Row by row. In a row two moments of a cell lie side by side, and those of neighbouring cells next to them.
HOST_DEVICE size_t row_at(int y, int i, int width)
{
    return 2 * (3 * (size_t)y + i / 2) * width;
}

HOST_DEVICE size_t at(size_t cell, int i, const Physics *physics)
{
    return row_at(cell / physics->width, i, physics->width) + 2 * (cell % physics->width) + i % 2;
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
                              const LaneInt *links, int has_boundary, int y, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f4 = f[c][4], f7 = from_right(f, 7, c), f8 = from_left(f, 8, c);
        if (has_boundary) {
            const Lane own5 = c < COLUMNS - 1 ? level[c + 1].up[1] : shuffle_down(level[0].up[1]);
            const Lane own6 = c > 0 ? level[c - 1].up[2] : shuffle_up(level[COLUMNS - 1].up[2]);
            bounce_from_above(&f4, &f7, &f8, level[c].up[0], own5, own6, links[c], physics);
        }
        LaneMoments *arrived = &level[c].arrived;
        const Lane down = f4 + (f7 + f8), along = f8 - f7;
        arrived->drho += down;
        arrived->jx += along;
        arrived->jy -= down;
        arrived->difference -= f4;
        arrived->shear -= along;
        collide_moments(m[c], arrived, links[c], has_boundary, y, physics);
    }
}

// Begins the row of these populations with those that come from itself and from below.
LANE_FUNCTION void start_row(Level *level, const Populations f, const LaneInt *links, int has_boundary,
                             const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f1 = from_left(f, 1, c), f3 = from_right(f, 3, c);
        Lane f2 = level[c].up[0], f5 = level[c].up[1], f6 = level[c].up[2];
        if (has_boundary)
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
                                    const LaneInt *column, const LinkMask *links, const int has_boundary,
                                    int row, const Physics *physics)
{
    LaneInt here[COLUMNS] = {0}, below[COLUMNS] = {0};
    if (has_boundary)
        load_links(here, links, column, row, physics);
    UNROLL
    for (int t = 0; t < steps; t++) {
        row = (row > 0 ? row : physics->height) - 1;
        if (has_boundary)
            load_links(below, links, column, row, physics);
        Populations f;
        for (int c = 0; c < COLUMNS; c++)
            reconstruct(f[c], m[c]);
        finish_row(m, level[t], f, below, has_boundary, row, physics);
        start_row(level[t], f, here, has_boundary, physics);
        memcpy(here, below, sizeof here);
    }
}

// Asynchronous copies that fetch a row of a strip, and staging buffers for three rows: two are pending while
// one is used.
enum { COPIES = COLUMNS * MOMENTS / 2, BUFFERS = 3, PREFETCH_DISTANCE = BUFFERS - 1 };

LANE_FUNCTION void load_row_async(AsyncPair *buffer, const float *from, const LaneInt *column, int row,
                                  const Physics *physics)
{
    for (int n = 0; n < COPIES; n++)
        copy_async(buffer + n, from + row_at(row, n / COLUMNS * 2, physics->width), column[n % COLUMNS]);
}

LANE_FUNCTION void wait_row(Lane m[COLUMNS][MOMENTS], const AsyncPair *buffer)
{
    // TODO(2): this waits for all copies; which ones may still be pending?
    wait_prior(0);

    for (int n = 0; n < COPIES; n++) {
        Lane *moments = m[n % COLUMNS] + n / COLUMNS * 2;
        load_shared(buffer + n, moments, moments + 1);
    }
}

LANE_FUNCTION void store_row(float *to, Lane m[COLUMNS][MOMENTS], const LaneInt *column, const LaneInt *owned,
                             int row, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < MOMENTS; i += 2)
            store_two(to + row_at(row, i, physics->width), column[c], owned[c], m[c][i], m[c][i + 1]);
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

HOST_DEVICE int warps_of(int width, int height, int rows)
{
    return chunks_of(height, (rows + 1) / 2) + (strips_of(width) - 1) * chunks_of(height, rows);
}

// The chunk of a warp; an empty one if there are more warps than chunks. The first strip, in which the side
// walls are, takes longer: its chunks come first and have half the height.
LANE_FUNCTION Chunk find_chunk(int warp, int width, int height, int rows)
{
    const int half = (rows + 1) / 2, first = chunks_of(height, half), others = strips_of(width) - 1;
    Chunk chunk = {0, warp * half, 0};
    if (warp >= warps_of(width, height, rows))
        chunk.bottom = height;
    else if (warp >= first) {
        chunk.strip = 1 + (warp - first) % others;
        chunk.bottom = (warp - first) / others * rows;
    }
    const int top = chunk.bottom + (warp < first ? half : rows);
    chunk.top = top < height ? top : height;
    return chunk;
}

// The columns of a lane, and whether the strip owns them: the first strip lies across the border.
LANE_FUNCTION void find_columns(LaneInt *column, LaneInt *owned, int strip, int width)
{
    for (int c = 0; c < COLUMNS; c++) {
        const LaneInt k = COLUMNS * lane_number() + c, x = strip * TILE_COLUMNS - TILE_COLUMNS / 2 - HALO + k;
        owned[c] = (k >= HALO) & (k < HALO + TILE_COLUMNS) & (x < width - TILE_COLUMNS / 2);
        column[c] = (x % width + width) % width;
    }
}

// The work of one warp in `steps` steps of the whole grid: a chunk of a strip, and `steps` rows beyond each
// end of it.
LANE_FUNCTION void sweep(const int steps, const Physics *physics, const LinkMask *links,
                         const unsigned char *has_boundary, int rows, const float *__restrict__ from,
                         float *__restrict__ to)
{
    const int height = physics->height;
    const Chunk chunk = find_chunk(warp_number(), physics->width, height, rows);
    if (chunk.bottom >= chunk.top)
        return;
    LaneInt column[COLUMNS], owned[COLUMNS];
    find_columns(column, owned, chunk.strip, physics->width);

    Level level[STEPS][COLUMNS];
    memset(level, 0, sizeof level);
    SHARED_BUFFERS(buffers, BUFFERS * COPIES);
    unsigned boundary_mask = 0; // bit n: whether the row n rows below the one prefetched last has links
    int row = ((chunk.bottom - steps) % height + height) % height, prefetched = row;
    // TODO(1): each row is requested where it is needed; request it PREFETCH_DISTANCE rows earlier
    for (int y = chunk.bottom - steps, slot = 0; y < chunk.top + steps; y++, slot = (slot + 1) % BUFFERS) {
        load_row_async(buffers + slot * COPIES, from, column, prefetched, physics);

        commit();
        boundary_mask = boundary_mask << 1 | has_boundary[(size_t)chunk.strip * height + prefetched];
        // TODO(4): the links of a row with a boundary are needed soon; prefetch them

        prefetched = prefetched + 1 < height ? prefetched + 1 : 0;
        if (y < chunk.bottom - steps)
            continue;
        Lane m[COLUMNS][MOMENTS];
        wait_row(m, buffers + slot * COPIES);
        // TODO(3): this is correct for all rows, but rows without a boundary need no tests for walls
        advance_pipeline(steps, level, m, column, links, 1, row, physics);

        if (y - steps >= chunk.bottom)
            store_row(to, m, column, owned, y - steps, physics);
        row = row + 1 < height ? row + 1 : 0;
    }
}

static __global__ LAUNCH_BOUNDS_OF_WARPS(3) void several_steps(Physics physics,
                                                               const LinkMask *__restrict__ links,
                                                               const unsigned char *__restrict__ has_boundary,
                                                               int rows, const float *__restrict__ from,
                                                               float *__restrict__ to)
{
    sweep(STEPS, &physics, links, has_boundary, rows, from, to);
}

static __global__ LAUNCH_BOUNDS_OF_WARPS(3) void one_step(Physics physics, const LinkMask *__restrict__ links,
                                                          const unsigned char *__restrict__ has_boundary,
                                                          int rows, const float *__restrict__ from,
                                                          float *__restrict__ to)
{
    sweep(1, &physics, links, has_boundary, rows, from, to);
}

// The rows that a launch takes one after another, if so many warps run at a time: each warp begins and ends
// STEPS rows beyond its chunk.
static long rows_in_turn(int width, int height, int rows, int at_once)
{
    return ((warps_of(width, height, rows) - 1) / at_once + 1L) * (rows + 2 * STEPS);
}

// The height of chunks for which a launch takes the fewest rows one after another.
static int best_rows(int width, int height, int at_once)
{
    int best = height;
    for (int rows = height; rows > 0; rows--)
        if (rows_in_turn(width, height, rows, at_once) < rows_in_turn(width, height, best, at_once))
            best = rows;
    return best;
}

// Marks for each strip the rows in which a cell of the strip or of its halo columns has links.
static __global__ void mark_rows(Physics physics, const LinkMask *__restrict__ links,
                                 unsigned char *__restrict__ has_boundary)
{
    const int y = blockIdx.x * blockDim.x + threadIdx.x, strip = blockIdx.y, width = physics.width;
    if (y >= physics.height)
        return;
    const int first = strip * TILE_COLUMNS - TILE_COLUMNS / 2 - HALO, end = width - TILE_COLUMNS / 2 + HALO;
    LinkMask any = 0;
    for (int x = first; x < first + TILE_COLUMNS + 2 * HALO && x < end; x++)
        any |= links[(size_t)y * width + (x % width + width) % width];
    has_boundary[(size_t)strip * physics.height + y] = any != 0;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    dim3 blocks, threads; // unused, but invalid shapes are refused as in every stage
    gpu_cover(scenario, block, &blocks, &threads);

    const size_t cells = cell_count(scenario), bytes = MOMENTS * cells * sizeof(float);
    const size_t marks = (size_t)strips_of(scenario->width) * scenario->height;
    gpu_need(2 * bytes + cells * sizeof(LinkMask) + marks);
    solver->rows = best_rows(scenario->width, scenario->height, WARPS_AT_ONCE(several_steps));
    solver->links = find_all_links(&scenario->physics, type);
    CHECK(cudaMalloc((void **)&solver->has_boundary, marks));
    const dim3 rows = {64, 1, 1},
               all_rows = {((unsigned)scenario->height + 63) / 64, (unsigned)strips_of(scenario->width), 1};
    LAUNCH(mark_rows, all_rows, rows, scenario->physics, solver->links, solver->has_boundary);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Scenario *s = solver->scenario;
    const int warps = warps_of(s->width, s->height, solver->rows);
    for (int n = solver->steps == 0 ? 1 : 0, made; n < steps; n += made) { // the first collision is done
        made = steps - n < STEPS ? 1 : STEPS;
        if (made == STEPS)
            LAUNCH_WARPS(several_steps, warps, s->physics, solver->links, solver->has_boundary, solver->rows,
                         solver->f, solver->next);
        else
            LAUNCH_WARPS(one_step, warps, s->physics, solver->links, solver->has_boundary, solver->rows,
                         solver->f, solver->next);
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
    CHECK(cudaFree(solver->has_boundary));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "the rows come by asynchronous copies, requested while the warp works on rows before them",
    .lattice = &d2q9,
    .bytes_per_update = 48.0 / STEPS, // 6 floats read and 6 written, once in a sweep
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
