// D2Q9 BGK, serial: structure of arrays, two grids, push streaming, one loop without branches for all cells.
#include "host/allocate.h"
#include "host/independent.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

// A population that meets a wall or the border: the slot in which streaming leaves it, and its own slot.
typedef struct {
    size_t from, to;
    float gain;
} Link;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    size_t cells;         // of each array
    float *f;             // [9][cells]: populations now, before the collision
    float *next;          // the same, one step later
    Link *links;          // [link_count]
    size_t link_count;
    CellNumber *openings; // [opening_count]: open boundary cells
    size_t opening_count;
};

// Structure of arrays: one population of neighbouring cells lies side by side.
static size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// The place of a cell in the arrays. The grid has padding for populations that leave it: a row below and
// one above, and one cell from the end of each row to the beginning of the next.
static size_t padded(CellNumber cell, int width)
{
    return (size_t)(cell / width + 1) * (width + 1) + cell % width + 1;
}

// The neighbour in direction i, perhaps in the padding.
static size_t neighbour(size_t padded_cell, int i, int width)
{
    return padded_cell + (ptrdiff_t)ey(i) * (width + 1) + ex(i);
}

// Whole pages, and 7 cache lines more: arrays that begin in the same line of a page compete for the same
// cache sets.
static size_t array_size(const Scenario *s)
{
    return (padded(cell_count(s), s->width) + s->width + 1024) / 1024 * 1024 + 7 * 16;
}

static void fetch(float *f, const float *from, size_t cell, size_t cells)
{
    for (int i = 0; i < 9; i++)
        f[i] = from[at(cell, i, cells)];
}

static void push(float *to, const float *f, size_t cell, size_t cells, int width)
{
    for (int i = 0; i < 9; i++)
        to[at(neighbour(cell, i, width), i, cells)] = f[i];
}

// TODO(2): all of it in one loop without branches, over the arrays from the first cell to the last, which
// takes every cell for fluid. What that gets wrong is put right after it.
// TODO(3): the promise that the compiler lacks.
static void step(const Scenario *s, size_t cells, const float *from, float *to)
{
    for (CellNumber cell = 0; cell < cell_count(s); cell++) {
        if (is_wall(s->type[cell]))
            continue;
        float f[9];
        fetch(f, from, padded(cell, s->width), cells);
        collide(f, s->type[cell], cell / s->width, &s->physics);
        for (int i = 0; i < 9; i++) {
            const Destination destination =
                boundary(&s->physics, s->type, cell % s->width, cell / s->width, i);
            to[at(padded(destination.cell, s->width), destination.direction, cells)] =
                f[i] + destination.gain;
        }
    }
}

static void collide_open_boundaries(const Solver *solver)
{
    const Scenario *s = solver->scenario;
    for (size_t n = 0; n < solver->opening_count; n++) {
        const CellNumber cell = solver->openings[n];
        const size_t own = padded(cell, s->width);
        float f[9];
        fetch(f, solver->f, own, solver->cells);
        collide(f, s->type[cell], cell / s->width, &s->physics);
        push(solver->next, f, own, solver->cells, s->width);
    }
}

static void bounce_back(const Solver *solver)
{
    for (const Link *link = solver->links; link < solver->links + solver->link_count; link++)
        solver->next[link->to] = solver->next[link->from] + link->gain;
}

// Counts the links, and lists them if there is an array for them.
static size_t find_links(const Solver *solver, Link *links)
{
    const Scenario *s = solver->scenario;
    size_t count = 0;
    for (CellNumber cell = 0; cell < cell_count(s); cell++) {
        const size_t own = padded(cell, s->width);
        for (int i = 0; i < 9 && !is_wall(s->type[cell]); i++) {
            // TODO(1): where `push` leaves it, and where it belongs. If these are two slots, it is a link
            if (links)
                links[count] = (Link){own, own, 0.0f};
        }
    }
    return count;
}

// The same for the open boundary cells.
static size_t find_openings(const Scenario *s, CellNumber *openings)
{
    size_t count = 0;
    for (CellNumber cell = 0; cell < cell_count(s); cell++) {
        const int opening = is_opening(s->type[cell]);
        if (openings && opening)
            openings[count] = cell;
        count += opening;
    }
    return count;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)block; // one thread needs no blocks
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->cells = array_size(scenario);
    solver->link_count = find_links(solver, NULL);
    solver->links = (Link *)allocate(solver->link_count * sizeof *solver->links);
    find_links(solver, solver->links);
    solver->opening_count = find_openings(scenario, NULL);
    solver->openings = (CellNumber *)allocate(solver->opening_count * sizeof *solver->openings);
    find_openings(scenario, solver->openings);

    solver->f = (float *)allocate(9 * solver->cells * sizeof(float));
    solver->next = (float *)allocate(9 * solver->cells * sizeof(float));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++) {
        // TODO(2): the arguments that your loop needs
        step(solver->scenario, solver->cells, solver->f, solver->next);
        collide_open_boundaries(solver);
        bounce_back(solver);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    fetch(f, solver->f, padded(site->cell, site->physics->width), solver->cells);
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[at(padded(site->cell, site->physics->width), i, solver->cells)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    free(solver->f);
    free(solver->next);
    free(solver->links);
    free(solver->openings);
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "vectors: one loop without branches, and lists that correct its results at walls and borders",
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
