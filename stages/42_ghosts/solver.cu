// D2Q9 BGK, resident on the chip: a block also computes ghost rows, which are its neighbours' rows, and so
// needs packets only once in three steps. A thread has one cell.
#include "gpu/gpu.h"
#include "gpu/lane.h"
#include "gpu/packet.h"
#include "host/allocate.h"
#include "lattice/pairs.h"
#include "stage/stage.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    GHOST = 3,            // ghost rows on each side of a block's own; steps from exchange to exchange; odd
    RIM = GHOST + 1,      // and a row for populations that leave them
    LAUNCH_STEPS = 65536, // steps of a launch, few enough that the program still responds quickly
    BLOCK_THREADS = 1024, // threads of a block, at most
    // shared memory per thread: 76 bytes a cell, for two rows more than threads have
    CELL_BYTES = (76 * (2 * RIM + 1) + 2 * GHOST) / (2 * GHOST + 1)
};

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    size_t shared_bytes; // of a block
    float *f;            // [9][height][width]: populations before the collision
    Packet *packets;     // [2][height][3][width]: by parity of the exchange: moving up, down, or staying
    int *timed_out;
    long steps; // so far
};

// The type and the links of a cell: bit i is set if population i meets a wall, bit MOVING + i if that wall
// moves; bits from TYPE on are the type. All are 0 in fluid without walls nearby.
typedef uint32_t LinkMask;
enum { MOVING = 8, TYPE = 17 };

// The rows of a block in shared memory, rims included.
typedef struct {
    int first, rows, width; // row 0 is row first of the grid
    float *now, *next;      // [rows][width][9]: populations before the collision, and one step later
    LinkMask *links;        // [rows][width]
} Band;

// A cell and its neighbours in the row, in one of the copies; and its mailbox, if there is an exchange.
typedef struct {
    float *own, *west, *east; // [9]
    Packet *mail;             // [3][width]
} Columns;

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

static __device__ __forceinline__ Band find_band(const Physics *physics, float *shared)
{
    Band band;
    band.width = physics->width;
    const int height = physics->height, own = first_row(blockIdx.x, gridDim.x, height);
    band.first = (own + RIM * height - RIM) % height; // of a low grid the band has some rows several times
    band.rows = first_row(blockIdx.x + 1, gridDim.x, height) - own + 2 * RIM;
    const int cells = band.rows * band.width;
    band.now = shared;
    band.next = band.now + 9 * cells;
    band.links = (LinkMask *)(band.next + 9 * cells);
    return band;
}

static __device__ __forceinline__ LinkMask find_links(const Physics *physics, const CellType *type, int x,
                                                      int y)
{
    LinkMask links = (LinkMask)type[(size_t)y * physics->width + x] << TYPE;
    for (int i = 1; i < 9; i++) {
        const Destination destination = boundary(physics, type, x, y, i);
        links |= (LinkMask)(destination.direction != i) << i | (LinkMask)(destination.gain != 0.0f)
                                                                   << (MOVING + i);
    }
    return links;
}

static __device__ __forceinline__ void load_band(const Band *band, const Physics *physics,
                                                 const CellType *type, const float *f)
{
    const size_t cells = (size_t)physics->width * physics->height;
    for (int row = threadIdx.y; row < band->rows; row += blockDim.y)
        for (int x = threadIdx.x; x < band->width; x += blockDim.x) {
            const int y = (band->first + row) % physics->height, cell = row * band->width + x;
            band->links[cell] = find_links(physics, type, x, y);
            for (int i = 0; i < 9 && row >= RIM && row < band->rows - RIM; i++)
                band->now[9 * cell + i] = f[at((size_t)y * band->width + x, i, cells)];
        }
}

static __device__ __forceinline__ void store_band(const Band *band, const Physics *physics, float *f)
{
    const size_t cells = (size_t)physics->width * physics->height;
    for (int row = RIM + threadIdx.y; row < band->rows - RIM; row += blockDim.y)
        for (int x = threadIdx.x; x < band->width; x += blockDim.x) {
            const int y = (band->first + row) % physics->height, cell = row * band->width + x;
            for (int i = 0; i < 9 && !is_wall(band->links[cell] >> TYPE); i++)
                f[at((size_t)y * band->width + x, i, cells)] = band->now[9 * cell + i];
        }
}

