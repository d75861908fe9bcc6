// D2Q9 BGK, one GPU thread a cell: structure of arrays, two grids, push streaming; populations stored in
// CODEC.
#include "gpu/gpu.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include CODEC

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    dim3 grid, block;
    Code *f;    // [9][height][width]: populations now, before the collision
    Code *next; // the same, one step later
    long steps; // so far
};

// Structure of arrays: one population of neighbouring cells lies side by side.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// A step of PCG and its output (O'Neill 2014), as a hash.
HOST_DEVICE uint32_t hash(uint32_t n)
{
    const uint32_t state = n * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// Random bits for a population, which a format that rounds to nearest does not use.
HOST_DEVICE uint32_t random_bits_of(CellNumber cell, int i, uint32_t seed)
{
    return hash((cell ^ seed) + (uint32_t)i * 0x9e3779b9u);
}

HOST_DEVICE Code pack(Real f, int i, uint32_t random_bits)
{
    return encode(SHIFTED ? f : f + weight(i), random_bits);
}

HOST_DEVICE Real unpack(Code code, int i)
{
    return SHIFTED ? decode(code) : decode(code) - weight(i);
}

static __global__ void step(Physics physics, const CellType *__restrict__ type, uint32_t seed,
                            const Code *__restrict__ from, Code *__restrict__ to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    const size_t cells = (size_t)physics.width * physics.height;
    const CellNumber cell = (CellNumber)y * physics.width + x;
    if (is_wall(type[cell]))
        return;

    Real f[9];
    for (int i = 0; i < 9; i++)
        f[i] = unpack(from[at(cell, i, cells)], i);
    collide(f, type[cell], y, &physics);
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        to[at(destination.cell, destination.direction, cells)] =
            pack(f[i] + destination.gain, destination.direction, random_bits_of(cell, i, seed));
    }
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    gpu_cover(scenario, block, &solver->grid, &solver->block);

    const size_t cells = cell_count(scenario), bytes = 9 * cells * sizeof(Code);
    gpu_need(2 * bytes);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        solver->steps++;
        LAUNCH(step, solver->grid, solver->block, solver->scenario->physics, solver->type,
               hash((uint32_t)solver->steps), solver->f, solver->next);
        Code *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, Real *f)
{
    for (int i = 0; i < 9; i++)
        f[i] = unpack(solver->f[at(site->cell, i, site->cells)], i);
}

HOST_DEVICE void put(Solver *solver, const Site *site, Real *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[at(site->cell, i, site->cells)] = pack(f[i], i, random_bits_of(site->cell, i, 0));
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

#ifdef FORMAT_STOCHASTIC
#define FORMAT_ROUNDING STOCHASTIC
#else
#define FORMAT_ROUNDING TO_NEAREST
#endif

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = SHIFTED ? FORMAT_ABOUT : FORMAT_ABOUT "; populations with their weights",
    .lattice = &d2q9,
    .bytes_per_update = 18.0 * sizeof(Code) + 1.0, // 9 populations read and 9 written, 1 cell type
    .bytes_per_cell = 18.0 * sizeof(Code) + 1.0,   // two grids of 9 populations, 1 cell type
    .epsilon = FORMAT_EPSILON, // of the number stored: without the shift far more of a population
    .rounding = FORMAT_ROUNDING,
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .home = ON_DEVICE,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
