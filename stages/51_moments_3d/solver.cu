// D3Q19, regularized, one GPU thread a cell: nine moments instead of 19 populations, structure of arrays, two
// grids, pull streaming through a tile in shared memory.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/moments_d3q19.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

// A block updates this many cells along x, y and z, one in each thread; its tile has the cells around them,
// too.
enum { WIDE = 32, HIGH = 4, DEEP = 4, THREADS = WIDE * HIGH * DEEP };
enum { ROW = WIDE + 2, PLANE = ROW * (HIGH + 2), TILE = PLANE * (DEEP + 2) };

// A cell of a tile. Its size is an odd number of words, so that neighbours in a row lie in different banks.
typedef struct {
    Collided after;
    CellType type;
} TileCell;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [depth][height][width]
    dim3 grid, block;
    float *m;    // [MOMENTS][depth][height][width]: moments now, before the collision
    float *next; // the same, one step later; after a step, the moments before it
};

// Structure of arrays: one moment of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

HOST_DEVICE Collided collide_cell(const float *m, size_t cell, CellType type, int y, const Physics *physics)
{
    const size_t cells = (size_t)physics->width * physics->height * physics->depth;
    float arrived[MOMENTS];
    for (int i = 0; i < MOMENTS; i++)
        arrived[i] = m[at(cell, i, cells)];
    return collide_moments(arrived, type, y, physics);
}

// Collides the cells of a tile, whose first one is (left, bottom, back), and notes whether there is a wall.
static __device__ void fill_tile(TileCell *tile, int *has_walls, const float *m, const CellType *type,
                                 int left, int bottom, int back, const Physics *physics)
{
    for (int n = threadIdx.y * WIDE + threadIdx.x; n < TILE; n += THREADS) {
        const int x = left + n % ROW, y = bottom + n % PLANE / ROW, z = back + n / PLANE;
        if (x > physics->width || y > physics->height || z > physics->depth) // no neighbour of a cell
            continue;
        const int row = wrap(y, physics->height);
        const CellNumber line = (CellNumber)wrap(z, physics->depth) * physics->height + row;
        const CellNumber cell = line * physics->width + wrap(x, physics->width);
        tile[n].after = collide_cell(m, cell, FLUID, row, physics);
        tile[n].type = type[cell];
        if (type[cell] != FLUID)
            tile[n].after = collide_cell(m, cell, type[cell], row, physics);
        if (is_wall(type[cell]))
            *has_walls = 1;
    }
}

// Fetches the populations that arrive in a cell of a tile.
static __device__ void pull(float *f, const TileCell *here, int has_walls, const Physics *physics)
{
    f[0] = population(&here->after, 0);
    UNROLL
    for (int i = 1; i < 19; i++)
        f[i] = population(&here[-(ez(i) * PLANE + ey(i) * ROW + ex(i))].after, i);
    UNROLL
    for (int i = 1; i < 19 && has_walls; i++) {
        const CellType neighbour = here[ez(i) * PLANE + ey(i) * ROW + ex(i)].type;
        if (is_wall(neighbour))
            f[opposite(i)] =
                population(&here->after, i) + (neighbour == MOVING_WALL ? physics->wall_gain[i] : 0.0f);
    }
}

static __global__ void step(Physics physics, const CellType *__restrict__ type,
                            const float *__restrict__ from, float *__restrict__ to)
{
    SHARED(TileCell, tile); // [DEEP + 2][HIGH + 2][WIDE + 2]
    __shared__ int has_walls;
    const int left = blockIdx.x * WIDE - 1, bottom = blockIdx.y * HIGH - 1, back = blockIdx.z * DEEP - 1;
    has_walls = 0;
    __syncthreads();
    fill_tile(tile, &has_walls, from, type, left, bottom, back, &physics);
    __syncthreads();

    const int across = threadIdx.x + 1, up = threadIdx.y % HIGH + 1, along = threadIdx.y / HIGH + 1;
    const int x = left + across, y = bottom + up, z = back + along;
    const TileCell *const here = tile + along * PLANE + up * ROW + across;
    if (x >= physics.width || y >= physics.height || z >= physics.depth || is_wall(here->type))
        return;
    float f[19], m[MOMENTS];
    pull(f, here, has_walls, &physics);
    sum_moments(m, f);
    const size_t cells = (size_t)physics.width * physics.height * physics.depth;
    const CellNumber cell = ((CellNumber)z * physics.height + y) * physics.width + x;
    for (int n = 0; n < MOMENTS; n++)
        to[at(cell, n, cells)] = m[n];
}
BLOCK_KERNEL(step, Physics, const CellType *, const float *, float *);

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block); // refuses invalid shapes, as in every stage
    solver->grid.x = (scenario->width + WIDE - 1) / WIDE;
    solver->grid.y = (scenario->height + HIGH - 1) / HIGH;
    solver->grid.z = (scenario->depth + DEEP - 1) / DEEP;
    solver->block.x = WIDE;
    solver->block.y = HIGH * DEEP;

    const size_t cells = cell_count(scenario), bytes = MOMENTS * cells * sizeof(float);
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->m, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        LAUNCH_BLOCKS(step, solver->grid, solver->block, TILE * sizeof(TileCell), solver->scenario->physics,
                      solver->type, solver->m, solver->next);
        float *swap = solver->m;
        solver->m = solver->next;
        solver->next = swap;
    }
}

// A cell after its last collision.
HOST_DEVICE Collided collided(const Solver *solver, const Site *site, CellNumber cell)
{
    const int y = (int)(cell / site->physics->width % site->physics->height);
    return collide_cell(solver->next, cell, site->type[cell], y, site->physics);
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    UNROLL
    for (int i = 0; i < 19; i++) {
        const Destination from = boundary(site->physics, site->type, site->x, site->y, site->z, i);
        const Collided after = collided(solver, site, from.cell);
        const float straight = population(&after, opposite(i)), back = population(&after, i);
        f[opposite(i)] = (from.direction == i ? straight : back) + from.gain;
    }
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    float m[MOMENTS];
    sum_moments(m, f);
    for (int i = 0; i < MOMENTS; i++)
        solver->m[at(site->cell, i, site->cells)] = m[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->m));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "nine moments a cell instead of 19 populations, which live in a tile of shared memory only",
    .lattice = &d3q19,
    .bytes_per_update = 73.0,   // 9 floats read and 9 written, 1 cell type
    .bytes_per_cell = 73.0,     // two grids of 9 floats, 1 cell type
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
