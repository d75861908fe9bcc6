// D2Q9 BGK on one core of the CPU: two grids, structure of arrays. One loop takes every cell for fluid; then
// the few cells for which that is wrong are done again.
#include "host/allocate.h"
#include "host/independent.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    size_t size;          // from one array to the next: the cells, and room before and behind them
    float *f, *next;      // [9][size]: populations before the collision, now and one step later
    CellNumber *special;
    size_t special_count;
};

// What the first row pushes down lies before the first cell, what the last one pushes up behind the last.
static size_t room(int width)
{
    return (size_t)width + 1;
}

// Whole pages would put all arrays into the same lines of a cache, so there is an odd number of lines more.
static size_t array_size(const Scenario *s)
{
    return (cell_count(s) + 2 * room(s->width) + 1023) / 1024 * 1024 + 5 * 16;
}

static size_t at(const Solver *solver, size_t cell, int i)
{
    return i * solver->size + room(solver->scenario->width) + cell;
}

// How far away in its array a neighbour is, but for those on the other side of the grid.
static ptrdiff_t offset(int i, int width)
{
    return (ptrdiff_t)ey(i) * width + ex(i);
}

// Whether the loop for fluid gets one of the nine pushes of a cell wrong.
static int is_special(const Scenario *s, int x, int y)
{
    const CellNumber cell = (CellNumber)y * s->width + x;
    if (is_wall(s->type[cell]))
        return 0; // no populations live there
    int special = s->type[cell] != FLUID;
    for (int i = 1; i < 9; i++) {
        const Destination destination = boundary(&s->physics, s->type, x, y, i);
        special |= destination.cell != cell + (CellNumber)offset(i, s->width);
    }
    return special;
}

static void find_special(Solver *solver)
{
    const Scenario *s = solver->scenario;
    solver->special = (CellNumber *)allocate(cell_count(s) * sizeof *solver->special);
    for (CellNumber cell = 0; cell < cell_count(s); cell++)
        if (is_special(s, cell % s->width, cell / s->width))
            solver->special[solver->special_count++] = cell;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)block; // one thread needs no blocks
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->size = array_size(scenario);
    find_special(solver);

    solver->f = (float *)allocate(9 * solver->size * sizeof(float));
    solver->next = (float *)allocate(9 * solver->size * sizeof(float));
    return solver;
}

// Takes every cell for fluid whose neighbours are where the arrays have them.
static void step(Physics physics, size_t size, size_t first, const float *from, float *to)
{
    const size_t end = first + (size_t)physics.width * physics.height;
    INDEPENDENT
    for (size_t n = first; n < end; n++) {
        float f[9];
        for (int i = 0; i < 9; i++)
            f[i] = from[i * size + n];
        collide(f, FLUID, 0, &physics);
        for (int i = 0; i < 9; i++)
            to[i * size + n + offset(i, physics.width)] = f[i];
    }
}

// Does the special cells again. What the loop has left in a wrong slot lies in a wall, outside the grid, or
// where one of these cells belongs, which overwrites it.
static void step_special(const Solver *solver)
{
    const Scenario *s = solver->scenario;
    for (size_t n = 0; n < solver->special_count; n++) {
        const CellNumber cell = solver->special[n];
        const int x = cell % s->width, y = cell / s->width;
        float f[9];
        for (int i = 0; i < 9; i++)
            f[i] = solver->f[at(solver, cell, i)];
        collide(f, s->type[cell], y, &s->physics);
        for (int i = 0; i < 9; i++) {
            const Destination destination = boundary(&s->physics, s->type, x, y, i);
            solver->next[at(solver, destination.cell, destination.direction)] = f[i] + destination.gain;
        }
    }
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        step(solver->scenario->physics, solver->size, at(solver, 0, 0), solver->f, solver->next);
        step_special(solver);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        f[i] = solver->f[at(solver, site->cell, i)];
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[at(solver, site->cell, i)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    free(solver->f);
    free(solver->next);
    free(solver->special);
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "one loop for fluid, and the cells at walls and borders once more",
    .lattice = &d2q9,
    .bytes_per_update = 72.0,   // 9 floats read and 9 written
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
