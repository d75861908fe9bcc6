// D2Q9 BGK, resident on the chip in one copy, in place (AA): a thread keeps a column of its block's rows,
// populations that move along x in shared memory and the others in registers; populations that leave the
// rows go to the neighbouring block in a packet.
#include "gpu/gpu.h"
#include "gpu/packet.h"
#include "host/allocate.h"
#include "lattice/pairs.h"
#include "stage/stage.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LAUNCH_STEPS = 4096, // steps of a launch, few enough that the program still responds quickly
    MOST_WIDTH = 1024,   // cells of a row, each of which takes a thread; arrays are as wide for any grid, so
    // that the compiler knows how far apart rows are, and one register reaches all of them
    MOST_ROWS = 8 // rows of a block, of each of which a thread holds three populations in registers
};

// The type and the links of a cell: bit i is set if population i meets a wall, bit MOVING + i if that wall
// moves; bits from TYPE on are the type. All are 0 in fluid without walls nearby.
typedef uint32_t LinkMask;
enum { MOVING = 8, TYPE = 17 };

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    LinkMask *links;      // [height][MOST_WIDTH]
    dim3 grid, block;
    size_t shared_bytes; // of a block
    // After an even number of steps, populations before the collision; else after it, in opposite slots.
    float *f;        // [9][height][MOST_WIDTH]
    Packet *packets; // [blocks][2][2][MOST_WIDTH]: across the lower edge of each block, in even and odd
                     // steps, upward and downward
    int *timed_out;
    long steps; // so far
};

// The cells of a column in the rows of a block, as one thread keeps them. A cell has a slot for each
// population. So have the ghost rows, row -1 and row `rows`: populations leave the block into them, and
// arrive in them.
typedef struct {
    float held[3][MOST_ROWS + 1]; // slots 0, 2 and 4, in registers
    // In shared memory, [6][rows + 1][MOST_WIDTH]: slots 1, 3 and 5 to 8, of this column and of those beside
    // it.
    float *own, *west, *east;
    const LinkMask *links; // [rows][MOST_WIDTH]
    uint32_t marks;        // bit `row`: the links of that cell are not 0; WALL_BELOW and WALL_ABOVE
    int first;             // the row of the grid that is row 0
    Packet *lower, *upper; // [2][2][MOST_WIDTH]: across the edges of the block's rows
} Column;
enum { WALL_BELOW = 1 << 30, WALL_ABOVE = 1 << 29 }; // marks: the cell in that ghost row is a wall

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// The first row of a block: the numbers of rows differ by one at most.
HOST_DEVICE int first_row(int block, int blocks, int height)
{
    return (int)((long long)block * height / blocks);
}

// The slot where a step stores population i of a cell, and finds opposite(i): an even step in the cell
// itself, in the slot of opposite(i); an odd step in the neighbour in direction i, in slot i. The compiler
// knows all arguments but the column, or `held` would not be in registers. Slots of populations that move up
// have rows 0 to `rows`, those of populations that move down -1 to rows - 1.
static __device__ __forceinline__ float *slot(Column *column, const int rows, const int odd, const int i,
                                              const int row)
{
    const int s = odd ? i : opposite(i), k = row + (odd ? ey(i) : 0) + (ey(s) < 0);
    if (ex(s) == 0)
        return &column->held[s / 2][k];
    float *shared = !odd ? column->own : ex(i) > 0 ? column->east : column->west;
    return &shared[((s < 5 ? s / 2 : s - 3) * (rows + 1) + k) * MOST_WIDTH];
}

// The packets at an edge that carry population i up or down.
HOST_DEVICE int packet_of(int odd, int i)
{
    return (2 * odd + (ey(i) < 0)) * MOST_WIDTH;
}

static __device__ __forceinline__ float gain(LinkMask links, int i, const Physics *physics)
{
    return links >> (MOVING + i) & 1 ? physics->wall_gain[i] : 0.0f;
}

