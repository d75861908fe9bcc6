// D2Q9 BGK, one GPU thread a cell: structure of arrays, one grid, in-place streaming (AA), 16-bit storage.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    // After an even number of steps, populations before the collision; else after it, in opposite slots.
    uint16_t *f; // [9][height][width]
    long steps;  // so far
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// FP16C: 1 sign, 4 exponent, 11 mantissa bits; exponent bias 15, subnormals, no infinity and no NaN.
HOST_DEVICE float unpack(uint16_t h)
{
    const uint32_t bits = (uint32_t)(h & 0x8000) << 16 | (uint32_t)(h & 0x7fff) << 12;
    float small;
    memcpy(&small, &bits, sizeof small);
    return small * 0x1p112f;
}

HOST_DEVICE uint16_t pack(float f)
{
    const float small = f * 0x1p-112f; // the exponent of a float has bias 127 = 15 + 112
    uint32_t bits;
    memcpy(&bits, &small, sizeof bits);
    const uint32_t magnitude = bits & 0x7fffffff, sign = bits >> 16 & 0x8000;
    const uint32_t nearest = (magnitude + 0x07ff + (magnitude >> 12 & 1)) >> 12; // ties to even
    return (uint16_t)(sign | (nearest < 0x7fff ? nearest : 0x7fff));
}

// Stays in the cell: stores each population in the slot of its opposite.
static __global__ void even_step(Physics physics, const CellType *__restrict__ type,
                                 uint16_t *__restrict__ grid)
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
        f[i] = unpack(grid[at(cell, i, cells)]);
    collide(f, type[cell], y, &physics);
    for (int i = 0; i < 9; i++)
        grid[at(cell, opposite(i), cells)] = pack(f[i]);
}

// Fetches each population from the slot where its opposite will land, and so streams twice.
static __global__ void odd_step(Physics physics, const CellType *__restrict__ type,
                                uint16_t *__restrict__ grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    if (is_wall(type[cell]))
        return;

    float f[9], gain[9];
    size_t slot[9];
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        slot[i] = at(destination.cell, destination.direction, cells);
        gain[i] = destination.gain;
    }
    for (int i = 0; i < 9; i++)
        f[opposite(i)] = unpack(grid[slot[i]]) + gain[i];
    collide(f, type[cell], y, &physics);
    for (int i = 0; i < 9; i++)
        grid[slot[i]] = pack(f[i] + gain[i]);
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(uint16_t);
    gpu_need(bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++, solver->steps++)
        if (solver->steps % 2 == 0)
            LAUNCH(even_step, solver->grid, solver->block, solver->scenario->physics, solver->type,
                   solver->f);
        else
            LAUNCH(odd_step, solver->grid, solver->block, solver->scenario->physics, solver->type, solver->f);
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++) {
        Destination from = {site->cell, i, 0.0f};
        if (solver->steps % 2 != 0)
            from = boundary(site->physics, site->type, site->x, site->y, opposite(i));
        f[i] = unpack(solver->f[at(from.cell, from.direction, site->cells)]) + from.gain;
    }
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[at(site->cell, i, site->cells)] = pack(f[i]);
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->f));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "populations stored in 16 bits (FP16C), arithmetic in 32",
    .lattice = &d2q9,
    .bytes_per_update = 37.0,   // 9 halves read and 9 written, 1 cell type
    .bytes_per_cell = 19.0,     // one grid of 9 halves, 1 cell type
    .epsilon = 1.0 / (1 << 12), // half a unit in the last of 12 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 2,                 // an even and an odd one
    .magic_tau = BGK_MAGIC_TAU,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
