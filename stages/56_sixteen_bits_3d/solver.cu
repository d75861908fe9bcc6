// D3Q19, regularized: a block of GPU threads marches a tile of columns up along z, plane by plane, three
// steps each time, by a shorter path where there are no walls; nine moments a cell, in 16 bits each, in lines of
// 32 cells, two grids; links near walls alone.
#include "gpu/lane_d3q19.h"
#include "host/allocate.h"
#include "stage/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 3 };           // of a sweep
enum { WARPS = 8, ROWS = 3 }; // warps of a block, rows of cells of a warp
// Cells on each side of a tile that it only reads, as each step loses one, and those that it owns.
enum { HALO = STEPS, TILE_COLUMNS = LANES - 2 * HALO, TILE_ROWS = WARPS * ROWS - 2 * HALO };
// The first tiles lie across the border, so that the walls at both sides are in the same tiles; by columns
// that fill sectors of memory, or halves of them.
enum { SHIFT_COLUMNS = TILE_COLUMNS / 2 / 4 * 4, SHIFT_ROWS = TILE_ROWS / 2 };
enum { LINE = 32 };                               // cells whose moments lie together
enum { LAST = MOMENTS - 1, WORDS = MOMENTS / 2 }; // the moment that stands alone, and words of two others

// A piece of a tile, planes bottom to top - 1: the work of a block.
typedef struct {
    int tile, bottom, top;
} Piece;

// The links that warps find in a plane of their tile.
typedef struct {
    int *number;     // [tiles][WARPS][depth]: of those of a warp in a plane; 0 if it finds none
    LinkMask *links; // [numbers][ROWS][LANES]
} Walls;

// How moments become 16 bits.
typedef struct {
    float scale;   // momentum is stored as a multiple of 1 / scale
    float quantum; // 1 / scale
    float offset;  // of momentum, if its number of 16 bits is read as a float
    uint32_t seed; // of the random numbers of a sweep
} Range;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [depth][height][width]
    int blocks;
    Piece *pieces; // [blocks]
    Walls walls;
    float *gains; // [MOST_GAINS][MOMENTS]: at moving walls
    Range range;
    uint16_t *f;    // moments before a collision; places: `at`
    uint16_t *next; // where the next sweep stores them
    long steps;     // so far; after the first one, f is one step behind
};

HOST_DEVICE int lines_of(int width)
{
    return (width + LINE - 1) / LINE;
}

// Where a row begins.
HOST_DEVICE size_t row_place(CellNumber row, const Physics *physics)
{
    return (size_t)row * (lines_of(physics->width) * (LINE * MOMENTS));
}

// Lines: all moments of neighbouring cells of a row lie together, two of a cell in a word, and the last of two
// cells.
HOST_DEVICE size_t at(size_t cell, int i, const Physics *physics)
{
    const size_t x = cell % physics->width, line = x / LINE * (LINE * MOMENTS);
    const size_t place = i / 2 * (2 * LINE) + (i < LAST ? 2 * (x % LINE) + i % 2 : x % LINE);
    return row_place((CellNumber)(cell / physics->width), physics) + line + place;
}

