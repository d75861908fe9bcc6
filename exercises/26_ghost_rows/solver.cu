// D2Q9 BGK, one GPU thread a cell: slabs of rows, one rank of MPI a slab, a ghost row on each side.
#include "allocate.h"
#include "d2q9.h"
#include "gpu.h"
#include "on_all_ranks.h"
#include "plain_mpi.h"
#include "stage.h"

#include <stdlib.h>

struct Solver {
    Scenario slab; // the rows of this rank between two ghost rows, as a grid of its own
    dim3 grid, block;
    Cell *type;
    float *f;       // populations now, before the collision
    float *next;    // the same, one step later
    float *border;  // six rows of populations that leave, three up and three down; then six that arrive
    float *message; // where MPI takes and puts them: there, or in pinned memory of the host
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HD size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

static __global__ void step(Physics physics, const Cell *__restrict__ type, const float *__restrict__ from,
                            float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= physics.width || y >= physics.height - 1)
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
        const Landing landing = boundary(&physics, type, x, y, i);
        to[at(landing.cell, landing.direction, cells)] = f[i] + landing.gain;
    }
}

// The directions that leave a slab: three up, three down.
HD int crossing(int n)
{
    const int table[6] = {2, 5, 6, 4, 7, 8};
    return table[n];
}

// Takes what was pushed into the ghost rows.
static __global__ void leave(Physics physics, const float *__restrict__ to, float *__restrict__ leaving)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= physics.width)
        return;
    const size_t width = physics.width, cells = width * physics.height;
    for (int n = 0; n < 6; n++)
        // TODO(1): from where? This is the ghost row below
        leaving[n * width + x] = to[at(x, crossing(n), cells)];
}

// Puts what the neighbours pushed into theirs where it belongs, unless a wall sends something else there.
static __global__ void arrive(Physics physics, const Cell *__restrict__ type,
                              const float *__restrict__ arriving, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= physics.width)
        return;
    const size_t width = physics.width, cells = width * physics.height;
    for (int n = 0; n < 6; n++) {
        // TODO(3): where to, and where not? This is the ghost row below
        if (!is_wall(type[x]))
            to[at(x, crossing(n), cells)] = arriving[n * width + x];
    }
}

// Sends what leaves and returns what arrives, both in device memory.
static const float *trade(Solver *solver)
{
    // TODO(2): the numbers of the ranks above and below
    const int ranks = rank_count();

    const int count = 3 * solver->slab.width;
    const size_t bytes = 2 * count * sizeof(float);
    float *arriving = solver->border + 2 * count, *out = solver->message, *in = out + 2 * count;
    if (ranks == 1)
        return solver->border; // the grid is periodic: what goes up comes from below
    if (out != solver->border)
        CHECK(cudaMemcpy(out, solver->border, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    // TODO(2): the messages; `count` numbers each. `out` goes up, `out + count` goes down

    if (in != arriving)
        CHECK(cudaMemcpy(arriving, in, bytes, cudaMemcpyHostToDevice));
    return arriving;
}

static Solver *create(const Scenario *scenario, const Slab *rows, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    Scenario *slab = &solver->slab;
    *slab = *scenario;
    slab->height = slab->physics.height = rows->count + 2;
    slab->physics.open_centre -= rows->first - 1;
    gpu_choose(rank_on_host());
    gpu_cover(slab, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(slab), bytes = 9 * cells * sizeof(float);
    const size_t border = 12 * slab->width * sizeof(float);
    gpu_need(2 * bytes + cells + border);
    CHECK(cudaMalloc((void **)&solver->type, cells));
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemcpy(solver->type, rows->type, cells, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(solver->next, 0, bytes));
    CHECK(cudaMalloc((void **)&solver->border, border));
    solver->message = solver->border;
    if (!mpi_takes_device_memory())
        CHECK(cudaMallocHost((void **)&solver->message, border));

    float *f = (float *)allocate(bytes);
    population_rows(scenario, rows->first - 1, rows->count + 2, rows->type, f);
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
    const dim3 line = {solver->grid.x, 1, 1}, threads = {solver->block.x, 1, 1};
    const Physics physics = solver->slab.physics;
    for (int n = 0; n < steps; n++) {
        LAUNCH(step, solver->grid, solver->block, physics, solver->type, solver->f, solver->next);
        LAUNCH(leave, line, threads, physics, solver->next, solver->border);
        const float *arriving = trade(solver);
        LAUNCH(arrive, line, threads, physics, solver->type, arriving, solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
    CHECK(cudaDeviceSynchronize());
}

static void read(const Solver *solver, float *f)
{
    const size_t cells = cell_count(&solver->slab), width = solver->slab.width,
                 bytes = 9 * cells * sizeof(float);
    float *arrays = (float *)allocate(bytes);
    CHECK(cudaMemcpy(arrays, solver->f, bytes, cudaMemcpyDeviceToHost));
    for (size_t cell = width; cell < cells - width; cell++)
        for (int i = 0; i < 9; i++)
            f[9 * (cell - width) + i] = arrays[at(cell, i, cells)];
    free(arrays);
}

static void destroy(Solver *solver)
{
    if (solver->message != solver->border)
        CHECK(cudaFreeHost(solver->message));
    CHECK(cudaFree(solver->border));
    CHECK(cudaFree(solver->type));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

static const Part part = {&STAGE, 1, create, advance, read, destroy};

static Solver *create_part(const Scenario *scenario, Block block)
{
    return create_on_all_ranks(&part, scenario, block);
}

const Stage STAGE = {
    STAGE_NAME,
    "many GPUs: each holds some rows and, after each step, sends what leaves them",
    73.0,            // 9 floats read and 9 written, 1 cell type
    73.0,            // two grids of 9 floats, 1 cell type
    1.0 / (1 << 24), // half a unit in the last of 24 digits
    TO_NEAREST,      // ties to even
    1,               // step a pass
    BGK_WALL_TAU,    // where half-way walls are exact
    create_part,
    advance_on_all_ranks,
    read_on_all_ranks,
    destroy_on_all_ranks,
};
