// D2Q9 BGK, one GPU thread a cell: structure of arrays, one grid, in-place streaming (AA), 16-bit storage,
// a byte of links.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

// The links of a cell: bit i - 1 is set if a wall or the border stops population i.
typedef unsigned char LinkMask;
enum { ALL_LINKS = 0xff }; // of every cell that is not fluid

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    LinkMask *links; // [height][width]
    // After an even number of steps, populations before the collision; else after it, in opposite slots.
    __half *f;  // [9][height][width]
    long steps; // so far
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// 16-bit floats hold 2^15 times a population: populations span +-2, and few of them are subnormal.
HOST_DEVICE __half pack(float f)
{
    return __float2half_rn(f * 32768.0f);
}

HOST_DEVICE float unpack(__half h)
{
    return __half2float(h) * (1.0f / 32768.0f);
}

// The neighbour in direction i, if no border lies between them.
HOST_DEVICE size_t neighbour(size_t cell, int i, int width)
{
    return cell + (ptrdiff_t)ey(i) * width + ex(i);
}

// Stays in the cell: stores each population in the slot of its opposite.
static __global__ void even_step(Physics physics, const CellType *__restrict__ type,
                                 const LinkMask *__restrict__ links, __half *__restrict__ grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    // TODO(2): most bytes mean fluid. Load the type only if the byte does not determine it
    const CellType own = type[cell];
    (void)links;
    if (is_wall(own))
        return;

    float f[9];
    for (int i = 0; i < 9; i++)
        f[i] = unpack(grid[at(cell, i, cells)]);
    collide(f, own, y, &physics);
    for (int i = 0; i < 9; i++)
        grid[at(cell, opposite(i), cells)] = pack(f[i]);
}

// Fetches each population from the slot where its opposite will land, and so streams twice.
static __global__ void odd_step(Physics physics, const CellType *__restrict__ type,
                                const LinkMask *__restrict__ links, __half *__restrict__ grid)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;

    const LinkMask stopped = links[cell];
    // TODO(2): the same here
    const CellType own = type[cell];
    (void)stopped;
    if (is_wall(own))
        return;

    // TODO(3): call `boundary` only if the link is stopped. Where does population i land if not?
    float f[9], gain[9];
    size_t slot[9];
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        slot[i] = at(destination.cell, destination.direction, cells);
        gain[i] = destination.gain;
    }
    for (int i = 0; i < 9; i++)
        f[opposite(i)] = unpack(grid[slot[i]]) + gain[i];
    collide(f, own, y, &physics);
    for (int i = 0; i < 9; i++)
        grid[slot[i]] = pack(f[i] + gain[i]);
}

HOST_DEVICE LinkMask links_of(const Physics *physics, const CellType *type, int x, int y)
{
    // TODO(1): the byte of this cell: a bit for each direction from 1 to 8, and 255 if it is not fluid
    const CellNumber cell = (CellNumber)y * physics->width + x;
    return 0 * neighbour(cell, 0, physics->width) * type[cell];
}

static __global__ void find_links(Physics physics, const CellType *__restrict__ type,
                                  LinkMask *__restrict__ links)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < physics.width && y < physics.height)
        links[(size_t)y * physics.width + x] = links_of(&physics, type, x, y);
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(__half);
    gpu_need(bytes + cells);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->links, cells));
    LAUNCH(find_links, solver->grid, solver->block, scenario->physics, type, solver->links);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++, solver->steps++)
        if (solver->steps % 2 == 0)
            LAUNCH(even_step, solver->grid, solver->block, solver->scenario->physics, solver->type,
                   solver->links, solver->f);
        else
            LAUNCH(odd_step, solver->grid, solver->block, solver->scenario->physics, solver->type,
                   solver->links, solver->f);
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
    CHECK(cudaFree(solver->links));
    CHECK(cudaFree(solver->f));
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "a byte a cell says which links a wall or the border stops: types are not read",
    .lattice = &d2q9,
    .bytes_per_update = 37.0,   // 9 halves read and 9 written, 1 byte of links
    .bytes_per_cell = 20.0,     // one grid of 9 halves, 1 cell type, 1 byte of links
    .epsilon = 1.0 / (1 << 11), // half a unit in the last of 11 bits
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