// A step of PCG and its output (O'Neill 2014), as a hash.
HOST_DEVICE uint32_t hash(uint32_t n)
{
    const uint32_t state = n * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

HOST_DEVICE uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

HOST_DEVICE float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Fixed point: the 65536 floats from 1.5 * 2^23 on are integers, and differ in their lowest 16 bits alone.
enum { FIXED_POINT = 0x4b400000 };
static const float fixed_zero = 12615680.0f; // the one in the middle

HOST_DEVICE int is_momentum(int i)
{
    return i >= JX && i <= JZ;
}

// Rounds the moments of a cell stochastically to 16 bits each. Momentum is in fixed point: a random number from
// -1/2 to 1/2 is added before it is rounded to nearest. Density and stress are halves, whose largest is eight
// times that of momentum: random bits are added below the last one, and cut there. A momentum beyond the range
// makes the density NaN, and a NaN stays one (the random bits make -0 of CUDA's; no stress is NaN alone).
HOST_DEVICE void pack(uint32_t *bits, const float *m, uint32_t word, const Range *range)
{
    uint32_t power = 1; // of a multiplier for random numbers (Knuth 1997): the compiler computes them all
    uint32_t beyond = 0;
    UNROLL
    for (int i = 0; i < MOMENTS; i++, power *= 1664525u)
        if (is_momentum(i)) {
            const float chance = float_of(0x3f800000 + (word * power >> 9)) - 1.5f;
            const uint32_t sum = bits_of(FMA(m[i], range->scale, chance) + fixed_zero);
            beyond |= sum ^ FIXED_POINT;
            bits[i] = sum & 0xffff;
        } else {
            const uint32_t sum = bits_of(m[i] * (0.25f * range->scale)) + (word * power >> 19);
            bits[i] = __half_as_ushort(__float2half_rn(float_of(sum & ~0x1fffu)));
        }
    if (beyond >> 16 || isnan(m[DRHO]))
        bits[DRHO] = 0x7fff;
}

// A moment out of its 16 bits.
HOST_DEVICE float unpack(uint32_t bits, int i, const Range *range)
{
    if (is_momentum(i))
        return FMA(float_of(FIXED_POINT | bits), range->quantum, range->offset);
    return __half2float(__ushort_as_half((uint16_t)bits)) * (4.0f * range->quantum);
}

// State of a pipeline level in each of the rows of a warp, for the plane that it worked on last.
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
    LaneInt place; // of the column's first word in its row
    LaneInt last;  // of its last moment, in halves of words
} Chunk;

HOST_DEVICE int tiles_of(int cells, int owned)
{
    return (cells + owned - 1) / owned;
}

HOST_DEVICE int all_tiles(const Physics *physics)
{
    return tiles_of(physics->width, TILE_COLUMNS) * tiles_of(physics->height, TILE_ROWS);
}

HOST_DEVICE int wrap_far(int n, int size)
{
    return (n % size + size) % size;
}

// The column of the grid, or beyond its border, where a tile begins with its halo, and the row.
HOST_DEVICE int first_column(int tile, const Physics *physics)
{
    return tile % tiles_of(physics->width, TILE_COLUMNS) * TILE_COLUMNS - SHIFT_COLUMNS - HALO;
}

HOST_DEVICE int first_row(int tile, const Physics *physics)
{
    return tile / tiles_of(physics->width, TILE_COLUMNS) * TILE_ROWS - SHIFT_ROWS - HALO;
}

// The rows of a warp in a piece of a tile.
LANE_FUNCTION Chunk find_chunk(Piece piece, int warp, const Physics *physics)
{
    Chunk chunk;
    chunk.bottom = piece.bottom;
    chunk.top = piece.top;
    const LaneInt k = lane_number(), x = first_column(piece.tile, physics) + k;
    chunk.column = (x % physics->width + physics->width) % physics->width;
    chunk.column_owned = (k >= HALO) & (k < HALO + TILE_COLUMNS) & (x < physics->width - SHIFT_COLUMNS);
    const LaneInt line = chunk.column / LINE, in_line = chunk.column % LINE;
    chunk.place = line * (MOMENTS * LINE / 2) + in_line;
    chunk.last = line * (MOMENTS * LINE) + LAST * LINE + in_line;
    for (int c = 0; c < ROWS; c++) {
        const int n = warp * ROWS + c, y = first_row(piece.tile, physics) + n;
        chunk.row[c] = wrap_far(y, physics->height);
        chunk.row_owned[c] = n >= HALO && n < HALO + TILE_ROWS && y < physics->height - SHIFT_ROWS;
    }
    return chunk;
}

// Shared memory: populations that cross the boundaries between the warps of a block, [2][10][WARPS][LANES], and
// a number more at each end, as they may be read a lane further; then the planes that
// asynchronous copies fetch: words of moments, of which one is pending while one is used, and links, which all
// pipeline levels use, one after another.
enum { CROSSING = 10, EXCHANGE = CROSSING * WARPS * LANES, BUFFERS = 2, LINK_BUFFERS = 4 };
enum { PLANE = ROWS * WARPS * LANES, WORD_BUFFERS = 2 * EXCHANGE + 2 };
enum { SHARED_LINKS = WORD_BUFFERS + BUFFERS * (WORDS + 1) * PLANE };
enum { SHARED_WORDS = SHARED_LINKS + LINK_BUFFERS * PLANE };

