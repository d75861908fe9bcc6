// D3Q19 BGK, serial: structure of arrays, one grid, in-place streaming (AA), opposite directions together,
// one loop without branches for all cells.
#include "host/allocate.h"
#include "host/independent.h"
#include "lattice/d3q19.h"
#include "lattice/pairs_d3q19.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

// A population that meets a wall or the border: the slot in which streaming leaves it, and its own slot.
typedef struct {
    size_t from, to;
    float gain;
} Link;

// An open boundary cell, and its populations after the collision.
typedef struct {
    CellNumber cell;
    float f[19];
} Opening;

// The places of a cell's 19 slots, relative to it: population i is fetched from at[i], and the
// one that leaves in direction i is stored in the slot from which its opposite was fetched.
typedef struct {
    size_t at[19];
} Slots;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [depth][height][width]
    size_t cells;         // of each array
    Slots slots[2];       // of even steps and of odd ones
    // After an even number of steps, populations before the collision; else after it, in opposite slots.
    float *f;    // [19][cells]
    long steps;  // so far
    Link *links; // [link_count]
    size_t link_count;
    Opening *openings; // [opening_count]
    size_t opening_count;
};

// Structure of arrays: one population of neighbouring cells lies side by side.
static size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// The place of a cell in the arrays. The grid has padding for populations that leave it: a plane below and
// one above, a row from the end of each plane to the beginning of the next, and one cell from the end of each
// row to the beginning of the next.
static size_t padded(CellNumber cell, int width, int height)
{
    const CellNumber row = cell / width, plane = row / height;
    return ((size_t)(plane + 1) * (height + 1) + row % height + 1) * (width + 1) + cell % width + 1;
}

// The neighbour in direction i, perhaps in the padding.
static size_t neighbour(size_t padded_cell, int i, int width, int height)
{
    return padded_cell + ((ptrdiff_t)ez(i) * (height + 1) + ey(i)) * (width + 1) + ex(i);
}

// Whole pages, and 7 cache lines more: arrays that begin in the same line of a page compete for the same
// cache sets.
static size_t array_size(const Scenario *s)
{
    const size_t plane = (size_t)(s->width + 1) * (s->height + 1);
    return (padded(cell_count(s), s->width, s->height) + plane + 1024) / 1024 * 1024 + 7 * 16;
}

// In an even step the slots of the cell itself, in an odd one those in which the step before has stored the
// populations that come to the cell.
static Slots find_slots(int odd, size_t cells, int width, int height)
{
    Slots slots;
    for (int i = 0; i < 19; i++)
        slots.at[i] =
            odd ? at(neighbour(0, opposite(i), width, height), opposite(i), cells) : at(0, i, cells);
    return slots;
}

static void fetch(float *f, const float *grid, size_t cell, const Slots *slots)
{
    for (int i = 0; i < 19; i++)
        f[i] = grid[cell + slots->at[i]];
}

static void push(float *grid, const float *f, size_t cell, const Slots *slots)
{
    for (int i = 0; i < 19; i++)
        grid[cell + slots->at[opposite(i)]] = f[i];
}

// Treats every cell as fluid; wrong results are corrected later.
static void step(Physics physics, Slots slots, float *grid)
{
    const int width = physics.width, height = physics.height;
    const size_t last = padded((CellNumber)width * height * physics.depth - 1, width, height);
    INDEPENDENT
    for (size_t cell = padded(0, width, height); cell < last + 1; cell++) {
        float f[19];
        fetch(f, grid, cell, &slots);
        collide_pairs(f, &physics);
        push(grid, f, cell, &slots);
    }
}

// Runs before the step, which overwrites the populations that it uses.
static void collide_open_boundaries(Solver *solver, const Slots *slots)
{
    const Scenario *s = solver->scenario;
    for (size_t n = 0; n < solver->opening_count; n++) {
        Opening *opening = &solver->openings[n];
        fetch(opening->f, solver->f, padded(opening->cell, s->width, s->height), slots);
        collide(opening->f, s->type[opening->cell], opening->cell / s->width % s->height, &s->physics);
    }
}

static void push_openings(Solver *solver, const Slots *slots)
{
    for (const Opening *o = solver->openings; o < solver->openings + solver->opening_count; o++)
        push(solver->f, o->f, padded(o->cell, solver->scenario->width, solver->scenario->height), slots);
}

// After an odd step copies forwards; after an even one backwards, to the slot from which the odd one fetches.
static void bounce_back(Solver *solver, int odd)
{
    float *f = solver->f;
    for (const Link *link = solver->links; link < solver->links + solver->link_count; link++)
        if (odd)
            f[link->to] = f[link->from] + link->gain;
        else
            f[link->from] = f[link->to] + link->gain;
}

// Counts the links, and lists them if there is an array for them.
static size_t find_links(const Solver *solver, Link *links)
{
    const Scenario *s = solver->scenario;
    size_t count = 0;
    for (CellNumber cell = 0; cell < cell_count(s); cell++) {
        const size_t own = padded(cell, s->width, s->height);
        for (int i = 0; i < 19 && !is_wall(s->type[cell]); i++) {
            const Position p = position_of(s, cell);
            const Destination destination = boundary(&s->physics, s->type, p.x, p.y, p.z, i);
            const size_t from = at(neighbour(own, i, s->width, s->height), i, solver->cells);
            const size_t to =
                at(padded(destination.cell, s->width, s->height), destination.direction, solver->cells);
            if (links && from != to)
                links[count] = (Link){from, to, destination.gain};
            count += from != to;
        }
    }
    return count;
}

// The same for the open boundary cells.
static size_t find_openings(const Scenario *s, Opening *openings)
{
    size_t count = 0;
    for (CellNumber cell = 0; cell < cell_count(s); cell++) {
        const int opening = is_opening(s->type[cell]);
        if (openings && opening)
            openings[count].cell = cell;
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
    for (int odd = 0; odd < 2; odd++)
        solver->slots[odd] = find_slots(odd, solver->cells, scenario->width, scenario->height);
    solver->link_count = find_links(solver, NULL);
    solver->links = (Link *)allocate(solver->link_count * sizeof *solver->links);
    find_links(solver, solver->links);
    solver->opening_count = find_openings(scenario, NULL);
    solver->openings = (Opening *)allocate(solver->opening_count * sizeof *solver->openings);
    find_openings(scenario, solver->openings);

    solver->f = (float *)allocate(19 * solver->cells * sizeof(float));
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int n = 0; n < steps; n++, solver->steps++) {
        const int odd = solver->steps % 2 != 0;
        const Slots *slots = &solver->slots[odd];
        collide_open_boundaries(solver, slots);
        step(solver->scenario->physics, *slots, solver->f);
        push_openings(solver, slots);
        bounce_back(solver, odd);
    }
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    fetch(f, solver->f, padded(site->cell, site->physics->width, site->physics->height),
          &solver->slots[solver->steps % 2]);
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 19; i++)
        solver->f[at(padded(site->cell, site->physics->width, site->physics->height), i, solver->cells)] =
            f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    free(solver->f);
    free(solver->links);
    free(solver->openings);
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "a third dimension on the CPU: 19 populations in vectors, in place and in pairs",
    .lattice = &d3q19,
    .bytes_per_update = 152.0,  // 19 floats read and 19 written
    .bytes_per_cell = 77.0,     // one grid of 19 floats, 1 cell type
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 2,                 // an even and an odd one
    .magic_tau = BGK_MAGIC_TAU,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
