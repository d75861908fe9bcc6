// D2Q9 BGK, serial: array of structures, two grids, push streaming.
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

struct Solver {
    const Scenario *scenario;
    float *f;    // [height][width][9]: populations now, before the collision
    float *next; // the same, one step later
};

// Array of structures: the nine populations of a cell lie side by side.
static size_t at(size_t cell, int i)
{
    return 9 * cell + i;
}

static void step(Physics physics, const Cell *type, const float *from, float *to)
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

static Solver *create(const Scenario *scenario, Block block)
{
    (void)block; // one thread needs no blocks
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;

    const size_t bytes = 9 * cell_count(scenario) * sizeof(float);
    solver->f = (float *)allocate(bytes);
    solver->next = (float *)allocate(bytes);
    initial_populations(scenario, solver->f);
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

static void read(const Solver *solver, float *f)
{
    memcpy(f, solver->f, 9 * cell_count(solver->scenario) * sizeof(float));
}

static void destroy(Solver *solver)
{
    free(solver->f);
    free(solver->next);
    free(solver);
}

const Stage STAGE = {
    STAGE_NAME,
    "the method: one thread, array of structures, two grids",
    &d2q9,
    73.0,            // 9 floats read and 9 written, 1 cell type
    73.0,            // two grids of 9 floats, 1 cell type
    1.0 / (1 << 24), // half a unit in the last of 24 bits
    TO_NEAREST,      // ties to even
    1,               // step a cycle
    BGK_MAGIC_TAU,   // where half-way walls are exact
    create,
    advance,
    read,
    destroy,
};