// Those of population i, which moves along y, at the boundary below a warp. The one above the last warp is that
// below the first, whose outermost row, which the tile does not own, takes what leaves the tile there.
LANE_FUNCTION float *shared_row(float *exchange, int i, int warp)
{
    const int number[DIRECTIONS] = {0, 0, 0, 0, 1, 0, 0, 2, 3, 4, 5, 0, 0, 0, 0, 6, 7, 8, 9};
    return exchange + 1 + (number[i] * WARPS + warp % WARPS) * LANES;
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
                          LaneInt links, const int has_boundary, const float *gains)
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
    if (has_boundary && any(links & NEIGHBOURS))
        bounce_back(level->arrived, f[row], links, gains);
}

// Number of the first cell of a row of a plane.
LANE_FUNCTION CellNumber row_number(const Chunk *chunk, int c, int plane, const Physics *physics)
{
    return (CellNumber)plane * physics->height + chunk->row[c];
}

// Where a word of a row of a warp is in shared memory, and its links.
LANE_FUNCTION unsigned *word_buffer(float *shared, int z, int n, int row, int warp)
{
    return (unsigned *)shared + WORD_BUFFERS + (z & (BUFFERS - 1)) * ((WORDS + 1) * PLANE) +
           ((n * ROWS + row) * WARPS + warp) * LANES;
}

LANE_FUNCTION unsigned *link_buffer(float *shared, int z, int row, int warp)
{
    return (unsigned *)shared + SHARED_LINKS + (z & (LINK_BUFFERS - 1)) * PLANE +
           (row * WARPS + warp) * LANES;
}

// Of links only those that have a number.
LANE_FUNCTION void load_plane_async(float *shared, int z, const uint16_t *from, const LinkMask *links,
                                    int number, const Chunk *chunk, int warp, int plane,
                                    const Physics *physics)
{
    UNROLL
    for (int c = 0; c < ROWS; c++) {
        const CellNumber row = row_number(chunk, c, plane, physics);
        const uint16_t *const moments = from + row_place(row, physics);
        for (int n = 0; n < WORDS; n++)
            copy_async_word(word_buffer(shared, z, n, c, warp), moments + n * (2 * LINE), chunk->place);
        copy_async_word(word_buffer(shared, z, WORDS, c, warp), moments, chunk->last / 2);
        if (number)
            copy_async_word(link_buffer(shared, z, c, warp), links + ((size_t)number * ROWS + c) * LANES,
                            lane_number());
    }
}

LANE_FUNCTION void wait_plane(Lane m[ROWS][MOMENTS], float *shared, int z, const Chunk *chunk, int warp,
                              const Range *range)
{
    wait_prior(BUFFERS - 1);
    UNROLL
    for (int c = 0; c < ROWS; c++) {
        LaneInt words[WORDS + 1];
        for (int n = 0; n <= WORDS; n++)
            words[n] = load_words(word_buffer(shared, z, n, c, warp), lane_number());
        for (int k = 0; k < LANES_OF_THREAD; k++)
            for (int i = 0; i < MOMENTS; i++) {
                const int is_high = i < LAST ? i % 2 : LANE(chunk->last, k) % 2;
                LANE(m[c][i], k) = unpack((uint32_t)LANE(words[i / 2], k) >> 16 * is_high & 0xffff, i, range);
            }
    }
}

LANE_FUNCTION void store_row(uint16_t *to, const Lane *m, const Chunk *chunk, int c, int plane,
                             const Physics *physics, const Range *range)
{
    const CellNumber row = row_number(chunk, c, plane, physics);
    uint16_t *const moments = to + row_place(row, physics);
    LaneInt bits[MOMENTS];
    for (int k = 0; k < LANES_OF_THREAD; k++) {
        const CellNumber cell = row * physics->width + LANE(chunk->column, k);
        uint32_t packed[MOMENTS];
        float exact[MOMENTS];
        for (int i = 0; i < MOMENTS; i++)
            exact[i] = LANE(m[i], k);
        pack(packed, exact, hash(cell ^ range->seed), range);
        for (int i = 0; i < MOMENTS; i++)
            LANE(bits[i], k) = (int)packed[i];
    }
    for (int n = 0; n < WORDS; n++)
        store_words((unsigned *)moments + n * LINE, chunk->place, chunk->column_owned,
                    bits[2 * n] | bits[2 * n + 1] << 16);
    store_halves(moments, chunk->last, chunk->column_owned, bits[LAST]);
}

