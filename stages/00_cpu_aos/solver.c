// D2Q9 BGK, serial: array of structures, two grids, push streaming.
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    float *f;             // [height][width][9]: populations now, before the collision
    float *next;          // the same, one step later
};

// Array of structures: the nine populations of a cell lie side by side.
static size_t at(size_t cell, int i)
{
    return 9 * cell + i;
}

static void step(Physics physics, const CellType *type, const float *from, float *to)
{
    for (int y = 0; y < physics.height; y++)
        for (int x = 0; x < physics.width; x++) {
            const CellNumber cell = (CellNumber)y * physics.width + x;
            if (is_wall(type[cell]))
                continue;

            float f[9];
            for (int i = 0; i < 9; i++)
                f[i] = from[at(cell, i)];
            collide(f, type[cell], y, &physics);
            for (int i = 0; i < 9; i++) {
                const Destination destination = boundary(&physics, type, x, y, i);
                to[at(destination.cell, destination.direction)] = f[i] + destination.gain;
            }
        }
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)block; // one thread needs no blocks
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;

    const size_t bytes = 9 * cell_count(scenario) * sizeof(float);
    solver->f = (float *)allocate(bytes);
    solver->next = (float *)allocate(bytes);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        step(solver->scenario->physics, solver->scenario->type, solver->f, solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        f[i] = solver->f[at(site->cell, i)];
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[at(site->cell, i)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    free(solver->f);
    free(solver->next);
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "the method: one thread, array of structures, two grids",
    .lattice = &d2q9,
    .bytes_per_update = 73.0,   // 9 floats read and 9 written, 1 cell type
    .bytes_per_cell = 73.0,     // two grids of 9 floats, 1 cell type
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