// The change in a cell's number when it moves one step along x.
static __device__ __forceinline__ int along_x(int e, int x, int width)
{
    return wrap(x + e, width) - x;
}

// Streams a cell within the band, but for the population that rests.
static __device__ __forceinline__ void stream(const Columns *next, const float *f, LinkMask links, int up,
                                              const Physics *physics)
{
    float *const own = next->own, *const west = next->west, *const east = next->east;
    own[up + 2] = f[2], east[up + 5] = f[5], west[up + 6] = f[6];
    own[-up + 4] = f[4], west[-up + 7] = f[7], east[-up + 8] = f[8];
    east[1] = f[1], west[3] = f[3];
    if (links != 0) // populations in a wall, where no thread reads them, come back
        for (int i = 1; i < 9; i++)
            if (links >> i & 1)
                own[opposite(i)] = f[i] + (links >> (MOVING + i) & 1 ? physics->wall_gain[i] : 0.0f);
}

// Sends a cell after its collision: populations that move up, move down, and stay in the row. Two mailboxes
// suffice: a block that reads a row of another block sends that block a row in each exchange, after it has
// read those of the exchange before.
static __device__ __forceinline__ void send(const float *f, Packet *to, int width, uint32_t step)
{
    store_packet(to, f[2], f[5], f[6], step);
    store_packet(to + width, f[4], f[7], f[8], step);
    store_packet(to + 2 * width, f[0], f[1], f[3], step);
}

// Waits for a cell of a ghost row. The lowest row needs only populations that move up, the highest only
// those that move down; a packet that isn't needed counts as received.
static __device__ __forceinline__ void receive(float *f, int lowest, int highest, const Packet *from,
                                               int width, uint32_t step, int *timed_out)
{
    Packet up = {0, 0, 0, step - !highest}, down = {0, 0, 0, step - !lowest},
           stay = {0, 0, 0, step - !(lowest || highest)};
    Wait wait = {timed_out, 0, 0};
    do {
        if (up.step != step)
            up = load_packet(from);
        if (down.step != step)
            down = load_packet(from + width);
        if (stay.step != step)
            stay = load_packet(from + 2 * width);
    } while ((up.step != step || down.step != step || stay.step != step) && keep_waiting(&wait));
    f[2] = up.a, f[5] = up.b, f[6] = up.c;
    f[4] = down.a, f[7] = down.b, f[8] = down.c;
    f[0] = stay.a, f[1] = stay.b, f[3] = stay.c;
}

static __global__ __launch_bounds__(BLOCK_THREADS, 1) void step_bands(Physics physics, const CellType *type,
                                                                      float *f, Packet *packets,
                                                                      uint32_t steps_before, int steps,
                                                                      int *timed_out)
{
    SHARED(float, shared);
    Band band = find_band(&physics, shared);
    load_band(&band, &physics, type, f);
    __syncthreads();
    const int width = band.width, x = threadIdx.x, row = threadIdx.y + 1,
              y = (band.first + row) % physics.height, cell = row * width + x,
              west = 9 * along_x(-1, x, width), east = 9 * along_x(1, x, width);
    // Steps after an exchange for which the cell is correct: the number of rows below, or above. -1: no cell.
    const int below = row - 1, above = band.rows - 2 - row,
              reach = x < width ? (below < above ? below : above) : -1;
    const LinkMask links = reach >= 0 ? band.links[cell] : 0;
    const int wall = links >> TYPE >= WALL, own = reach >= GHOST;
    float *const a = band.now + 9 * cell, *const b = band.next + 9 * cell;
    Packet *const mail = packets + 3 * width * y + x;
    Columns now = {a, a + west, a + east, mail},
            next = {b, b + west, b + east, mail + 3 * width * physics.height};
    float rest = reach >= 0 ? now.own[0] : 0.0f; // the population that never leaves its thread
    for (int n = 0; n < steps; n += GHOST) {
        UNROLL
        for (int age = 0; age < GHOST && n + age < steps; age++) { // steps since the exchange
            if (age <= reach) {
                const int received = age == 0 && !own;
                float g[9];
                g[0] = rest;
                for (int i = 1; i < 9 && !received; i++)
                    g[i] = now.own[i];
                if (received)
                    receive(g, below == 0, above == 0, now.mail, width, steps_before + n + 1, timed_out);
                else if (!wall)
                    collide_in_pairs(g, links >> TYPE, y, &physics);
                if (age == 0 && own) // walls, too, so that any two blocks wait for each other
                    send(g, now.mail, width, steps_before + n + 1);
                rest = g[0];
                if (!wall)
                    stream(&next, g, links, 9 * width, &physics);
            }
            __syncthreads();
            const Columns swap = now;
            now = next;
            next = swap;
        }
    }
    if (reach >= 0)
        now.own[0] = rest;
    __syncthreads();
    band.now = steps % 2 == 0 ? band.now : band.next;
    store_band(&band, &physics, f);
}
BLOCK_KERNEL(step_bands, Physics, const CellType *, float *, Packet *, uint32_t, int, int *);