LANE_FUNCTION void collide_row(Lane *f, Lane *m, LaneInt links, const int has_boundary, int y,
                               const Factors *factors, const Physics *physics)
{
    Lane force[3] = {broadcast(physics->force_x), broadcast(physics->force_y), broadcast(physics->force_z)};
    if (has_boundary && any(links))
        impose_types(m, force, links, y, physics);
    collide_lanes(f, m, force, factors);
}

// Takes plane z through all pipeline levels: each advances it by one step and passes on the plane below. Bit
// n of the mask says whether the plane n below z has links. Without `has_boundary` none has, and warps that
// take this path meet the others at the barrier all the same.
LANE_FUNCTION void advance_pipeline(const int steps, Level level[STEPS][ROWS], Lane m[ROWS][MOMENTS],
                                    float *shared, const Chunk *chunk, int warp, int z,
                                    unsigned boundary_mask, const int has_boundary, const float *gains,
                                    const Factors *factors, const Physics *physics)
{
    UNROLL
    for (int t = 0; t < steps; t++) {
        if (z - 2 * t < chunk->bottom - steps) { // plane z - t still lacks its neighbours
            __syncthreads();                     // before the populations of the next plane are shared
            break;
        }
        Populations f;
        LaneInt links[ROWS];
        UNROLL
        for (int c = 0; c < ROWS; c++) {
            links[c] = 0 * lane_number();
            if (has_boundary && boundary_mask >> t & 1)
                links[c] = load_words(link_buffer(shared, z - t, c, warp), lane_number());
            collide_row(f[c], m[c], links[c], has_boundary, chunk->row[c], factors, physics);
        }
        float *const exchange = shared + ((z * steps + t) & 1) * EXCHANGE; // not that of the last barrier
        share_rows(exchange, f, warp);
        UNROLL
        for (int c = 0; c < ROWS; c++)
            stream(m[c], &level[t][c], exchange, f, c, warp, links[c], has_boundary, gains);
    }
}

// The work of one block in `steps` steps of the whole grid: a piece of a tile, and `steps` planes beyond each
// end of it.
LANE_FUNCTION void sweep(const int steps, const Physics *physics, const Factors *factors, const Range *range,
                         const Piece *pieces, const Walls *walls, const float *gains,
                         const uint16_t *__restrict__ from, uint16_t *__restrict__ to)
{
    SHARED(float, shared);
    const int warp = warp_in_block();
    const Piece piece = pieces[blockIdx.x];
    const Chunk chunk = find_chunk(piece, warp, physics);
    const int *const numbers = walls->number + (size_t)(piece.tile * WARPS + warp) * physics->depth;

    Level level[STEPS][ROWS];
    memset(level, 0, sizeof level);
    int prefetched = wrap_far(chunk.bottom - steps, physics->depth);
    unsigned boundary_mask = 0;     // bit n: whether the warp has links n planes below the one fetched last
    int next = numbers[prefetched]; // of the links in the plane above that one
    for (int z = chunk.bottom - steps - 1; z < chunk.top + steps; z++) {
        const int plane = prefetched, number = next;
        prefetched = prefetched + 1 < physics->depth ? prefetched + 1 : 0;
        boundary_mask = boundary_mask << 1 | (number != 0);
        next = numbers[prefetched];
        if (z + 1 < chunk.top + steps)
            load_plane_async(shared, z + 1, from, walls->links, number, &chunk, warp, plane, physics);
        commit();
        if (z < chunk.bottom - steps)
            continue;
        Lane m[ROWS][MOMENTS];
        wait_plane(m, shared, z, &chunk, warp, range);
        const unsigned recent = boundary_mask >> 1 & ((1u << steps) - 1);
        if (recent)
            advance_pipeline(steps, level, m, shared, &chunk, warp, z, recent, 1, gains, factors, physics);
        else
            advance_pipeline(steps, level, m, shared, &chunk, warp, z, 0, 0, gains, factors, physics);
        UNROLL
        for (int c = 0; c < ROWS; c++)
            if (z - steps >= chunk.bottom && chunk.row_owned[c])
                store_row(to, m[c], &chunk, c, z - steps, physics, range);
    }
}

