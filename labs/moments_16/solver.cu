// D3Q19, regularized, one GPU thread a cell, each step in two kernels: collide, then pull, round and store.
// Computes as stage 51 does. On the CPU the kernels are loops instead of threads of the emulator.
#include "storage.h"

#include "gpu/memory.h"
#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__
#include "gpu/gpu.h"
#define HOME   ON_DEVICE
#define MEMORY device_memory
#else
#define UNROLL _Pragma("GCC unroll 19")
#define HOME   ON_HOST
#define MEMORY host_memory
#endif

enum { NUMBERS = sizeof(Collided) / sizeof(float) };

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [depth][height][width]
    float *m;             // moments now, before the collision; places: `at`
    float *after;         // Collided of the cells, of their last collision
    uint32_t steps;       // so far
    Storage storage;
};

Storage storage = {.interval = 1};

// On the GPU neighbouring cells lie side by side, on the CPU the numbers of a cell.
HOST_DEVICE size_t at(size_t cell, int i, size_t cells)
{
    return HOME == ON_DEVICE ? i * cells + cell : NUMBERS * cell + i;
}

// A step of PCG and its output (O'Neill 2014), as a hash.
HOST_DEVICE uint32_t hash(uint32_t n)
{
    const uint32_t state = n * 747796405u + 2891336453u;
    const uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    return (word >> 22) ^ word;
}

// What is added to a number, in units of its quantum, before it is rounded to nearest.
HOST_DEVICE float dither(const Solver *solver, CellNumber cell, int i)
{
    if (!solver->storage.is_by_chance)
        return 0.0f;
    const uint32_t bits = hash((cell ^ hash(solver->steps)) + (uint32_t)i * 0x9e3779b9u);
    return (float)(bits >> 8) * 0x1p-24f - 0.5f;
}

// Stores the moments m[MOMENTS] of a cell, rounded, at the end of every interval.
HOST_DEVICE void store(const Solver *solver, const Site *site, float *m)
{
    const Storage *const s = &solver->storage;
    const int is_rounded = solver->steps % s->interval == 0;
    float limit[MOMENTS] = {0.0f};
    for (int i = 0; i < MOMENTS; i++) {
        if (i == XX_ZZ && s->is_relative) {
            const float volume = 1.0f / (1.0f + m[DRHO]);
            limit[XX_ZZ] = (m[JX] * m[JX] - m[JZ] * m[JZ]) * volume;
            limit[YY_ZZ] = (m[JY] * m[JY] - m[JZ] * m[JZ]) * volume;
            limit[XY] = m[JX] * m[JY] * volume;
            limit[XZ] = m[JX] * m[JZ] * volume;
            limit[YZ] = m[JY] * m[JZ] * volume;
        }
        if (is_rounded && s->moment[i].largest > 0.0f)
            m[i] = limit[i] + rounded(m[i] - limit[i], s->moment[i], dither(solver, site->cell, i));
        solver->m[at(site->cell, i, site->cells)] = m[i];
    }
}

// A cell after its last collision.
HOST_DEVICE Collided collided(const Solver *solver, CellNumber cell, size_t cells)
{
    float number[NUMBERS];
    UNROLL
    for (int n = 0; n < NUMBERS; n++)
        number[n] = solver->after[at(cell, n, cells)];
    Collided after;
    memcpy(&after, number, sizeof after);
    return after;
}

// The populations that arrive in a cell.
HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    const Format format = solver->storage.population;
    UNROLL
    for (int i = 0; i < 19; i++) {
        const Destination from = boundary(site->physics, site->type, site->x, site->y, site->z, i);
        const Collided after = collided(solver, from.cell, site->cells);
        const float straight = population(&after, opposite(i)), back = population(&after, i);
        const int direction = from.direction == i ? opposite(i) : i;
        float leaving = from.direction == i ? straight : back;
        if (format.largest > 0.0f)
            leaving = rounded(leaving, format, dither(solver, from.cell, MOMENTS + direction));
        f[opposite(i)] = leaving + from.gain;
    }
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    float m[MOMENTS];
    sum_moments(m, f);
    store(solver, site, m);
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

HOST_DEVICE void collide_site(const Sites *a, CellNumber n)
{
    const Site site = find_site(a, n);
    if (is_wall(site.type[n]))
        return;
    float m[MOMENTS], number[NUMBERS];
    for (int i = 0; i < MOMENTS; i++)
        m[i] = a->solver.m[at(n, i, site.cells)];
    const Collided after = collide_moments(m, site.type[n], site.y, site.physics);
    memcpy(number, &after, sizeof after);
    for (int i = 0; i < NUMBERS; i++)
        a->solver.after[at(n, i, site.cells)] = number[i];
}

HOST_DEVICE void pull_site(Sites *a, CellNumber n)
{
    const Site site = find_site(a, n);
    if (is_wall(site.type[n]))
        return;
    float f[19];
    get(&a->solver, &site, f);
    put(&a->solver, &site, f);
}

EACH(collide_site, Sites)
EACH(pull_site, Sites)

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)block;
    const size_t cells = cell_count(scenario);
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->storage = storage;
    solver->steps = 0;
    solver->m = (float *)MEMORY.allocate(NUMBERS * cells * sizeof(float));
    solver->after = (float *)MEMORY.allocate(NUMBERS * cells * sizeof(float));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const CellNumber cells = (CellNumber)cell_count(solver->scenario);
    for (int n = 0; n < steps; n++) {
        solver->steps++;
        const Sites sites = {
            *solver, solver->scenario->physics, solver->type, {cells, 0, NULL},
               NULL
        };
        collide_site_each(sites, cells);
        pull_site_each(sites, cells);
    }
}

static void destroy(Solver *solver)
{
    MEMORY.release(solver->m);
    MEMORY.release(solver->after);
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "nine moments a cell, rounded as a format would",
    .lattice = &d3q19,
    .bytes_per_update = 153.0,  // 9 floats and 10 read, as many written, 1 cell type
    .bytes_per_cell = 77.0,     // 19 floats, 1 cell type
    .epsilon = 1.0 / (1 << 24), // of the arithmetic
    .rounding = TO_NEAREST,
    .cycle = 1,
    .magic_tau = 7.0 / 8.0,
    .home = HOME,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
