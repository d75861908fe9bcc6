// D2Q9, regularized, one GPU thread a cell: six moments instead of nine populations, structure of arrays, two
// grids, pull streaming.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

// Moments of a cell after the collision: momentum, and half the sum of each pair of opposite populations.
enum { MOMENTS = 6 };

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    float *f;    // [MOMENTS][height][width]: moments now
    float *next; // the same, one step later; after a step, the moments before it
    long steps;  // so far
};

// Structure of arrays: one moment of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, const Physics *physics)
{
    return (size_t)i * physics->width * physics->height + cell;
}

// The moment that is half the sum of populations i and opposite(i), i > 0.
HOST_DEVICE int pair(int i)
{
    return (i < 5 ? 3 : 5) - i % 2;
}

// Fetches the populations that arrive in a cell: half the sum of a pair, and half the difference.
HOST_DEVICE void pull(float *f, const float *m, const CellType *type, int x, int y, const Physics *physics)
{
    // TODO(3): the populations that arrive in a cell, f[1] to f[8], and f[0], which has stayed there
    (void)m, (void)type, (void)x, (void)y, (void)physics;
    for (int i = 0; i < 9; i++)
        f[i] = 0.0f;
}

// Collides the populations of a cell, and stores their moments.
HOST_DEVICE void collide_regularized(float *m, float *f, CellType type, int y, const Physics *physics)
{
    if (type != FLUID)
        impose_boundary(f, type, y, physics);
    const float drho = sum(f), jx = momentum_x(f), jy = momentum_y(f);
    // TODO(2): this is the equilibrium, without any part of the deviation from it
    const float volume = 1.0f / (1.0f + drho), ux = jx * volume, uy = jy * volume;
    const float trace = jx * ux + jy * uy, difference = jx * ux - jy * uy, shear = jx * uy;

    m[0] = jx + (type == FLUID ? physics->force_x : 0.0f);
    m[1] = jy + (type == FLUID ? physics->force_y : 0.0f);
    // TODO(1): half the sum of each pair
    (void)trace, (void)difference, (void)shear;
    m[pair(1)] = m[pair(2)] = m[pair(5)] = m[pair(6)] = 0.0f;
}

static __global__ void step(Physics physics, const CellType *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    if (is_wall(type[cell]))
        return;

    float f[9], m[MOMENTS];
    pull(f, from, type, x, y, &physics);
    collide_regularized(m, f, type[cell], y, &physics);
    for (int i = 0; i < MOMENTS; i++)
        to[at(cell, i, &physics)] = m[i];
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = MOMENTS * cells * sizeof(float);
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
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
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    pull(f, solver->next, site->type, site->x, site->y, site->physics);
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    float m[MOMENTS];
    collide_regularized(m, f, site->type[site->cell], site->y, site->physics);
    for (int i = 0; i < MOMENTS; i++)
        solver->f[at(site->cell, i, site->physics)] = m[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "six moments a cell instead of nine populations, which live in registers only",
    .lattice = &d2q9,
    .bytes_per_update = 49.0,   // 6 floats read and 6 written, 1 cell type
    .bytes_per_cell = 49.0,     // two grids of 6 floats, 1 cell type
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 1,
    .magic_tau = 7.0 / 8.0,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
