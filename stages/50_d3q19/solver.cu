// D3Q19 BGK, one GPU thread a cell: structure of arrays, two grids, push streaming.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d3q19.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    Cell *type; // [depth][height][width]
    dim3 grid, block;
    float *f;    // [19][depth][height][width]: populations now, before the collision
    float *next; // the same, one step later
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

static __global__ void step(Physics physics, const Cell *__restrict__ type, const float *__restrict__ from,
                            float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height * physics.depth;
    const CellNumber cell = ((CellNumber)z * physics.height + y) * physics.width + x;
    if (is_wall(type[cell]))
        return;

    float f[19];
    for (int i = 0; i < 19; i++)
        f[i] = from[at(cell, i, cells)];
    collide(f, type[cell], y, &physics);
    for (int i = 0; i < 19; i++) {
        const Destination destination = boundary(&physics, type, x, y, z, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
}

static Solver *create(const Scenario *scenario, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 19 * cells * sizeof(float);
    gpu_need(2 * bytes + cells);
    CHECK(cudaMalloc((void **)&solver->type, cells));
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemcpy(solver->type, scenario->type, cells, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(solver->next, 0, bytes));

    const size_t layer = cells_of_layer(scenario); // the host holds one at a time
    float *f = (float *)allocate(19 * layer * sizeof(float));
    float *arrays = (float *)allocate(19 * layer * sizeof(float));
    for (size_t begin = 0; begin < cells; begin += layer) {
        population_layers(scenario, (int)(begin / layer), 1, scenario->type + begin, f);
        for (size_t cell = 0; cell < layer; cell++)
            for (int i = 0; i < 19; i++)
                arrays[at(cell, i, layer)] = f[19 * cell + i];
        for (int i = 0; i < 19; i++)
            CHECK(cudaMemcpy(solver->f + at(begin, i, cells), arrays + at(0, i, layer), layer * sizeof(float),
                             cudaMemcpyHostToDevice));
    }
    free(arrays);
    free(f);
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
    CHECK(cudaDeviceSynchronize());
}

static void read(const Solver *solver, float *f)
{
    const size_t cells = cell_count(solver->scenario), bytes = 19 * cells * sizeof(float);
    float *arrays = (float *)allocate(bytes);
    CHECK(cudaMemcpy(arrays, solver->f, bytes, cudaMemcpyDeviceToHost));
    for (size_t cell = 0; cell < cells; cell++)
        for (int i = 0; i < 19; i++)
            f[19 * cell + i] = arrays[at(cell, i, cells)];
    free(arrays);
}

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->type));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    STAGE_NAME,
    "a third dimension: 19 populations, and cells along z",
    &d3q19,
    153.0,           // 19 floats read and 19 written, 1 cell type
    153.0,           // two grids of 19 floats, 1 cell type
    1.0 / (1 << 24), // half a unit in the last of 24 bits
    TO_NEAREST,      // ties to even
    1,               // step a cycle
    BGK_MAGIC_TAU,   // where half-way walls are exact
    create,
    advance,
    read,
    destroy,
};
