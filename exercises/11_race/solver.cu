// D2Q9 BGK, one GPU thread a cell: structure of arrays, one grid, collision and streaming apart.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    Cell *type; // [height][width]
    dim3 grid, block;
    float *f; // [9][height][width]: populations now, before the collision
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// Collides in each cell.
static __global__ void collide_step(Physics physics, const Cell *__restrict__ type, float *__restrict__ grid)
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
        // TODO(1): must each population stay in its own slot?
        grid[at(cell, i, cells)] = f[i];
}

// Streams in place.
static __global__ void stream_step(Physics physics, const Cell *__restrict__ type, float *__restrict__ grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    if (is_wall(type[cell]))
        return;

    // TODO(2): a race. Which thread reads the population that this one overwrites, and when?
    for (int i = 1; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        grid[at(destination.cell, destination.direction, cells)] =
            grid[at(cell, i, cells)] + destination.gain;
    }
}

static Solver *create(const Scenario *scenario, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    gpu_need(bytes + cells);
    CHECK(cudaMalloc((void **)&solver->type, cells));
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMemcpy(solver->type, scenario->type, cells, cudaMemcpyHostToDevice));

    float *f = (float *)allocate(bytes);
    initial_populations(scenario, f);
    float *arrays = (float *)allocate(bytes);
    for (size_t cell = 0; cell < cells; cell++)
        for (int i = 0; i < 9; i++)
            arrays[at(cell, i, cells)] = f[9 * cell + i];
    CHECK(cudaMemcpy(solver->f, arrays, bytes, cudaMemcpyHostToDevice));
    free(arrays);
    free(f);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        LAUNCH(collide_step, solver->grid, solver->block, solver->scenario->physics, solver->type, solver->f);
        LAUNCH(stream_step, solver->grid, solver->block, solver->scenario->physics, solver->type, solver->f);
    }
    CHECK(cudaDeviceSynchronize());
}

static void read(const Solver *solver, float *f)
{
    const size_t cells = cell_count(solver->scenario), bytes = 9 * cells * sizeof(float);
    float *arrays = (float *)allocate(bytes);
    CHECK(cudaMemcpy(arrays, solver->f, bytes, cudaMemcpyDeviceToHost));
    for (size_t cell = 0; cell < cells; cell++)
        for (int i = 0; i < 9; i++)
            f[9 * cell + i] = arrays[at(cell, i, cells)];
    free(arrays);
}

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->type));
    CHECK(cudaFree(solver->f));
    free(solver);
}

const Stage STAGE = {
    STAGE_NAME,
    "one grid instead of two: streaming in place, in a kernel of its own",
    &d2q9,
    146.0,           // 9 floats read and 9 written, 1 cell type, and all that twice
    37.0,            // one grid of 9 floats, 1 cell type
    1.0 / (1 << 24), // half a unit in the last of 24 bits
    TO_NEAREST,      // ties to even
    1,               // step a cycle
    BGK_MAGIC_TAU,   // where half-way walls are exact
    create,
    advance,
    read,
    destroy,
};
