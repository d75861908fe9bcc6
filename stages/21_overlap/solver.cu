// D2Q9 BGK, one GPU thread a cell: slabs of rows, one rank of MPI a slab, a ghost row on each side, and
// the rows at the border first, so that messages travel while the other rows are at work.
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
    cudaStream_t outer, inner;          // for the rows at the border, and for those between them
    cudaEvent_t outer_done, inner_done; // a step of theirs
};

// Rows `first`, first + apart, ..., up to `last`.
typedef struct {
    int first, last, apart;
} Rows;

// Structure of arrays: one population of neighbouring cells lies side by side.
HD size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

static __global__ void step(Physics physics, Rows rows, const Cell *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = rows.first + (blockIdx.y * blockDim.y + threadIdx.y) * rows.apart;
    if (x >= physics.width || y > rows.last)
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
        leaving[n * width + x] = to[at((n < 3 ? cells - width : 0) + x, crossing(n), cells)];
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
        const int i = crossing(n), y = n < 3 ? 1 : physics.height - 2;
        const size_t cell = y * width + x;
        const Landing origin = boundary(&physics, type, x, y, opposite(i));
        if (!is_wall(type[cell]) && origin.cell != cell)
            to[at(cell, i, cells)] = arriving[n * width + x];
    }
}

enum { UP, DOWN }; // messages

// Sends what leaves and returns what arrives, both in device memory.
static const float *trade(Solver *solver)
{
    const int ranks = rank_count(), above = (this_rank() + 1) % ranks,
              below = (this_rank() + ranks - 1) % ranks;
    const int count = 3 * solver->slab.width;
    const size_t bytes = 2 * count * sizeof(float);
    float *arriving = solver->border + 2 * count, *out = solver->message, *in = out + 2 * count;
    if (ranks == 1)
        return solver->border; // the grid is periodic: what goes up comes from below
    if (out != solver->border)
        CHECK(cudaMemcpyAsync(out, solver->border, bytes, cudaMemcpyDeviceToHost, solver->outer));
    CHECK(cudaStreamSynchronize(solver->outer));
    MPI_Request requests[4];
    MPI_Irecv(in, count, MPI_FLOAT, below, UP, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(in + count, count, MPI_FLOAT, above, DOWN, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(out, count, MPI_FLOAT, above, UP, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(out + count, count, MPI_FLOAT, below, DOWN, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    if (in != arriving)
        CHECK(cudaMemcpyAsync(arriving, in, bytes, cudaMemcpyHostToDevice, solver->outer));
    return arriving;
}

// Streams that wait neither for the copies in `create` nor for each other. Where blocks of both could start,
// those of `outer` do.
static void create_streams(Solver *solver)
{
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamCreateWithPriority(&solver->outer, cudaStreamNonBlocking, -1));
    CHECK(cudaStreamCreateWithFlags(&solver->inner, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&solver->outer_done, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&solver->inner_done, cudaEventDisableTiming));
}

// From now on each of the two streams waits for the other one.
static void join(Solver *solver)
{
    CHECK(cudaEventRecord(solver->outer_done, solver->outer));
    CHECK(cudaEventRecord(solver->inner_done, solver->inner));
    CHECK(cudaStreamWaitEvent(solver->outer, solver->inner_done, 0));
    CHECK(cudaStreamWaitEvent(solver->inner, solver->outer_done, 0));
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
    create_streams(solver);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const dim3 line = {solver->grid.x, 1, 1}, two = {solver->grid.x, 2, 1}, threads = {solver->block.x, 1, 1};
    const Physics physics = solver->slab.physics;
    const int last = physics.height - 2;
    const Rows outer = {1, last, last > 1 ? last - 1 : 1}, inner = {2, last - 1, 1};
    for (int n = 0; n < steps; n++) {
        LAUNCH_ON(solver->outer, step, two, threads, physics, outer, solver->type, solver->f, solver->next);
        LAUNCH_ON(solver->outer, leave, line, threads, physics, solver->next, solver->border);
        LAUNCH_ON(solver->inner, step, solver->grid, solver->block, physics, inner, solver->type, solver->f,
                  solver->next);
        const float *arriving = trade(solver);
        LAUNCH_ON(solver->outer, arrive, line, threads, physics, solver->type, arriving, solver->next);
        join(solver);
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
    CHECK(cudaStreamDestroy(solver->outer));
    CHECK(cudaStreamDestroy(solver->inner));
    CHECK(cudaEventDestroy(solver->outer_done));
    CHECK(cudaEventDestroy(solver->inner_done));
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
    "what crosses the border of two GPUs travels while the rows between are at work",
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