static __global__ void __launch_bounds__(WARPS *THREADS_PER_WARP, 1)
    several_steps(Physics physics, Factors factors, Range range, const Piece *__restrict__ pieces,
                  Walls walls, const float *__restrict__ gains, const uint16_t *__restrict__ from,
                  uint16_t *__restrict__ to)
{
    sweep(STEPS, &physics, &factors, &range, pieces, &walls, gains, from, to);
}
BLOCK_KERNEL(several_steps, Physics, Factors, Range, const Piece *, Walls, const float *, const uint16_t *,
             uint16_t *);

static __global__ void __launch_bounds__(WARPS *THREADS_PER_WARP, 1)
    one_step(Physics physics, Factors factors, Range range, const Piece *__restrict__ pieces, Walls walls,
             const float *__restrict__ gains, const uint16_t *__restrict__ from, uint16_t *__restrict__ to)
{
    sweep(1, &physics, &factors, &range, pieces, &walls, gains, from, to);
}
BLOCK_KERNEL(one_step, Physics, Factors, Range, const Piece *, Walls, const float *, const uint16_t *,
             uint16_t *);

// Marks for each warp of a tile the planes in which one of its cells has links, as far as the tile needs
// them.
static __global__ void mark_planes(Physics physics, const LinkMask *__restrict__ links,
                                   int *__restrict__ number)
{
    const int width = physics.width, height = physics.height;
    const int z = blockIdx.y * blockDim.x + threadIdx.x, tile = blockIdx.x / WARPS, warp = blockIdx.x % WARPS;
    if (z >= physics.depth)
        return;
    const int first = first_column(tile, &physics);
    LinkMask any = 0;
    for (int n = 0; n < ROWS; n++) {
        const int y = first_row(tile, &physics) + warp * ROWS + n;
        const LinkMask *const row = links + ((size_t)z * height + wrap_far(y, height)) * width;
        for (int k = 0;
             k < LANES && first + k < width - SHIFT_COLUMNS + HALO && y < height - SHIFT_ROWS + HALO; k++)
            any |= row[wrap_far(first + k, width)];
    }
    number[(size_t)blockIdx.x * physics.depth + z] = any != 0;
}

// Stores the links that have a number.
static __global__ void gather_links(Physics physics, const LinkMask *__restrict__ links, Walls walls)
{
    const int z = blockIdx.y * blockDim.x + threadIdx.x, tile = blockIdx.x / WARPS, warp = blockIdx.x % WARPS;
    const int number = z < physics.depth ? walls.number[(size_t)blockIdx.x * physics.depth + z] : 0;
    if (number == 0)
        return;
    for (int n = 0; n < ROWS; n++) {
        const int y = wrap_far(first_row(tile, &physics) + warp * ROWS + n, physics.height);
        const LinkMask *const row = links + ((size_t)z * physics.height + y) * physics.width;
        for (int k = 0; k < LANES; k++)
            walls.links[((size_t)number * ROWS + n) * LANES + k] =
                row[wrap_far(first_column(tile, &physics) + k, physics.width)];
    }
}

// The costs of the planes of a tile up to each plane: 1 without links; half as much again if all warps have
// some, as all wait for the slowest.
static void sum_costs(float *cost, const int *number, int depth)
{
    cost[0] = 0.0f;
    for (int z = 0; z < depth; z++) {
        int marked = 0;
        for (int warp = 0; warp < WARPS; warp++)
            marked += number[(size_t)warp * depth + z] != 0;
        cost[z + 1] = cost[z] + (marked == 0 ? 1.0f : 1.25f + 0.25f * marked / WARPS);
    }
}

// The plane at which part n of `parts` equal parts of the cost begins.
static int begin_part(const float *cost, int depth, int n, int parts)
{
    int z = 0;
    while (z < depth && cost[z] + 0.5f < cost[depth] * n / parts)
        z++;
    return z;
}

// In how many pieces a tile is cut, if none is to cost more than `most`.
static int parts_of(const float *cost, int depth, float most)
{
    const int parts = (int)ceilf(cost[depth] / most);
    return parts < depth ? parts : depth;
}

