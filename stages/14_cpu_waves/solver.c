// D2Q9 BGK, a thread on each core, several steps for each fetch: structure of arrays, one grid, in-place
// streaming (AA), opposite directions together, waves of steps over bands of rows.
#include "host/allocate.h"
#include "host/independent.h"
#include "lattice/d2q9.h"
#include "lattice/pairs.h"
#include "stage/stage.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// A population on its way to a wall or across the border: the slot that streaming leaves it in, and its own.
typedef struct {
    size_t from, to;
    float gain;
} Link;

// A cell of in- or outflow, and its populations after the collision.
typedef struct {
    CellNumber cell;
    float f[9];
} Opening;

// Where the nine slots of a cell lie, counted from it: population i is fetched from at[i], and the
// one that leaves in direction i is stored in the slot from which its opposite was fetched.
typedef struct {
    size_t at[9];
} Slots;

enum {
    LINE = 16,                    // floats in a cache line
    PARALLEL_THRESHOLD = 1 << 16, // cells of a grid that is large enough to be worth two barriers a pass
    MOST_STEPS = 20,              // of a pass
    SECOND_CACHES = 3,            // of a core are what a wave may take: it has a share of the third one
};

// Rows from low to high - 1 in the first step of a pass; in each later one the range is narrower by `shrink`
// at either end, or wider if `shrink` is negative.
typedef struct {
    int low, high, shrink;
} Band;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    size_t cells;         // of each array
    Slots slots[2];       // of even steps and of odd ones
    // After an even number of steps populations before the collision, else after it and reversed.
    float *f; // [9][cells], in `memory`
    float *memory;
    long steps;            // so far
    int bands;             // as many as threads
    int pass_steps;        // at most
    Link *links;           // [first_link[height]]
    size_t *first_link;    // [height + 1], those between a row and the row below, and within it
    Opening *openings;     // [first_opening[height]]
    size_t *first_opening; // [height + 1], those of a row
};

// Structure of arrays: one population of neighbouring cells lies side by side.
static size_t at(size_t cell, int i, size_t cells)
{
    return i * cells + cell;
}

// Cells from one row to the next: each row begins with a cache line.
static int pitch(int width)
{
    return (width / LINE + 1) * LINE;
}

// Where in the arrays a cell lies. Around the grid is padding for populations that leave it: a row below and
// one above, and at least one cell from the end of each row to the beginning of the next.
static size_t padded(CellNumber cell, int width)
{
    return (size_t)(cell / width + 1) * pitch(width) + cell % width + LINE;
}

// The neighbour in direction i, perhaps in the padding.
static size_t neighbour(size_t padded_cell, int i, int width)
{
    return padded_cell + (ptrdiff_t)ey(i) * pitch(width) + ex(i);
}

// Whole pages, and 7 cache lines more: arrays that begin in the same line of a page compete for the same
// cache sets.
static size_t array_size(const Scenario *s)
{
    return (padded(cell_count(s), s->width) + pitch(s->width) + 1024) / 1024 * 1024 + 7 * LINE;
}

// In an even step the slots of the cell itself, in an odd one those in which the step before has stored the
// populations that come to the cell.
static Slots find_slots(int odd, size_t cells, int width)
{
    Slots slots;
    for (int i = 0; i < 9; i++)
        slots.at[i] = odd ? at(neighbour(0, opposite(i), width), opposite(i), cells) : at(0, i, cells);
    return slots;
}

static void fetch(float *f, const float *grid, size_t cell, const Slots *slots)
{
    for (int i = 0; i < 9; i++)
        f[i] = grid[cell + slots->at[i]];
}

static void push(float *grid, const float *f, size_t cell, const Slots *slots)
{
    for (int i = 0; i < 9; i++)
        grid[cell + slots->at[opposite(i)]] = f[i];
}