// Collides a cell, leaves its populations in place, and sends those that leave the block. A wall sends
// packets, too: a thread that received none from its neighbour could get two steps ahead, and overwrite a
// packet before it is read.
static __device__ __forceinline__ void update(Column *column, const int rows, const int odd, const int row,
                                              const Physics *physics, uint32_t step)
{
    const LinkMask links = column->marks >> row & 1 ? column->links[row * MOST_WIDTH] : 0;
    float f[9] = {0};
    if (!is_wall(links >> TYPE)) {
        for (int i = 0; i < 9; i++)
            f[opposite(i)] = *slot(column, rows, odd, i, row);
        if (odd && links != 0)
            for (int i = 1; i < 9; i++)
                if (links >> i & 1)
                    f[opposite(i)] = *slot(column, rows, 0, i, row) + gain(links, i, physics);
        collide_in_pairs(f, links >> TYPE, column->first + row, physics);
        for (int i = 0; i < 9; i++)
            *slot(column, rows, odd, i, row) = f[i];
        if (odd && links != 0) // populations in a wall, where no thread reads them, come back
            for (int i = 1; i < 9; i++)
                if (links >> i & 1)
                    *slot(column, rows, 0, i, row) = f[i] + gain(links, i, physics);
    }
    if (row == rows - 1)
        store_packet(&column->upper[packet_of(odd, 2)], f[2], f[5], f[6], step);
    if (row == 0)
        store_packet(&column->lower[packet_of(odd, 4)], f[4], f[7], f[8], step);
}

// Waits for the packets of both cells beside the column, and leaves their populations where these cells
// would: in an even step in the ghost rows, where those of a wall do no harm; in an odd step in the block's
// own cells.
static __device__ __forceinline__ void receive(Column *column, const int rows, const int odd, uint32_t step,
                                               int *timed_out)
{
    Wait wait = {timed_out, 0, 0};
    Packet below, above;
    do {
        below = load_packet(&column->lower[packet_of(odd, 2)]);
        above = load_packet(&column->upper[packet_of(odd, 4)]);
    } while ((below.step != step || above.step != step) && keep_waiting(&wait));
    if (!odd || !(column->marks & WALL_BELOW)) {
        *slot(column, rows, odd, 2, -1) = below.a;
        *slot(column, rows, odd, 5, -1) = below.b;
        *slot(column, rows, odd, 6, -1) = below.c;
    }
    if (!odd || !(column->marks & WALL_ABOVE)) {
        *slot(column, rows, odd, 4, rows) = above.a;
        *slot(column, rows, odd, 7, rows) = above.b;
        *slot(column, rows, odd, 8, rows) = above.c;
    }
}

// Row n in the order in which rows are updated: the first and the last before all others, because their
// packets take long.
HOST_DEVICE int nth_row(int n, int rows)
{
    return n == 0 ? 0 : n == 1 ? rows - 1 : n - 1;
}

// Updates the rows of a block, and waits for packets before the last row that needs none, where they have had
// time to arrive.
static __device__ __forceinline__ void update_rows(Column *column, const int rows, const int odd,
                                                   const Physics *physics, uint32_t step, int *timed_out)
{
    UNROLL
    for (int n = 0; n < rows; n++) {
        if (rows > 2 && n == rows - 1)
            receive(column, rows, odd, step, timed_out);
        update(column, rows, odd, nth_row(n, rows), physics, step);
    }
    if (rows <= 2)
        receive(column, rows, odd, step, timed_out);
}