// Cuts all tiles into pieces, and returns how many they are. Tiles in many pieces come first; neighbouring
// tiles run side by side at the same planes.
static int cut_tiles(Piece *pieces, const float *costs, int tiles, int depth, float most)
{
    int count = 0;
    for (int parts = (int)(1.5f * depth / most) + 1; parts > 0; parts--)
        for (int n = 0; n < parts; n++)
            for (int tile = 0; tile < tiles; tile++) {
                const float *const cost = costs + (size_t)tile * (depth + 1);
                if (parts_of(cost, depth, most) != parts)
                    continue;
                const Piece piece = {tile, begin_part(cost, depth, n, parts),
                                     begin_part(cost, depth, n + 1, parts)};
                if (piece.bottom < piece.top)
                    pieces[count++] = piece;
            }
    return count;
}

// When the last piece ends, if so many run at a time: each begins and ends STEPS planes beyond its own, and
// takes about as long as one more until its first plane has come.
static float time_of(const Piece *pieces, int count, const float *costs, int depth, int at_once)
{
    float *const ends = (float *)allocate(at_once * sizeof *ends);
    float last = 0.0f;
    for (int k = 0; k < at_once; k++)
        ends[k] = 0.0f;
    for (int n = 0; n < count; n++) {
        const float *const cost = costs + (size_t)pieces[n].tile * (depth + 1);
        int first = 0;
        for (int k = 1; k < at_once; k++)
            if (ends[k] < ends[first])
                first = k;
        ends[first] += cost[pieces[n].top] - cost[pieces[n].bottom] + 2 * STEPS + 1;
        last = ends[first] > last ? ends[first] : last;
    }
    free(ends);
    return last;
}

// The costs of the planes of all tiles, [tiles][depth + 1].
static float *create_costs(const Solver *solver, int tiles, int depth)
{
    const size_t marks = (size_t)tiles * WARPS * depth;
    int *const number = (int *)allocate(marks * sizeof *number);
    float *const costs = (float *)allocate((size_t)tiles * (depth + 1) * sizeof *costs);
    CHECK(cudaMemcpy(number, solver->walls.number, marks * sizeof *number, cudaMemcpyDeviceToHost));
    for (int tile = 0; tile < tiles; tile++)
        sum_costs(costs + (size_t)tile * (depth + 1), number + (size_t)tile * WARPS * depth, depth);
    free(number);
    return costs;
}

// Lists the pieces that take the least time.
static void create_pieces(Solver *solver)
{
    enum { MOST_PARTS = 32 }; // of a tile without walls
    const Physics *const physics = &solver->scenario->physics;
    const int tiles = all_tiles(physics), depth = physics->depth;
    const int at_once = gpu_multiprocessors(); // a block needs all registers of one
    Piece *const pieces = (Piece *)allocate((size_t)tiles * (2 * MOST_PARTS) * sizeof *pieces);
    float *const costs = create_costs(solver, tiles, depth);
    float least = INFINITY;
    int best = 1, count = 0; // so many that no block waits long for the last one need no comparison
    for (int parts = 1; parts <= MOST_PARTS && parts <= depth && count < 1000 * at_once; parts++) {
        count = cut_tiles(pieces, costs, tiles, depth, (float)depth / parts);
        const float time = time_of(pieces, count, costs, depth, at_once);
        if (time < least) {
            least = time;
            best = parts;
        }
    }
    solver->blocks = cut_tiles(pieces, costs, tiles, depth, (float)depth / best);
    CHECK(cudaMalloc((void **)&solver->pieces, solver->blocks * sizeof *pieces));
    CHECK(cudaMemcpy(solver->pieces, pieces, solver->blocks * sizeof *pieces, cudaMemcpyHostToDevice));
    free(costs);
    free(pieces);
}

