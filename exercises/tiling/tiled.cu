// D2Q9 BGK, one GPU thread a cell: structure of arrays, two grids, push streaming through a tile in shared
// memory.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    float *f;    // [9][height][width]: populations now, before the collision
    float *next; // the same, one step later
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// Whether the neighbour in direction i of this thread's cell (x, y) belongs to the same block.
static __device__ int in_tile(const Physics *physics, int x, int y, int i)
{
    const int across = (int)threadIdx.x + ex(i), up = (int)threadIdx.y + ey(i);
    return across >= 0 && across < (int)blockDim.x && up >= 0 && up < (int)blockDim.y && x + ex(i) >= 0 &&
           x + ex(i) < physics->width && y + ey(i) >= 0 && y + ey(i) < physics->height;
}

static __global__ void step(Physics physics, const CellType *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
{
    SHARED(float, tile); // tile[i * threads + t]: population i that lands in the cell of thread t
    const int threads = blockDim.x * blockDim.y, t = threadIdx.y * blockDim.x + threadIdx.x;
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    const int works = x < physics.width && y < physics.height && !is_wall(type[cell]);

    int here[9] = {0}; // whether populations between this cell and its neighbour i stay in the block
    if (works) {
        float f[9];
        for (int i = 0; i < 9; i++)
            f[i] = from[at(cell, i, cells)];
        collide(f, type[cell], y, &physics);
        for (int i = 0; i < 9; i++) {
            const Destination destination = boundary(&physics, type, x, y, i);
            const int wall = destination.direction != i;
            here[i] = wall || in_tile(&physics, x, y, i);
            const int neighbour = t + ey(i) * (int)blockDim.x + ex(i);
            if (here[i])
                tile[destination.direction * threads + (wall ? t : neighbour)] = f[i] + destination.gain;
            else
                to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
        }
    }
    __syncthreads();
    for (int i = 0; i < 9; i++)
        if (here[i])
            to[at(cell, opposite(i), cells)] = tile[opposite(i) * threads + t];
}
BLOCK_KERNEL(step, Physics, const CellType *, const float *, float *);

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const size_t tile = 9 * sizeof(float) * solver->block.x * solver->block.y;
    for (int n = 0; n < steps; n++) {
        LAUNCH_BLOCKS(step, solver->grid, solver->block, tile, solver->scenario->physics, solver->type,
                      solver->f, solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
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
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "streaming within a block goes through a tile in shared memory",
    .lattice = &d2q9,
    .bytes_per_update = 73.0,   // 9 floats read and 9 written, 1 cell type
    .bytes_per_cell = 73.0,     // two grids of 9 floats, 1 cell type
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
};