static int own_rows(int height)
{
    const int most = gpu_resident_blocks();
    return (height + most - 1) / most;
}

// As few blocks as possible without more rows in the fullest one.
static int blocks_for(int height)
{
    return (height + own_rows(height) - 1) / own_rows(height);
}

static int most_rows(int height)
{
    return own_rows(height) + 2 * GHOST;
}

// Threads of a row: whole warps, so that no warp both sends and waits.
static size_t row_threads(int width)
{
    return ((size_t)width + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
}

// Threads of a block: a cell each.
static size_t block_threads(int width, int height)
{
    return row_threads(width) * most_rows(height);
}

static const char *unsupported(int width, int height)
{
    static char text[200];
    const size_t by_memory = gpu_shared_bytes() / CELL_BYTES, threads = block_threads(width, height),
                 most = by_memory < BLOCK_THREADS ? by_memory : (size_t)BLOCK_THREADS;
    int square = 1;
    if (threads <= most)
        return NULL;
    while (block_threads(square + 1, square + 1) <= most)
        square++;
    snprintf(text, sizeof text,
             "they take %zu threads, a cell each, in each of %d blocks, of %zu; it takes up to %d x %d",
             threads, blocks_for(height), most, square, square);
    return text;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    const int width = scenario->width, height = scenario->height;
    const unsigned rows = most_rows(height);
    dim3 unused, of_no_use; // the solver chooses its shape; invalid ones are refused as in every stage
    gpu_cover(scenario, block, &unused, &of_no_use);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->shared_bytes = CELL_BYTES * block_threads(width, height);
    const dim3 threads = {(unsigned)row_threads(width), rows, 1},
               blocks = {(unsigned)blocks_for(height), 1, 1};
    solver->block = threads;
    solver->grid = blocks;

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float),
                 mail = 2 * 3 * cells * sizeof(Packet);
    gpu_need(bytes + mail);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->packets, mail));
    CHECK(cudaMalloc((void **)&solver->timed_out, sizeof(int)));
    CHECK(cudaMemset(solver->packets, 0, mail));
    CHECK(cudaMemset(solver->timed_out, 0, sizeof(int)));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    while (steps > 0) {
        const int now = steps < LAUNCH_STEPS ? steps : LAUNCH_STEPS;
        LAUNCH_COOPERATIVE(step_bands, solver->grid, solver->block, solver->shared_bytes,
                           solver->scenario->physics, solver->type, solver->f, solver->packets,
                           (uint32_t)solver->steps, now, solver->timed_out);
        solver->steps += now;
        steps -= now;
        check_waits(solver->timed_out); // waits for the launch, too
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        f[i] = solver->f[at(site->cell, i, site->cells)];
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[at(site->cell, i, site->cells)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->packets));
    CHECK(cudaFree(solver->timed_out));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary =
        "each block also computes three rows of its neighbours, and exchanges packets once in three steps",
    .lattice = &d2q9,
    .bytes_per_update = 73.0 / LAUNCH_STEPS, // 9 floats read and 9 written, 1 cell type, once in a launch
    .bytes_per_cell = 133.0,                 // one grid of 9 floats, 1 cell type, 6 packets
    .epsilon = 1.0 / (1 << 24),              // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,                  // ties to even
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
    .unsupported = unsupported,
};