static __device__ __forceinline__ void load_column(Column *column, const int rows, const Physics *physics,
                                                   const LinkMask *links, const float *f, Packet *packets,
                                                   float *shared)
{
    const size_t cells = (size_t)MOST_WIDTH * physics->height;
    const int x = threadIdx.x;
    column->own = shared + x;
    column->west = shared + wrap(x - 1, physics->width);
    column->east = shared + wrap(x + 1, physics->width);
    const size_t first = (size_t)column->first * MOST_WIDTH + x;
    column->links = links + first;
    column->lower = packets + 4 * MOST_WIDTH * blockIdx.x + x;
    column->upper = packets + 4 * MOST_WIDTH * wrap(blockIdx.x + 1, gridDim.x) + x;
    UNROLL
    for (int row = 0; row < rows; row++) {
        const LinkMask l = column->links[row * MOST_WIDTH];
        column->marks |= (uint32_t)(l != 0) << row;
        if (row == 0 && l >> 4 & 1)
            column->marks |= WALL_BELOW;
        if (row == rows - 1 && l >> 2 & 1)
            column->marks |= WALL_ABOVE;
        for (int i = 0; i < 9; i++)
            *slot(column, rows, 0, opposite(i), row) = f[at(first + row * MOST_WIDTH, i, cells)];
    }
}

static __device__ __forceinline__ void store_column(Column *column, const int rows, const Physics *physics,
                                                    float *f)
{
    const size_t cells = (size_t)MOST_WIDTH * physics->height;
    const size_t first = (size_t)column->first * MOST_WIDTH + threadIdx.x;
    UNROLL
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < 9 && !is_wall(column->links[row * MOST_WIDTH] >> TYPE); i++)
            f[at(first + row * MOST_WIDTH, i, cells)] = *slot(column, rows, 0, opposite(i), row);
}

// Makes all steps of a launch. In each of them, threads fetch only from slots that they alone write, so that
// one barrier a step is enough.
static __device__ __forceinline__ void advance_rows(const int rows, int first, const Physics *physics,
                                                    const LinkMask *links, float *f, Packet *packets,
                                                    uint32_t steps_before, int steps, int *timed_out)
{
    SHARED(float, shared);
    Column column = {0};
    column.first = first;
    const unsigned width = physics->width;
    if (threadIdx.x < width)
        load_column(&column, rows, physics, links, f, packets, shared);
    for (int n = -(int)(steps_before % 2); n < steps; n += 2) {
        const uint32_t step = steps_before + n + 1;
        if (threadIdx.x < width) {
            if (n >= 0)
                update_rows(&column, rows, 0, physics, step, timed_out);
            else // the launch before made the step, and its packets are still there
                receive(&column, rows, 0, step, timed_out);
        }
        __syncthreads();
        if (n + 1 == steps)
            break;
        if (threadIdx.x < width)
            update_rows(&column, rows, 1, physics, step + 1, timed_out);
        __syncthreads();
    }
    if (threadIdx.x < width)
        store_column(&column, rows, physics, f);
}

static __global__ __launch_bounds__(MOST_WIDTH) void advance_columns(Physics physics,
                                                                     const LinkMask *__restrict__ links,
                                                                     float *f, Packet *packets,
                                                                     uint32_t steps_before, int steps,
                                                                     int *timed_out)
{
    const int first = first_row(blockIdx.x, gridDim.x, physics.height);
    switch (first_row(blockIdx.x + 1, gridDim.x, physics.height) - first) {
#define ROWS(rows)                                                                                           \
    case rows:                                                                                               \
        advance_rows(rows, first, &physics, links, f, packets, steps_before, steps, timed_out);              \
        break;
        ROWS(1)
        ROWS(2)
        ROWS(3)
        ROWS(4)
        ROWS(5)
        ROWS(6)
        ROWS(7)
        ROWS(8)
    }
}
BLOCK_KERNEL(advance_columns, Physics, const LinkMask *, float *, Packet *, uint32_t, int, int *);

static int most_rows(int height)
{
    const int most = gpu_resident_blocks();
    return (height + most - 1) / most;
}

// As few blocks as possible without more rows in the fullest one.
static int blocks_for(int height)
{
    return (height + most_rows(height) - 1) / most_rows(height);
}

// Shared memory that a block of so many rows takes.
static size_t shared_bytes(int rows)
{
    return (size_t)6 * (rows + 1) * MOST_WIDTH * sizeof(float);
}

