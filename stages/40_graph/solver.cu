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
    const CellType *type; // [height][width]
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
static __global__ void step(Physics physics, const CellType *type, const float *from, float *to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    const CellType own = type[cell];
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
BLOCK_KERNEL(step, Physics, const CellType *, const float *, float *);

static void launch_step(const Solver *solver, long n)
{
    LAUNCH_DEPENDENT(solver->stream, step, solver->grid, solver->block, solver->scenario->physics,
                     solver->type, solver->f[n % 2], solver->f[(n + 1) % 2]);
}

static void create_graph(Solver *solver)
{
    cudaGraph_t graph;
    CHECK(cudaStreamCreateWithFlags(&solver->stream, cudaStreamDefault));
    CHECK(cudaStreamBeginCapture(solver->stream, cudaStreamCaptureModeGlobal));
    for (long n = 0; n < GRAPH_STEPS; n++)
        launch_step(solver, n);
    CHECK(cudaStreamEndCapture(solver->stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&solver->graph, graph, 0));
    CHECK(cudaGraphDestroy(graph));
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->f[0], bytes));
    CHECK(cudaMalloc((void **)&solver->f[1], bytes));
    CHECK(cudaMemset(solver->f[1], 0, bytes));
    create_graph(solver);
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
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        f[i] = solver->f[solver->steps % 2][at(site->cell, i, site->cells)];
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[solver->steps % 2][at(site->cell, i, site->cells)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->f[0]));
    CHECK(cudaFree(solver->f[1]));
    CHECK(cudaGraphExecDestroy(solver->graph));
    CHECK(cudaStreamDestroy(solver->stream));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "many launches in a CUDA graph, each of which begins before the one before it ends",
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
