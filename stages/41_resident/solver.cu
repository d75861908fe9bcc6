// D2Q9 BGK, resident on the chip: a block keeps its rows in shared memory, in two copies, for many steps;
// populations that leave the rows go to the neighbouring block in a packet.
#include "gpu/gpu.h"
#include "gpu/packet.h"
#include "host/allocate.h"
#include "lattice/pairs.h"
#include "stage/stage.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LAUNCH_STEPS = 4096, // steps of a launch, few enough that the program still responds quickly
    BLOCK_THREADS = 1024 // threads of a block, at most
};

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    size_t shared_bytes; // of a block
    float *f;            // [9][height][width]: populations before the collision
    Packet *packets;     // [2][2][blocks][width]: by parity of the step, upward and downward, from each block
    int *timed_out;
    long steps; // so far
};

// The type and the links of a cell: bit i is set if population i meets a wall, bit MOVING + i if that wall
// moves; bits from TYPE on are the type. All are 0 in fluid without walls nearby.
typedef uint32_t LinkMask;
enum { MOVING = 8, TYPE = 17 };

// The rows of a block, in shared memory.
typedef struct {
    int first, rows, width; // rows first to first + rows - 1 of the grid
    float *now, *next;      // [rows][width][9]: populations before the collision, and one step later
    LinkMask *links;        // [rows][width]
} Band;

// A cell of a column and its neighbours in the row, in one of the copies.
typedef struct {
    float *own, *west, *east; // [rows][width][9]
} Columns;

// Where a column's packets of a step go, and where they come from.
typedef struct {
    Packet *upward, *downward, *from_below, *from_above;
} Mail;

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
    band.first = first_row(blockIdx.x, gridDim.x, physics->height);
    band.rows = first_row(blockIdx.x + 1, gridDim.x, physics->height) - band.first;
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
            const int y = band->first + row, cell = row * band->width + x;
            band->links[cell] = find_links(physics, type, x, y);
            for (int i = 0; i < 9; i++)
                band->now[9 * cell + i] = f[at((size_t)y * band->width + x, i, cells)];
        }
}

static __device__ __forceinline__ void store_band(const Band *band, const Physics *physics, float *f)
{
    const size_t cells = (size_t)physics->width * physics->height;
    for (int row = threadIdx.y; row < band->rows; row += blockDim.y)
        for (int x = threadIdx.x; x < band->width; x += blockDim.x) {
            const int y = band->first + row, cell = row * band->width + x;
            for (int i = 0; i < 9 && !is_wall(band->links[cell] >> TYPE); i++)
                f[at((size_t)y * band->width + x, i, cells)] = band->now[9 * cell + i];
        }
}

// The change in a cell's number when it moves one step along x.
static __device__ __forceinline__ int along_x(int e, int x, int width)
{
    return wrap(x + e, width) - x;
}

// Collides a cell, and streams within the band; populations that leave the band go in packets to the blocks
// above and below.
static __device__ __forceinline__ void update(const Band *band, const Physics *physics, const Columns *now,
                                              const Columns *next, int row, const Mail *mail, uint32_t step)
{
    const int up = 9 * band->width, here = row * up;
    const LinkMask links = band->links[row * band->width + threadIdx.x];
    if (is_wall(links >> TYPE))
        return;
    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = now->own[here + i];
    collide_in_pairs(f, links >> TYPE, band->first + row, physics);
    float *const own = next->own + here, *const west = next->west + here, *const east = next->east + here;
    if (row == band->rows - 1)
        store_packet(mail->upward, f[2], f[5], f[6], step);
    else
        own[up + 2] = f[2], east[up + 5] = f[5], west[up + 6] = f[6];
    if (row == 0)
        store_packet(mail->downward, f[4], f[7], f[8], step);
    else
        own[-up + 4] = f[4], west[-up + 7] = f[7], east[-up + 8] = f[8];
    own[0] = f[0], east[1] = f[1], west[3] = f[3];
    if (links != 0) // populations in a wall, where no thread reads them, come back
        for (int i = 1; i < 9; i++)
            if (links >> i & 1)
                own[opposite(i)] = f[i] + (links >> (MOVING + i) & 1 ? physics->wall_gain[i] : 0.0f);
}

// A packet of a later step comes from a block that does not wait for this one, whose row there is all walls:
// no thread uses its populations.
HOST_DEVICE int is_before(uint32_t step, uint32_t expected)
{
    return (int32_t)(step - expected) < 0;
}

