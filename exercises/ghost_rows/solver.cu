// D2Q9 BGK, one GPU thread a cell: slabs of rows, one rank of MPI a slab, a ghost row on each side.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "ranks/plain_mpi.h"
#include "ranks/ranks.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario; // the rows of this rank between two ghost rows, as a grid of its own
    const CellType *type;     // [height][width]
    dim3 grid, block;
    float *f;           // [9][height][width]: populations now, before the collision
    float *next;        // the same, one step later
    float *halo_buffer; // [12][width]: outgoing populations, three up and three down; then the incoming ones
    float *staging;     // [12][width]: the same for MPI: halo_buffer itself, or pinned memory of the host
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

static __global__ void step(Physics physics, const CellType *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
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
        const Destination destination = boundary(&physics, type, x, y, i);
        to[at(destination.cell, destination.direction, cells)] = f[i] + destination.gain;
    }
}

// The directions that leave a slab: three up, three down.
HOST_DEVICE int halo_direction(int n)
{
    const int table[6] = {2, 5, 6, 4, 7, 8};
    return table[n];
}

// Copies the populations that were pushed into the ghost rows.
static __global__ void pack_halo(Physics physics, const float *__restrict__ to, float *__restrict__ outgoing)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= physics.width)
        return;
    const size_t width = physics.width, cells = width * physics.height;
    for (int n = 0; n < 6; n++)
        // TODO(1): from which row? This is the ghost row below
        outgoing[n * width + x] = to[at(x, halo_direction(n), cells)];
}

// Copies the received populations into the outermost rows, except where a wall returns others.
static __global__ void unpack_halo(Physics physics, const CellType *__restrict__ type,
                                   const float *__restrict__ incoming, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= physics.width)
        return;
    const size_t width = physics.width, cells = width * physics.height;
    for (int n = 0; n < 6; n++) {
        // TODO(3): to which row, and in which cells? This is the ghost row below
        if (!is_wall(type[x]))
            to[at(x, halo_direction(n), cells)] = incoming[n * width + x];
    }
}

// Sends the outgoing populations and returns the incoming ones, both in device memory.
static const float *exchange_halo(Solver *solver)
{
    // TODO(2): the numbers of the ranks above and below
    const int ranks = rank_count();

    const int count = 3 * solver->scenario->width;
    const size_t bytes = 2 * count * sizeof(float);
    float *incoming = solver->halo_buffer + 2 * count, *out = solver->staging, *in = out + 2 * count;
    if (ranks == 1)
        return solver->halo_buffer; // the grid is periodic: populations sent up arrive from below
    if (out != solver->halo_buffer)
        CHECK(cudaMemcpy(out, solver->halo_buffer, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaDeviceSynchronize());
    // TODO(2): the messages; `count` numbers each. `out` goes up, `out + count` goes down

    if (in != incoming)
        CHECK(cudaMemcpy(incoming, in, bytes, cudaMemcpyHostToDevice));
    return incoming;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(float);
    const size_t halo_buffer = 12 * scenario->width * sizeof(float);
    gpu_need(2 * bytes + halo_buffer);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    CHECK(cudaMalloc((void **)&solver->halo_buffer, halo_buffer));
    solver->staging = solver->halo_buffer;
    if (!mpi_takes_device_memory())
        CHECK(cudaMallocHost((void **)&solver->staging, halo_buffer));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const dim3 line = {solver->grid.x, 1, 1}, threads = {solver->block.x, 1, 1};
    const Physics physics = solver->scenario->physics;
    for (int n = 0; n < steps; n++) {
        LAUNCH(step, solver->grid, solver->block, physics, solver->type, solver->f, solver->next);
        LAUNCH(pack_halo, line, threads, physics, solver->next, solver->halo_buffer);
        const float *incoming = exchange_halo(solver);
        LAUNCH(unpack_halo, line, threads, physics, solver->type, incoming, solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
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
    if (solver->staging != solver->halo_buffer)
        CHECK(cudaFreeHost(solver->staging));
    CHECK(cudaFree(solver->halo_buffer));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "many GPUs: each holds some rows and, after each step, sends the populations that leave them",
    .lattice = &d2q9,
    .bytes_per_update = 73.0,   // 9 floats read and 9 written, 1 cell type
    .bytes_per_cell = 73.0,     // two grids of 9 floats, 1 cell type
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .home = ON_DEVICE,
    .ghosts = 1,
    .ghosts_alone = 1,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
