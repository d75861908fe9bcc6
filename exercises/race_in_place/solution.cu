// D2Q9 BGK, one GPU thread a cell: structure of arrays, one grid, collision and streaming apart.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    float *f; // [9][height][width]: populations now, before the collision
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// Collides in each cell.
static __global__ void collide_step(Physics physics, const CellType *__restrict__ type,
                                    float *__restrict__ grid)
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
        f[i] = grid[at(cell, i, cells)];
    collide(f, type[cell], y, &physics);
    for (int i = 0; i < 9; i++)
        grid[at(cell, opposite(i), cells)] = f[i]; // in the slot that its partner on the link will take
}

// Streams in place.
static __global__ void stream_step(Physics physics, const CellType *__restrict__ type,
                                   float *__restrict__ grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    if (is_wall(type[cell]))
        return;

    // the two populations on a link between two cells change places
    for (int i = 1; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        const size_t slot = at(destination.cell, destination.direction, cells),
                     own = at(cell, opposite(i), cells);
        if (slot == own) // a wall sent it back: it lies where it lands
            grid[slot] += destination.gain;
        else if (i < opposite(i)) { // one of the two threads at this link does it
            const float swap = grid[slot];
            grid[slot] = grid[own];
            grid[own] = swap;
        }
    }
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    gpu_need(bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        LAUNCH(collide_step, solver->grid, solver->block, solver->scenario->physics, solver->type, solver->f);
        LAUNCH(stream_step, solver->grid, solver->block, solver->scenario->physics, solver->type, solver->f);
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
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "one grid instead of two: streaming in place, in a kernel of its own",
    .lattice = &d2q9,
    .bytes_per_update = 146.0,  // 9 floats read and 9 written, 1 cell type, and all that twice
    .bytes_per_cell = 37.0,     // one grid of 9 floats, 1 cell type
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