// Waits for the packets of the cells below and above a column of the band; a wall sends none.
static __device__ __forceinline__ void receive(const Columns *next, int top, const Mail *mail, int none_below,
                                               int none_above, uint32_t step, int *timed_out)
{
    Wait wait = {timed_out, 0, 0};
    Packet below, above;
    do {
        below = load_packet(mail->from_below);
        above = load_packet(mail->from_above);
    } while (((!none_below && is_before(below.step, step)) || (!none_above && is_before(above.step, step))) &&
             keep_waiting(&wait));
    if (!none_below)
        next->own[2] = below.a, next->east[5] = below.b, next->west[6] = below.c;
    if (!none_above)
        next->own[top + 4] = above.a, next->west[top + 7] = above.b, next->east[top + 8] = above.c;
}

// Row n in the order in which rows are updated: the first and the last before all others, because their
// packets take long.
HOST_DEVICE int nth_row(int n, int rows)
{
    return n == 0 ? 0 : n == 1 ? rows - 1 : n - 1;
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
    const int blocks = gridDim.x, width = band.width, x = threadIdx.x, top = 9 * (band.rows - 1) * width;
    const int west = 9 * along_x(-1, x, width), east = 9 * along_x(1, x, width);
    const int receives = threadIdx.y == 0 && x < width;
    const int none_below = receives && band.links[x] >> 4 & 1,
              none_above = receives && band.links[top / 9 + x] >> 2 & 1;
    float *const a = band.now + 9 * x, *const b = band.next + 9 * x;
    Columns now = {a, a + west, a + east}, next = {b, b + west, b + east};
    Packet *const upward = packets + x, *const downward = upward + blocks * width;
    const int own = blockIdx.x * width, below = wrap(blockIdx.x - 1, blocks) * width,
              above = wrap(blockIdx.x + 1, blocks) * width;
    const int odd = (steps_before + 1) % 2 * 2 * blocks * width;
    Mail mail = {upward + odd + own, downward + odd + own, upward + odd + below, downward + odd + above};
    for (int n = 1; n <= steps; n++) {
        const uint32_t step = steps_before + n;
        for (int k = threadIdx.y; k < band.rows && x < width; k += blockDim.y)
            update(&band, &physics, &now, &next, nth_row(k, band.rows), &mail, step);
        if (receives)
            receive(&next, top, &mail, none_below, none_above, step, timed_out);
        __syncthreads();
        const Columns swap = now;
        now = next;
        next = swap;
        const int other =
            (step % 2 == 0 ? 2 : -2) * blocks * width; // from here to packets of the other parity
        mail.upward += other, mail.downward += other, mail.from_below += other, mail.from_above += other;
    }
    band.now = steps % 2 == 0 ? band.now : band.next;
    store_band(&band, &physics, f);
}
BLOCK_KERNEL(step_bands, Physics, const CellType *, float *, Packet *, uint32_t, int, int *);

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

// Shared memory that a block takes.
static size_t band_bytes(int width, int height)
{
    return most_rows(height) * (2 * 9 * sizeof(float) + sizeof(LinkMask)) * width;
}

static const char *unsupported(int width, int height)
{
    static char text[200];
    const size_t most = gpu_shared_bytes(), bytes = band_bytes(width, height);
    int square = 1;
    if (width <= BLOCK_THREADS && bytes <= most)
        return NULL;
    while (square < BLOCK_THREADS && band_bytes(square + 1, square + 1) <= most)
        square++;
    snprintf(
        text, sizeof text,
        "a row takes a thread of a block for each cell, of %d, and %d blocks take %zu KiB of shared memory "
        "each, of %zu on this device; it takes up to %d x %d",
        BLOCK_THREADS, blocks_for(height), (bytes + 1023) >> 10, most >> 10, square, square);
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
    solver->shared_bytes = band_bytes(width, height);
    const unsigned most = GPU_MOST_THREADS(step_bands), wide = (width + 31) / 32 * 32,
                   deep = wide < most ? most / wide : 1;
    const dim3 threads = {wide, rows < deep ? rows : deep, 1}, blocks = {(unsigned)blocks_for(height), 1, 1};
    solver->block = threads;
    solver->grid = blocks;

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float),
                 mail = (size_t)2 * 2 * blocks.x * width * sizeof(Packet);
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
        "the grid stays in shared memory; blocks exchange rows in packets that carry data and flag together",
    .lattice = &d2q9,
    .bytes_per_update = 73.0 / LAUNCH_STEPS, // 9 floats read and 9 written, 1 cell type, once in a launch
    .bytes_per_cell =
        101.0, // one grid of 9 floats, 1 cell type, 64 bytes of packets where a block has one row
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
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