static const char *unsupported(int width, int height)
{
    static char text[200];
    const size_t most = gpu_shared_bytes();
    int rows = MOST_ROWS;
    while (shared_bytes(rows) > most)
        rows--;
    if (width <= MOST_WIDTH && most_rows(height) <= rows)
        return NULL;
    snprintf(text, sizeof text,
             "a block has a thread for each cell of a row, and %d blocks keep %d rows each; it takes up to "
             "%d x %d",
             gpu_resident_blocks(), rows, MOST_WIDTH, rows * gpu_resident_blocks());
    return text;
}

// The number of a cell in rows of MOST_WIDTH.
HOST_DEVICE size_t padded(size_t cell, int width)
{
    return cell / width * MOST_WIDTH + cell % width;
}

static __global__ void find_links(Physics physics, const CellType *type, LinkMask *links)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    LinkMask own = (LinkMask)type[cell] << TYPE;
    for (int i = 1; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        own |= (LinkMask)(destination.direction != i) << i | (LinkMask)(destination.gain != 0.0f)
                                                                 << (MOVING + i);
    }
    links[padded(cell, physics.width)] = own;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    const int width = scenario->width, height = scenario->height;
    dim3 all_blocks, its_threads; // the steps have a shape of their own
    gpu_cover(scenario, block, &all_blocks, &its_threads);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->shared_bytes = shared_bytes(most_rows(height));
    const dim3 threads = {(width + 31u) / 32 * 32, 1, 1}, blocks = {(unsigned)blocks_for(height), 1, 1};
    solver->block = threads;
    solver->grid = blocks;

    const size_t cells = (size_t)height * MOST_WIDTH, bytes = 9 * cells * sizeof(float),
                 link_bytes = cells * sizeof(LinkMask),
                 packet_bytes = (size_t)blocks.x * 2 * 2 * MOST_WIDTH * sizeof(Packet);
    gpu_need(bytes + link_bytes + packet_bytes);
    CHECK(cudaMalloc((void **)&solver->links, link_bytes));
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->packets, packet_bytes));
    CHECK(cudaMalloc((void **)&solver->timed_out, sizeof(int)));
    CHECK(cudaMemset(solver->packets, 0, packet_bytes));
    CHECK(cudaMemset(solver->timed_out, 0, sizeof(int)));
    LAUNCH(find_links, all_blocks, its_threads, scenario->physics, type, solver->links);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    while (steps > 0) {
        const int now = steps < LAUNCH_STEPS ? steps : LAUNCH_STEPS;
        LAUNCH_COOPERATIVE(advance_columns, solver->grid, solver->block, solver->shared_bytes,
                           solver->scenario->physics, solver->links, solver->f, solver->packets,
                           (uint32_t)solver->steps, now, solver->timed_out);
        solver->steps += now;
        steps -= now;
        check_waits(solver->timed_out); // waits for the launch, too
    }
}

HOST_DEVICE size_t slot_of(CellNumber cell, int i, const Physics *physics)
{
    return at(padded(cell, physics->width), i, (size_t)physics->height * MOST_WIDTH);
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++) {
        Destination from = {site->cell, i, 0.0f};
        if (solver->steps % 2 != 0)
            from = boundary(site->physics, site->type, site->x, site->y, opposite(i));
        f[i] = solver->f[slot_of(from.cell, from.direction, site->physics)] + from.gain;
    }
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[slot_of(site->cell, i, site->physics)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->links));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->packets));
    CHECK(cudaFree(solver->timed_out));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "one copy of the grid, in place: a thread keeps a column in shared memory and registers",
    .lattice = &d2q9,
    .bytes_per_update =
        76.0 / LAUNCH_STEPS, // 9 floats read and 9 written, 4 bytes of links, once in a launch
    .bytes_per_cell =
        41.0, // one grid of 9 floats, 4 bytes of links, 1 cell type, where rows are MOST_WIDTH long
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 2,                 // an even and an odd one
    .magic_tau = BGK_MAGIC_TAU,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
    .unsupported = unsupported,
};