// Numbers the planes in which warps find links, and keeps these alone.
static void create_walls(Solver *solver)
{
    const Physics *const physics = &solver->scenario->physics;
    Walls *const walls = &solver->walls;
    const unsigned rows = (unsigned)all_tiles(physics) * WARPS, depth = (unsigned)physics->depth;
    const dim3 threads = {64, 1, 1}, blocks = {rows, (depth + 63) / 64, 1};
    const size_t planes = (size_t)rows * depth, bytes = planes * sizeof(int);
    int *const number = (int *)allocate(bytes), found = 0;
    LinkMask *const links = find_all_links(physics, solver->type, &solver->gains);
    CHECK(cudaMalloc((void **)&walls->number, bytes));
    LAUNCH(mark_planes, blocks, threads, *physics, links, walls->number);
    CHECK(cudaMemcpy(number, walls->number, bytes, cudaMemcpyDeviceToHost));
    for (size_t n = 0; n < planes; n++)
        number[n] = number[n] ? ++found : 0;
    CHECK(cudaMemcpy(walls->number, number, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc((void **)&walls->links, ((size_t)found + 1) * ROWS * LANES * sizeof(LinkMask)));
    LAUNCH(gather_links, blocks, threads, *physics, links, *walls);
    CHECK(cudaFree(links));
    free(number);
}

// Bytes of the moments of all cells.
static size_t moment_bytes(const Scenario *s)
{
    return (size_t)s->depth * s->height * lines_of(s->width) * LINE * MOMENTS * sizeof(uint16_t);
}

// The range of momentum is twice the fastest speed of the flow, or up to four times: a power of two.
static Range range_of(const Scenario *s)
{
    const float largest = exp2f(ceilf(log2f((float)s->mach / sqrtf(3.0f))) + 1.0f);
    const float quantum = largest / 32768.0f;
    const Range range = {1.0f / quantum, quantum, -fixed_zero * quantum, 0};
    return range;
}

static const char *unsupported(int width, int height)
{
    (void)width, (void)height; // a block of any grid takes as much
    return lane_shared_shortage(SHARED_WORDS * sizeof(float));
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    dim3 blocks, threads; // unused, but invalid shapes are refused as in every stage
    gpu_cover(scenario, block, &blocks, &threads);

    solver->range = range_of(scenario);
    const size_t bytes = moment_bytes(scenario);
    gpu_need(2 * bytes); // the links of all cells, which are there before, take less
    create_walls(solver);
    create_pieces(solver);
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Scenario *s = solver->scenario;
    const dim3 blocks = {(unsigned)solver->blocks, 1, 1}, threads = {WARPS * THREADS_PER_WARP, 1, BLOCK_Z};
    for (int n = solver->steps == 0 ? 1 : 0, made; n < steps; n += made) { // read() makes the last step
        made = steps - n < STEPS ? 1 : STEPS;
        Range range = solver->range;
        range.seed = hash((uint32_t)(solver->steps + n));
        if (made == STEPS)
            LAUNCH_BLOCKS(several_steps, blocks, threads, SHARED_WORDS * sizeof(float), s->physics,
                          factors_of(&s->physics), range, solver->pieces, solver->walls, solver->gains,
                          solver->f, solver->next);
        else
            LAUNCH_BLOCKS(one_step, blocks, threads, SHARED_WORDS * sizeof(float), s->physics,
                          factors_of(&s->physics), range, solver->pieces, solver->walls, solver->gains,
                          solver->f, solver->next);
        uint16_t *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
    solver->steps += steps;
}

// A cell after the collision of the moments that have arrived in it.
HOST_DEVICE Collided collided(const Solver *solver, const Site *site, CellNumber cell)
{
    const int y = (int)(cell / site->physics->width % site->physics->height);
    float m[MOMENTS];
    for (int i = 0; i < MOMENTS; i++)
        m[i] = unpack(solver->f[at(cell, i, site->physics)], i, &solver->range);
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
    uint32_t bits[MOMENTS];
    sum_moments(m, f);
    pack(bits, m, hash(site->cell), &solver->range);
    for (int i = 0; i < MOMENTS; i++)
        solver->f[at(site->cell, i, site->physics)] = (uint16_t)bits[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->pieces));
    CHECK(cudaFree(solver->walls.number));
    CHECK(cudaFree(solver->walls.links));
    CHECK(cudaFree(solver->gains));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "moments in 16 bits, rounded stochastically, and links near walls alone",
    .lattice = &d3q19,
    .bytes_per_update = 36.0 / STEPS, // 9 numbers of 16 bits read and 9 written, once in a sweep
    .bytes_per_cell = 37.0,           // two grids of 9 such numbers, 1 cell type
    .epsilon = 1.0 / (1 << 10),       // a unit in the last of 11 bits
    .rounding = STOCHASTIC,           // up or down
    .cycle = STEPS,
    .magic_tau = 7.0 / 8.0,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
    .unsupported = unsupported,
};
