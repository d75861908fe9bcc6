// D2Q9 BGK, one GPU thread a cell: structure of arrays, two grids, push streaming; many launches in a graph,
// each of which begins before the one before it ends.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/pairs.h"
#include "stage/stage.h"

#include <stdlib.h>

enum { GRAPH_STEPS = 200 }; // even, so that a graph ends in the array where it began

struct Solver {
    const Scenario *scenario;
    Cell *type; // [height][width]
    dim3 grid, block;
    float *f[2]; // [9][height][width]: populations before the collision, now in f[steps % 2]
    long steps;  // so far
    cudaStream_t stream;
    cudaGraphExec_t graph; // GRAPH_STEPS steps, from f[0]
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// No pointer is __restrict__: the kernel before this one still writes to `from` when this one begins, and the
// loads of types that never change would be moved below the wait.
static __global__ void step(Physics physics, const Cell *type, const float *from, float *to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    const Cell own = type[cell];
    Destination destination[9];
    for (int i = 0; i < 9; i++)
        destination[i] = boundary(&physics, type, x, y, i);

    grid_dependency_sync(); // no code above depends on the step before
    if (is_wall(own))
        return;
    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = from[at(cell, i, cells)];
    trigger_dependent_launch();
    collide_in_pairs(f, own, y, &physics);
    for (int i = 0; i < 9; i++)
        to[at(destination[i].cell, destination[i].direction, cells)] = f[i] + destination[i].gain;
}
BLOCK_KERNEL(step, Physics, const Cell *, const float *, float *);

static void launch_step(const Solver *solver, long n)
{
    LAUNCH_DEPENDENT(solver->stream, step, solver->grid, solver->block, solver->scenario->physics,
                     solver->type, solver->f[n % 2], solver->f[(n + 1) % 2]);
}

static void create_graph(Solver *solver)
{
    cudaGraph_t graph;
    CHECK(cudaStreamCreateWithFlags(&solver->stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(solver->stream, cudaStreamCaptureModeGlobal));
    for (long n = 0; n < GRAPH_STEPS; n++)
        launch_step(solver, n);
    CHECK(cudaStreamEndCapture(solver->stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&solver->graph, graph, 0));
    CHECK(cudaGraphDestroy(graph));
}

static Solver *create(const Scenario *scenario, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    gpu_need(2 * bytes + cells);
    CHECK(cudaMalloc((void **)&solver->type, cells));
    CHECK(cudaMalloc((void **)&solver->f[0], bytes));
    CHECK(cudaMalloc((void **)&solver->f[1], bytes));
    CHECK(cudaMemcpy(solver->type, scenario->type, cells, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(solver->f[1], 0, bytes));
    create_graph(solver);

    float *f = (float *)allocate(bytes);
    initial_populations(scenario, f);
    float *arrays = (float *)allocate(bytes);
    for (size_t cell = 0; cell < cells; cell++)
        for (int i = 0; i < 9; i++)
            arrays[at(cell, i, cells)] = f[9 * cell + i];
    CHECK(cudaMemcpy(solver->f[0], arrays, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize()); // the stream does not wait for copies
    free(arrays);
    free(f);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    while (steps > 0) {
        const int whole = steps >= GRAPH_STEPS && solver->steps % 2 == 0;
        if (whole)
            CHECK(cudaGraphLaunch(solver->graph, solver->stream));
        else
            launch_step(solver, solver->steps);
        solver->steps += whole ? GRAPH_STEPS : 1;
        steps -= whole ? GRAPH_STEPS : 1;
    }
    CHECK(cudaStreamSynchronize(solver->stream));
}

static void read(const Solver *solver, float *f)
{
    const size_t cells = cell_count(solver->scenario), bytes = 9 * cells * sizeof(float);
    float *arrays = (float *)allocate(bytes);
    CHECK(cudaMemcpy(arrays, solver->f[solver->steps % 2], bytes, cudaMemcpyDeviceToHost));
    for (size_t cell = 0; cell < cells; cell++)
        for (int i = 0; i < 9; i++)
            f[9 * cell + i] = arrays[at(cell, i, cells)];
    free(arrays);
}

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->type));
    CHECK(cudaFree(solver->f[0]));
    CHECK(cudaFree(solver->f[1]));
    CHECK(cudaGraphExecDestroy(solver->graph));
    CHECK(cudaStreamDestroy(solver->stream));
    free(solver);
}

const Stage STAGE = {
    STAGE_NAME,
    "many launches in a CUDA graph, each of which begins before the one before it ends",
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