// Runs before the step, which overwrites the populations that it uses.
static void collide_open_boundaries(Solver *solver, int y, const Slots *slots)
{
    const Scenario *s = solver->scenario;
    for (size_t n = solver->first_opening[y]; n < solver->first_opening[y + 1]; n++) {
        Opening *opening = &solver->openings[n];
        fetch(opening->f, solver->f, padded(opening->cell, s->width), slots);
        collide(opening->f, s->type[opening->cell], y, &s->physics);
    }
}

static void push_openings(Solver *solver, int y, const Slots *slots)
{
    for (size_t n = solver->first_opening[y]; n < solver->first_opening[y + 1]; n++)
        push(solver->f, solver->openings[n].f, padded(solver->openings[n].cell, solver->scenario->width),
             slots);
}

// Treats every cell as fluid; what is wrong after that is corrected later.
static void step_row(float *grid, size_t first, Physics physics, Slots slots)
{
    INDEPENDENT
    for (size_t cell = first; cell < first + physics.width; cell++) {
        float f[9];
        fetch(f, grid, cell, &slots);
        collide_pairs(f, &physics);
        push(grid, f, cell, &slots);
    }
}

static void step(Solver *solver, int y, int odd)
{
    const Physics *physics = &solver->scenario->physics;
    const Slots *slots = &solver->slots[odd];
    collide_open_boundaries(solver, y, slots);
    step_row(solver->f, padded((CellNumber)y * physics->width, physics->width), *physics, *slots);
    push_openings(solver, y, slots);
}

// When the row and the one below it have made the step. After an odd step forwards; after an even one
// backwards, to the slot from which the odd one fetches.
static void bounce_back(Solver *solver, int y, int odd)
{
    float *f = solver->f;
    const Link *const end = solver->links + solver->first_link[y + 1];
    for (const Link *link = solver->links + solver->first_link[y]; link < end; link++)
        if (odd)
            f[link->to] = f[link->from] + link->gain;
        else
            f[link->from] = f[link->to] + link->gain;
}

// Each step of the wave is one row behind the step before it, whose rows it needs up to the next one.
static void advance_band(Solver *solver, Band band, int steps)
{
    const int height = solver->scenario->height;
    for (int wave = band.low; wave < band.high + 2 * steps - 1; wave++)
        for (int n = 0; n < steps; n++) {
            const int y = wave - n, low = band.low + n * band.shrink, high = band.high - n * band.shrink;
            const int row = y % height, odd = (solver->steps + n) % 2 != 0;
            if (y >= low && y < high)
                step(solver, row, odd);
            if (band.shrink < 0 ? y >= low && y <= high : y > low && y < high)
                bounce_back(solver, row, odd);
        }
}

// First all bands, narrower with each step, as what lies beyond has not made it yet; then what is left
// between them, wider with each step.
static void pass(Solver *solver, int steps)
{
    const long height = solver->scenario->height;
    const int bands = solver->bands;
    for (int shrink = 1; shrink >= -1; shrink -= 2) {
#pragma omp parallel for schedule(static) if (bands > 1)
        for (int n = 0; n < bands; n++) {
            const int low = (int)(n * height / bands), high = (int)((n + 1) * height / bands);
            advance_band(solver, shrink > 0 ? (Band){low, high, 1} : (Band){high, high, -1}, steps);
        }
    }
    solver->steps += steps;
}

// Counts the links, row by row, and lists them if there is an array for them.
static void find_links(const Solver *solver, Link *links)
{
    const Scenario *s = solver->scenario;
    size_t count = 0;
    for (int y = 0; y < s->height; y++) {
        for (int n = 0; n < 9 * s->width; n++) {
            const int x = n / 9, i = n % 9, own_y = ey(i) > 0 ? wrap(y - 1, s->height) : y;
            const CellNumber cell = (CellNumber)own_y * s->width + x;
            const Destination destination = boundary(&s->physics, s->type, x, own_y, i);
            const size_t from = at(neighbour(padded(cell, s->width), i, s->width), i, solver->cells);
            const size_t to = at(padded(destination.cell, s->width), destination.direction, solver->cells);
            if (is_wall(s->type[cell]) || from == to)
                continue;
            if (links)
                links[count] = (Link){from, to, destination.gain};
            count++;
        }
        solver->first_link[y + 1] = count;
    }
}

