// D2Q9 BGK, resident on a cluster of thread blocks: a thread keeps a cell in shared memory, in two copies,
// for many steps; populations that leave a block are stored into the shared memory of the neighbouring one.
#include "gpu/cluster.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"
#include "host/allocate.h"
#include "lattice/pairs.h"
#include "stage/stage.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    LAUNCH_STEPS = 16384, // steps of a launch, few enough that the program still responds quickly
    BLOCK_THREADS = 1024, // threads of a block, at most
    WARP = 32             // threads of a warp
};

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    size_t shared_bytes; // of a block
    float *f;            // [9][height][width]: populations before the collision
    int *timed_out;
};

// The type and the links of a cell: bit i is set if population i meets a wall, bit MOVING + i if that wall
// moves; bits from TYPE on are the type. All are 0 in fluid without walls nearby.
typedef uint32_t LinkMask;
enum { MOVING = 8, TYPE = 17 };
#include "cluster_store.h" // TODO(1): no longer needed in the end

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

HOST_DEVICE int most_rows(int blocks, int height)
{
    return (height + blocks - 1) / blocks;
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

// The place of population 0 of a cell in shared memory, [rows * pitch / WARP][9][WARP]: one population of a
// warp's cells lies side by side, so that the warp stores it into another block's memory as a whole.
HOST_DEVICE int place(int row, int x, int pitch)
{
    const int cell = row * pitch + x;
    return cell / WARP * 9 * WARP + cell % WARP;
}

// TODO(1): a wait for all stores of the neighbours in a step, which can be given up
// TODO(2): the number of these bytes

static __global__ __launch_bounds__(BLOCK_THREADS, 1) void advance_cluster(Physics physics,
                                                                           const CellType *type, float *f,
                                                                           int steps, int *timed_out)
{
    SHARED(float, shared);
    const int blocks = gridDim.x, block = blockIdx.x, width = physics.width, height = physics.height;
    const int first = first_row(block, blocks, height), rows = first_row(block + 1, blocks, height) - first;
    const int x = threadIdx.x, y = threadIdx.y, pitch = blockDim.x;
    const int row = y < rows ? wrap(y - 1, rows) : y; // the edge rows first: they send
    const int one = x == 0 && row == 0;
    const int cell = place(row, x, pitch), west = place(row, wrap(x - 1, width), pitch) - cell,
              east = place(row, wrap(x + 1, width), pitch) - cell, up = 9 * pitch;
    const size_t cells = (size_t)width * height, there = (size_t)(first + row) * width + x;
    Mbarrier *const arrived = (Mbarrier *)shared;
    int now = 2 * sizeof(Mbarrier) / sizeof(float); // where in shared memory the copy is that is read
    int next = now + 9 * most_rows(blocks, height) * pitch;

    float rest = 0.0f; // the population that never leaves its thread
    LinkMask links = (LinkMask)WALL << TYPE;
    if (x < width && row < rows) {
        links = find_links(&physics, type, x, first + row);
        rest = f[at(there, 0, cells)];
        for (int i = 1; i < 9; i++)
            shared[now + cell + WARP * i] = f[at(there, i, cells)];
    }
    const CellType own_type = links >> TYPE;
    (void)one, (void)arrived, (void)timed_out; // TODO(1): make the two barriers

    const int above = wrap(block + 1, blocks), below = wrap(block - 1, blocks);
    const int last_below = first_row(below + 1, blocks, height) - first_row(below, blocks, height) - 1;
    const ClusterAddress first_above = map_shared(shared, above), first_below = map_shared(shared, below);
    cluster_sync();

    for (int n = 0; n < steps; n++) {
        // TODO(1): each step has its barrier, which expects so many bytes

        if (!is_wall(own_type)) {
            float g[9];
            g[0] = rest;
            for (int i = 1; i < 9; i++)
                g[i] = shared[now + cell + WARP * i];
            collide_in_pairs(g, own_type, first + row, &physics);
            float *const own = shared + next + cell;
            // TODO(1): stores that count their bytes on the neighbour's barrier
            // TODO(2): which cells of an outermost row send?
            if (row < rows - 1)
                own[up + WARP * 2] = g[2], own[up + east + WARP * 5] = g[5], own[up + west + WARP * 6] = g[6];
            else {
                const ClusterAddress to = first_above + 4 * (next + place(0, x, pitch));
                store_cluster(to + 4 * (WARP * 2), g[2]);
                store_cluster(to + 4 * (east + WARP * 5), g[5]);
                store_cluster(to + 4 * (west + WARP * 6), g[6]);
            }
            if (row > 0)
                own[WARP * 4 - up] = g[4], own[west + WARP * 7 - up] = g[7], own[east + WARP * 8 - up] = g[8];
            else {
                const ClusterAddress to = first_below + 4 * (next + place(last_below, x, pitch));
                store_cluster(to + 4 * (WARP * 4), g[4]);
                store_cluster(to + 4 * (west + WARP * 7), g[7]);
                store_cluster(to + 4 * (east + WARP * 8), g[8]);
            }

            rest = g[0], own[east + WARP] = g[1], own[west + WARP * 3] = g[3];
            if (links != 0) // populations in a wall, where no thread reads them, come back
                for (int i = 1; i < 9; i++)
                    if (links >> i & 1)
                        own[WARP * opposite(i)] =
                            g[i] + (links >> (MOVING + i) & 1 ? physics.wall_gain[i] : 0.0f);
        }
        cluster_sync(); // TODO(1): instead, the threads wait that need what the neighbours store

        const int swap = now;
        now = next;
        next = swap;
    }
    for (int i = 0; i < 9 && !is_wall(own_type); i++)
        f[at(there, i, cells)] = i > 0 ? shared[now + cell + WARP * i] : rest;
    cluster_sync(); // a block that gave up stays while others store into its shared memory
}
BLOCK_KERNEL(advance_cluster, Physics, const CellType *, float *, int, int *);

static int blocks_for(int height)
{
    const int most = GPU_CLUSTER_BLOCKS(advance_cluster);
    return height < most ? height : most;
}

// Threads of a block: whole warps for a row.
static dim3 threads_for(int width, int height)
{
    const dim3 threads = {(unsigned)(width + 31) / 32 * 32, (unsigned)most_rows(blocks_for(height), height),
                          1};
    return threads;
}

static int fits(int width, int height)
{
    const dim3 threads = threads_for(width, height);
    return (size_t)threads.x * threads.y <= (size_t)gpu_cluster_threads();
}

static const char *unsupported(int width, int height)
{
    static char text[200];
    if (GPU_CLUSTER_BLOCKS(advance_cluster) == 0)
        return "this device has no clusters of thread blocks; compute capability 9.0 has them";
    int square = 1;
    if (fits(width, height))
        return NULL;
    while (fits(square + 1, square + 1))
        square++;
    snprintf(text, sizeof text,
             "a cluster of %d blocks has %d threads, one for each cell of rows of whole warps; it takes up "
             "to %d x %d",
             GPU_CLUSTER_BLOCKS(advance_cluster), GPU_CLUSTER_BLOCKS(advance_cluster) * gpu_cluster_threads(),
             square, square);
    return text;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    const int width = scenario->width, height = scenario->height;
    dim3 unused, of_no_use; // the solver chooses its shape; invalid ones are refused as in every stage
    gpu_cover(scenario, block, &unused, &of_no_use);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->block = threads_for(width, height);
    const dim3 blocks = {(unsigned)blocks_for(height), 1, 1};
    solver->grid = blocks;
    solver->shared_bytes = 2 * sizeof(Mbarrier) + 2 * 9 * sizeof(float) * solver->block.x * solver->block.y;

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    gpu_need(bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->timed_out, sizeof(int)));
    CHECK(cudaMemset(solver->timed_out, 0, sizeof(int)));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    while (steps > 0) {
        const int now = steps < LAUNCH_STEPS ? steps : LAUNCH_STEPS;
        LAUNCH_CLUSTER(advance_cluster, solver->grid, solver->block, solver->shared_bytes,
                       solver->scenario->physics, solver->type, solver->f, now, solver->timed_out);
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
    CHECK(cudaFree(solver->timed_out));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "the grid stays in the shared memory of one cluster, whose blocks store into each other's",
    .lattice = &d2q9,
    .bytes_per_update = 73.0 / LAUNCH_STEPS, // 9 floats read and 9 written, 1 cell type, once in a launch
    .bytes_per_cell = 37.0,                  // one grid of 9 floats, 1 cell type
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
