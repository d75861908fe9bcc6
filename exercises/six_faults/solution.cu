// D2Q9 BGK, one GPU thread a cell, the threads numbered like the cells: structure of arrays, two grids, push
// streaming.
#include "gpu/unchecked_launch.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    float *grids; // [2][9][height][width]: room for the populations of two grids
    float *f;     // in one of them: populations now, before the collision
    float *next;  // in the other: the same, one step later
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

static __global__ void step(Physics physics, const CellType *__restrict__ type, const float *from, float *to)
{
    const CellNumber n = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t cells = (size_t)physics.width * physics.height;
    if (n >= cells)
        return;
    const int x = n % physics.width, y = n / physics.width;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    if (is_wall(type[cell]))
        return;
    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = from[at(cell, i, cells)];
    collide(f, type[cell], y, &physics);
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);
    solver->block.x = block.x * block.y; // one row of threads, and one row of blocks
    solver->grid.x = (unsigned)((cells + solver->block.x - 1) / solver->block.x);
    solver->block.y = solver->grid.y = 1;
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->grids, 2 * bytes));
    solver->f = solver->grids;
    solver->next = solver->grids + 9 * cells;
    CHECK(cudaMemset(solver->next, 0, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        float *from = solver->f, *to = solver->next;
        LAUNCH(step, solver->grid, solver->block, solver->scenario->physics, solver->type, from, to);
        solver->f = to;
        solver->next = from;
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
    CHECK(cudaFree(solver->grids));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "threads numbered like the cells",
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
