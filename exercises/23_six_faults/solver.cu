// D2Q9 BGK, one GPU thread a cell, the threads numbered like the cells: structure of arrays, two grids, push
// streaming.
#include "gpu/unchecked_launch.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    Cell *type; // [height][width]
    dim3 grid, block;
    float *grids; // [2][9][height][width]: room for the populations of two grids
    float *f;     // in one of them: populations now, before the collision
    float *next;  // in the other: the same, one step later
};

// Structure of arrays: one population of neighbouring cells lies side by side.
// TODO(1): nothing, one fault or two?
HOST_DEVICE size_t at(int cell, int i, int cells)
{
    return i * cells + cell;
}

// TODO(2): nothing, one fault or two?
static __global__ void step(Physics physics, const Cell *__restrict__ type, const float *from, float *to)
{
    const CellNumber n = blockIdx.x * blockDim.x + threadIdx.x;
    const size_t cells = (size_t)physics.width * physics.height;
    if (n > cells)
        return;
    const int x = n % physics.width, y = n / physics.height;
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

// TODO(3): nothing, one fault or two?
static Solver *create(const Scenario *scenario, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    solver->scenario = scenario;
    gpu_cover(scenario, block, &solver->grid, &solver->block);
    solver->block.x = block.x * block.y; // one row of threads, and one row of blocks
    solver->grid.x = (unsigned)((cells + solver->block.x - 1) / solver->block.x);
    solver->block.y = solver->grid.y = 1;
    gpu_need(2 * bytes + cells);
    CHECK(cudaMalloc((void **)&solver->type, cells));
    CHECK(cudaMalloc((void **)&solver->grids, 2 * bytes));
    solver->f = solver->grids;
    solver->next = solver->grids + 9 * cells;
    CHECK(cudaMemcpy(solver->type, scenario->type, cells, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(solver->next, 0, bytes));
    float *f = (float *)allocate(bytes), *arrays = (float *)allocate(bytes);
    initial_populations(scenario, f);
    for (size_t cell = 0; cell < cells; cell++)
        for (int i = 0; i < 9; i++)
            arrays[at(cell, i, cells)] = f[9 * cell + i];
    CHECK(cudaMemcpy(solver->f, arrays, bytes, cudaMemcpyHostToDevice));
    free(arrays);
    free(f);
    return solver;
}

// TODO(4): nothing, one fault or several?
static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        float *from = solver->f, *to = solver->f;
        UNCHECKED_LAUNCH(step, solver->block, solver->grid, solver->scenario->physics, solver->type, from,
                         to);
        solver->f = to;
        solver->next = from;
    }
    CHECK(cudaDeviceSynchronize());
}

// TODO(5): nothing, one fault or two?
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
    CHECK(cudaFree(solver->grids));
    free(solver);
}

const Stage STAGE = {
    STAGE_NAME,
    "threads numbered like the cells",
    &d2q9,
    73.0,            // 9 floats read and 9 written, 1 cell type
    73.0,            // two grids of 9 floats, 1 cell type
    1.0 / (1 << 24), // half a unit in the last of 24 bits
    TO_NEAREST,      // ties to even
    1,               // step a cycle
    BGK_MAGIC_TAU,   // where half-way walls are exact
    create,
    advance,
    read,
    destroy,
};
