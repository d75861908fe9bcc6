// D2Q9 BGK: structure of arrays, two grids, push streaming, as in stage 02; one launch makes many steps,
// after each of which all its blocks wait for each other.
#include "gpu/counter.h"
#include "gpu/gpu.h"
#include "gpu/packet.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

enum { LAUNCH_STEPS = 1000, WARP = 32 }; // steps of a launch, at most

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    float *f;           // [9][height][width]: populations now, before the collision
    float *next;        // the same, one step later
    unsigned *arrivals; // how often a block has arrived at the barrier, since the launch began
    int *timed_out;
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// One step of one cell. Neither array is __restrict__: this launch reads what it has written.
static __device__ __forceinline__ void update(const Physics *physics, const CellType *type, const float *from,
                                              float *to, int cell)
{
    const size_t cells = (size_t)physics->width * physics->height;
    const int x = cell % physics->width, y = cell / physics->width;
    if (is_wall(type[cell]))
        return;

    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = from[at(cell, i, cells)];
    collide(f, type[cell], y, physics);
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(physics, type, x, y, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
}

// The barrier of all blocks. All threads call it, for the n-th time with n = 1, 2, ...; none returns before
// all have called it as often; then each sees all earlier writes of the others.
static __device__ __forceinline__ void wait_for_all_blocks(unsigned *arrivals, int n, int *timed_out)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        Wait wait = {timed_out, 0, 0};
        arrive(arrivals);
        while (load_arrivals(arrivals) < n * gridDim.x && keep_waiting(&wait))
            ;
    }
    __syncthreads();
}

// Makes some steps, the first from `from` to `to`, with any number of blocks and threads along x.
static __global__ void advance_grid(Physics physics, const CellType *type, float *from, float *to, int steps,
                                    unsigned *arrivals, int *timed_out)
{
    const int cells = physics.width * physics.height;
    for (int n = 1; n <= steps; n++) {
        for (int cell = blockIdx.x * blockDim.x + threadIdx.x; cell < cells; cell += gridDim.x * blockDim.x)
            update(&physics, type, from, to, cell);
        wait_for_all_blocks(arrivals, n, timed_out);
        float *const swap = from;
        from = to;
        to = swap;
    }
}
BLOCK_KERNEL(advance_grid, Physics, const CellType *, float *, float *, int, unsigned *, int *);

// Blocks and threads of a launch: all blocks are resident together, and no multiprocessor is idle if the grid
// has a warp of cells for each.
static void choose_shape(Solver *solver)
{
    const unsigned cells = (unsigned)cell_count(solver->scenario);
    const unsigned processors = gpu_multiprocessors(), most = GPU_MOST_THREADS(advance_grid);
    const unsigned warps = (cells + processors * WARP - 1) / (processors * WARP);
    const unsigned threads = warps * WARP < most ? warps * WARP : most,
                   needed = (cells + threads - 1) / threads;
    solver->block.x = threads;
    solver->grid.x = needed < processors ? needed : processors;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    const dim3 one = {1, 1, 1};
    dim3 unused, of_no_use; // the solver chooses its shape; invalid ones are refused as in every stage
    gpu_cover(scenario, block, &unused, &of_no_use);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->grid = solver->block = one;
    choose_shape(solver);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMalloc((void **)&solver->arrivals, sizeof(unsigned)));
    CHECK(cudaMalloc((void **)&solver->timed_out, sizeof(int)));
    CHECK(cudaMemset(solver->next, 0, bytes));
    CHECK(cudaMemset(solver->timed_out, 0, sizeof(int)));
    return solver;
}

// One launch, of at most LAUNCH_STEPS steps.
static void launch(Solver *solver, int steps)
{
    CHECK(cudaMemset(solver->arrivals, 0, sizeof(unsigned)));
    LAUNCH_COOPERATIVE(advance_grid, solver->grid, solver->block, 0, solver->scenario->physics, solver->type,
                       solver->f, solver->next, steps, solver->arrivals, solver->timed_out);
    if (steps % 2 == 1) {
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

static void advance(Solver *solver, int steps)
{
    while (steps > 0) {
        const int now = steps < LAUNCH_STEPS ? steps : LAUNCH_STEPS;
        launch(solver, now);
        steps -= now;
    }
    check_waits(solver->timed_out);
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
    CHECK(cudaFree(solver->arrivals));
    CHECK(cudaFree(solver->timed_out));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "one launch makes many steps, after each of which all blocks wait for each other",
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
