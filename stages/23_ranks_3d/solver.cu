// D3Q19 BGK, one GPU thread a cell: slabs of layers, one rank of MPI a slab, a ghost layer on each side, and
// the layers at the border first, so that messages travel while the other layers are computed.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d3q19.h"
#include "ranks/halo.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario; // the layers of this rank between two ghost layers, as a grid of its own
    const CellType *type;     // [depth][height][width]
    dim3 grid, block;
    float *f;    // [19][depth][height][width]: populations now, before the collision
    float *next; // the same, one step later
    Halo halo;   // messages of [5][height][width]; streams for the layers at the border, and between
};

// Layers `first`, first + apart, ..., up to `last`.
typedef struct {
    int first, last, apart;
} Layers;

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

static __global__ void step(Physics physics, Layers layers, const CellType *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = layers.first + blockIdx.z * layers.apart;
    if (x >= physics.width || y >= physics.height || z > layers.last)
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

// The directions that leave a slab: five up, five down.
HOST_DEVICE int halo_direction(int n)
{
    const int table[10] = {5, 11, 14, 15, 18, 6, 12, 13, 16, 17};
    return table[n];
}

// Copies the populations that were pushed into the ghost layers.
static __global__ void pack_halo(Physics physics, const float *__restrict__ to, float *__restrict__ outgoing)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t width = physics.width, layer = width * physics.height, cells = layer * physics.depth;
    const size_t place = y * width + x; // in a layer
    for (int n = 0; n < 10; n++)
        outgoing[n * layer + place] = to[at((n < 5 ? cells - layer : 0) + place, halo_direction(n), cells)];
}

// Copies the received populations into the outermost layers, except where a wall returns others.
static __global__ void unpack_halo(Physics physics, const CellType *__restrict__ type,
                                   const float *__restrict__ incoming, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t width = physics.width, layer = width * physics.height, cells = layer * physics.depth;
    const size_t place = y * width + x; // in a layer
    for (int n = 0; n < 10; n++) {
        const int i = halo_direction(n), z = n < 5 ? 1 : physics.depth - 2;
        const size_t cell = z * layer + place;
        const Destination origin = boundary(&physics, type, x, y, z, opposite(i));
        if (!is_wall(type[cell]) && origin.cell != cell)
            to[at(cell, i, cells)] = incoming[n * layer + place];
    }
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 19 * cells * sizeof(float);
    const size_t message = 5 * cells_of_layer(scenario); // floats
    gpu_need(2 * bytes + halo_bytes(message));
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    create_halo(&solver->halo, message);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Halo *halo = &solver->halo;
    const dim3 block = solver->block, one = {solver->grid.x, solver->grid.y, 1},
               two = {solver->grid.x, solver->grid.y, 2};
    const Physics physics = solver->scenario->physics;
    const int last = physics.depth - 2;
    const Layers outer = {1, last, last > 1 ? last - 1 : 1}, inner = {2, last - 1, 1};
    for (int n = 0; n < steps; n++) {
        LAUNCH_ON(halo->outer, step, two, block, physics, outer, solver->type, solver->f, solver->next);
        LAUNCH_ON(halo->outer, pack_halo, one, block, physics, solver->next, halo->buffer);
        LAUNCH_ON(halo->inner, step, solver->grid, block, physics, inner, solver->type, solver->f,
                  solver->next);
        const float *incoming = exchange_halo(halo);
        LAUNCH_ON(halo->outer, unpack_halo, one, block, physics, solver->type, incoming, solver->next);
        join_streams(halo);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 19; i++)
        f[i] = solver->f[at(site->cell, i, site->cells)];
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 19; i++)
        solver->f[at(site->cell, i, site->cells)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    destroy_halo(&solver->halo);
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "many GPUs in space: slabs of layers, whose messages travel while inner layers are computed",
    .lattice = &d3q19,
    .bytes_per_update = 153.0,  // 19 floats read and 19 written, 1 cell type
    .bytes_per_cell = 153.0,    // two grids of 19 floats, 1 cell type
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
