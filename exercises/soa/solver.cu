// D2Q9 BGK, one GPU thread a cell: structure of arrays, two grids, push streaming.
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
    // TODO(1): this is the array of structures, in which `cells` does not matter
    return 9 * cell + i + 0 * cells;
}

static __global__ void step(Physics physics, const CellType *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
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
    for (int n = 0; n < steps; n++) {
        LAUNCH(step, solver->grid, solver->block, solver->scenario->physics, solver->type, solver->f,
               solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    // TODO(2): population i of the cell is f[i]
    for (int i = 0; i < 9; i++)
        f[i] = solver->f[site->cell];
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    // TODO(3): store population i of the cell, f[i], where the kernel will look for it
    solver->f[site->cell] = f[0];
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
    .summary = "structure of arrays: neighbouring threads touch neighbouring addresses",
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
