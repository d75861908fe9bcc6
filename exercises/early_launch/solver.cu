// D2Q9 BGK, one GPU thread a cell: structure of arrays, two grids, push streaming; many launches in a graph,
// each of which begins before the one before it ends.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/pairs.h"
#include "stage/stage.h"

#include <stdlib.h>

// TODO(3): how many steps has a graph?
enum { GRAPH_STEPS = 1 };

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

// TODO(1): let this kernel begin before the step before it ends. Run as much as allowed before the wait.
// TODO(2): a kernel that LAUNCH_DEPENDENT launches needs a BLOCK_KERNEL
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
    collide_in_pairs(f, type[cell], y, &physics);
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
}

static void launch_step(const Solver *solver, long n)
{
    // TODO(2): a launch that may begin before the one before it ends
    LAUNCH_ON(solver->stream, step, solver->grid, solver->block, solver->scenario->physics, solver->type,
              solver->f[n % 2], solver->f[(n + 1) % 2]);
}

static void create_graph(Solver *solver)
{
    // TODO(3): capture the launches of GRAPH_STEPS steps, the first one from f[0]; solver->graph makes them
    CHECK(cudaStreamCreateWithFlags(&solver->stream, cudaStreamDefault));
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
    // TODO(4): whole graphs where they fit, and single launches for the other steps
    for (int n = 0; n < steps; n++)
        launch_step(solver, solver->steps++);
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
    // TODO(3): destroy the graph, too
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