// The same for the cells of in- and outflow.
static void find_openings(const Solver *solver, Opening *openings)
{
    const Scenario *s = solver->scenario;
    size_t count = 0;
    for (CellNumber cell = 0; cell < cell_count(s); cell++) {
        const int opening = is_opening(s->type[cell]);
        if (openings && opening)
            openings[count].cell = cell;
        count += opening;
        solver->first_opening[cell / s->width + 1] = count;
    }
}

// Threads in a team; 1 without OpenMP.
static int team_size(void)
{
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    return threads;
}

// So many that the rows of a wave, one for each step, and the next row fit into the cache; bands must be high
// enough for their last step.
static int find_pass_steps(const Scenario *s, int bands)
{
    const size_t rows = SECOND_CACHES * second_cache() / (9 * sizeof(float) * pitch(s->width));
    const int fit = rows > MOST_STEPS ? MOST_STEPS : rows > 1 ? (int)rows - 1 : 1;
    const int highest = (s->height / bands + 1) / 2;
    return fit < highest ? fit : highest;
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)block; // one thread needs no blocks
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    solver->cells = array_size(scenario);
    for (int odd = 0; odd < 2; odd++)
        solver->slots[odd] = find_slots(odd, solver->cells, scenario->width);
    const int height = scenario->height,
              threads = cell_count(scenario) >= PARALLEL_THRESHOLD ? team_size() : 1;
    solver->bands = threads < height ? threads : height;
    solver->pass_steps = find_pass_steps(scenario, solver->bands);
    solver->first_link = (size_t *)allocate((height + 1) * sizeof(size_t));
    find_links(solver, NULL);
    solver->links = (Link *)allocate(solver->first_link[height] * sizeof *solver->links);
    find_links(solver, solver->links);
    solver->first_opening = (size_t *)allocate((height + 1) * sizeof(size_t));
    find_openings(solver, NULL);
    solver->openings = (Opening *)allocate(solver->first_opening[height] * sizeof *solver->openings);
    find_openings(solver, solver->openings);

    solver->memory = (float *)allocate((9 * solver->cells + LINE) * sizeof(float));
    solver->f = (float *)(((uintptr_t)solver->memory + 4 * LINE - 1) / (4 * LINE) * (4 * LINE));
    // Shared as in `pass`: a page lies near the core that is the first to write to it.
#pragma omp parallel for schedule(static) if (cell_count(scenario) >= PARALLEL_THRESHOLD)
    for (CellNumber cell = 0; cell < cell_count(scenario); cell++)
        for (int i = 0; i < 9; i++)
            solver->f[at(padded(cell, scenario->width), i, solver->cells)] = 0.0f;
    return solver;
}

static void advance(Solver *solver, int steps)
{
    for (int rest = steps; rest > 0; rest -= solver->pass_steps)
        pass(solver, rest < solver->pass_steps ? rest : solver->pass_steps);
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    fetch(f, solver->f, padded(site->cell, site->physics->width), &solver->slots[solver->steps % 2]);
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    for (int i = 0; i < 9; i++)
        solver->f[at(padded(site->cell, site->physics->width), i, solver->cells)] = f[i];
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    free(solver->memory);
    free(solver->links);
    free(solver->first_link);
    free(solver->openings);
    free(solver->first_opening);
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "several steps for each fetch, in waves over bands of rows",
    .lattice = &d2q9,
    .bytes_per_update = 72.0 / MOST_STEPS, // 9 floats read and 9 written, once in a pass
    .bytes_per_cell = 37.0,                // one grid of 9 floats, 1 cell type
    .epsilon = 1.0 / (1 << 24),            // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,                // ties to even
    .cycle = MOST_STEPS,
    .magic_tau = BGK_MAGIC_TAU,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
