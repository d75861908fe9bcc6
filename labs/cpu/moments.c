// Stage 30 on a CPU: six moments of each cell, in one grid, by a loop without branches over each row. A step
// writes the grid two rows lower than it has read it, and the next step two rows higher, so that no second
// grid is needed.
#include "host/allocate.h"
#include "host/independent.h"
#include "lattice/d2q9.h"
#include "stage/stage.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOMENTS = 6, // of a cell after the collision: its momentum, and half the sum of each pair of opposite
                 // populations
    SHIFT = 2,   // rows between the place where a step reads a row and the one where it writes it
    LINE = 16    // floats of a cache line
};

// A population that a wall sends back, kept as a moment of the wall's cell. Places are counted from the first
// cell.
typedef struct {
    ptrdiff_t cell, wall;
    int direction;
    float gain;
} Link;

// Floats from a row to the next one, and from a moment to the next one.
typedef struct {
    ptrdiff_t row, moment;
} Strides;

struct Solver {
    const Scenario *scenario;
    const CellType *type; // [height][width]
    Strides strides;
    float *memory; // what `allocate` gave: MOMENTS arrays, each of SHIFT + height + 2 rows, and a margin
    float *grid;   // the first cell, somewhere in it; there is a ghost row on each side
    long steps;    // so far; the grid then holds the moments after the collision of the step before
    Link *links;   // [link_count]
    size_t link_count;
    CellNumber *special; // in order: open cells, and cells at a wall that has fluid on two opposite sides
    size_t *special_of;  // [height + 1]: where those of a row begin
};

// Structure of arrays. A row has a ghost cell at x = -1, the last place of the row below, and one at x =
// width.
static ptrdiff_t at(ptrdiff_t x, ptrdiff_t y, int i, Strides strides)
{
    return i * strides.moment + y * strides.row + x;
}

// How far off the neighbour in direction i lies.
HOST_DEVICE ptrdiff_t neighbour(int i, ptrdiff_t row)
{
    return ey(i) * row + ex(i);
}

// Which moment is half the sum of populations i and opposite(i), i > 0.
HOST_DEVICE int pair(int i)
{
    return (i < 5 ? 3 : 5) - i % 2;
}

// The population that leaves a cell in direction i, i > 0.
HOST_DEVICE float leaving(const float *cell, int i, ptrdiff_t moment)
{
    return cell[pair(i) * moment] + weight_over_cs2(i) * dot(i, cell[0], cell[moment]);
}

// The population that stays in a cell.
HOST_DEVICE float resting(const float *cell, ptrdiff_t moment)
{
    return 4.0f * (cell[pair(1) * moment] + cell[pair(2) * moment]) -
           8.0f * (cell[pair(5) * moment] + cell[pair(6) * moment]);
}

// The collision of stage 30, without a force.
HOST_DEVICE void collide_regularized(float *m, const float *f, float omega)
{
    const float drho = sum(f), jx = momentum_x(f), jy = momentum_y(f);
    const float volume = 1.0f / (1.0f + drho), ux = jx * volume, uy = jy * volume;
    const float trace = jx * ux + jy * uy;
    float difference = (f[1] + f[3]) - (f[2] + f[4]), shear = (f[5] + f[7]) - (f[6] + f[8]);
    difference += omega * (jx * ux - jy * uy - difference);
    shear += omega * (jx * uy - shear);
    const float twelfth = (1.0f / 12.0f) * trace;
    const float axis = weight(1) * drho + twelfth, diagonal = weight(5) * drho + twelfth;
    m[0] = jx;
    m[1] = jy;
    m[pair(1)] = axis + 0.25f * difference;
    m[pair(2)] = axis - 0.25f * difference;
    m[pair(5)] = diagonal + 0.25f * shear;
    m[pair(6)] = diagonal - 0.25f * shear;
}

// Treats every cell of a row as fluid; what is wrong after that is corrected later.
static void step_row(Physics physics, ptrdiff_t row, ptrdiff_t moment, const float *from, float *to)
{
    INDEPENDENT
    for (ptrdiff_t x = 0; x < physics.width; x++) {
        float f[9], m[MOMENTS];
        f[0] = resting(from + x, moment);
        for (int i = 1; i < 9; i++)
            f[i] = leaving(from + x - neighbour(i, row), i, moment);
        collide_regularized(m, f, physics.omega);
        m[0] += physics.force_x;
        m[1] += physics.force_y;
        for (int i = 0; i < MOMENTS; i++)
            to[x + i * moment] = m[i];
    }
}

// The populations that arrive in a cell, whatever is beside it.
static void pull(float *f, const float *grid, CellNumber cell, const Scenario *s, Strides strides)
{
    const int x = cell % s->width, y = cell / s->width;
    const float *own = grid + at(x, y, 0, strides);
    f[0] = resting(own, strides.moment);
    for (int i = 1; i < 9; i++) {
        const Destination from = boundary(&s->physics, s->type, x, y, i);
        const float *other = from.direction == i ? own + neighbour(i, strides.row) : own;
        f[opposite(i)] = leaving(other, opposite(from.direction), strides.moment) + from.gain;
    }
}

// Collides the populations of a cell of any type, and stores their moments.
static void collide_cell(float *grid, float *f, CellNumber cell, const Scenario *s, Strides strides)
{
    const int fluid = s->type[cell] == FLUID, y = cell / s->width;
    float m[MOMENTS];
    if (!fluid)
        impose_boundary(f, s->type[cell], y, &s->physics);
    collide_regularized(m, f, s->physics.omega);
    m[0] += fluid ? s->physics.force_x : 0.0f;
    m[1] += fluid ? s->physics.force_y : 0.0f;
    for (int i = 0; i < MOMENTS; i++)
        grid[at(cell % s->width, y, i, strides)] = m[i];
}

// What the loop got wrong in a row. All rows that it has read are still there.
static void correct_row(const Solver *solver, const float *from, float *to, int y)
{
    for (size_t n = solver->special_of[y]; n < solver->special_of[y + 1]; n++) {
        float f[9];
        pull(f, from, solver->special[n], solver->scenario, solver->strides);
        collide_cell(to, f, solver->special[n], solver->scenario, solver->strides);
    }
}

// Beyond each end of a row lies its other end.
static void fill_ghost_cells(float *row, int width, Strides strides)
{
    for (int i = 0; i < MOMENTS; i++) {
        row[i * strides.moment - 1] = row[i * strides.moment + width - 1];
        row[i * strides.moment + width] = row[i * strides.moment];
    }
}

// Beyond the lowest row lies the highest one, and vice versa. After that, walls take the populations that
// they send back.
static void fill_ghost_rows_and_walls(const Solver *solver, float *grid)
{
    const Strides strides = solver->strides;
    const ptrdiff_t top = (solver->scenario->height - 1) * strides.row;
    for (int i = 0; i < MOMENTS; i++) {
        float *lowest = grid + i * strides.moment - 1;
        memcpy(lowest - strides.row, lowest + top, strides.row * sizeof(float));
        memcpy(lowest + top + strides.row, lowest, strides.row * sizeof(float));
    }
    for (const Link *link = solver->links; link < solver->links + solver->link_count; link++) {
        float *wall = grid + link->wall;
        wall[0] = wall[strides.moment] = 0.0f;
        wall[pair(link->direction) * strides.moment] =
            leaving(grid + link->cell, link->direction, strides.moment) + link->gain;
    }
}

// Downward from the lowest row, or upward from the highest one: a row is written to a place that no later one
// reads.
static void step(Solver *solver)
{
    const Scenario *s = solver->scenario;
    const int down = solver->steps % 2 != 0;
    const float *from = solver->grid;
    float *to = solver->grid + at(0, down ? -SHIFT : SHIFT, 0, solver->strides);
    for (int n = 0; n < s->height; n++) {
        const int y = down ? n : s->height - 1 - n;
        const ptrdiff_t row = at(0, y, 0, solver->strides);
        step_row(s->physics, solver->strides.row, solver->strides.moment, from + row, to + row);
        correct_row(solver, from, to, y);
        fill_ghost_cells(to + row, s->width, solver->strides);
    }
    fill_ghost_rows_and_walls(solver, to);
    solver->grid = to;
}

static int is_wall_at(const Scenario *s, int x, int y)
{
    return is_wall(s->type[(CellNumber)wrap(y, s->height) * s->width + wrap(x, s->width)]);
}

// A moment of a wall holds one population. Where two are to leave it, to opposite sides, both their cells are
// special.
static int is_special(const Scenario *s, CellNumber cell)
{
    const int x = cell % s->width, y = cell / s->width;
    for (int i = 1; i < 9; i++) {
        const int wx = wrap(x + ex(i), s->width), wy = wrap(y + ey(i), s->height);
        if (is_wall_at(s, wx, wy) && !is_wall_at(s, wx + ex(i), wy + ey(i)))
            return 1;
    }
    return is_opening(s->type[cell]);
}

// Counts the links, and lists them if there is an array for them.
static size_t find_links(const Scenario *s, Strides strides, Link *links)
{
    size_t count = 0;
    for (CellNumber cell = 0; cell < cell_count(s); cell++)
        for (int i = 1; i < 9 && !is_wall(s->type[cell]); i++) {
            const int x = cell % s->width, y = cell / s->width;
            const Destination destination = boundary(&s->physics, s->type, x, y, i);
            const ptrdiff_t own = at(x, y, 0, strides);
            if (destination.direction == i)
                continue;
            if (links)
                links[count] = (Link){own, own + neighbour(i, strides.row), i, destination.gain};
            count++;
        }
    return count;
}

// The same for special cells; says also where those of each row begin.
static size_t find_special(const Scenario *s, CellNumber *special, size_t *special_of)
{
    size_t count = 0;
    for (CellNumber cell = 0; cell < cell_count(s); cell++) {
        if (cell % s->width == 0)
            special_of[cell / s->width] = count;
        if (is_wall(s->type[cell]) || !is_special(s, cell))
            continue;
        if (special)
            special[count] = cell;
        count++;
    }
    special_of[s->height] = count;
    return count;
}

// A row takes whole cache lines, ghost cells included. An array takes whole pages and 7 lines more: arrays
// that begin in the same line of a page compete for the same cache sets.
static Strides find_strides(const Scenario *s)
{
    const ptrdiff_t row = ((ptrdiff_t)s->width + 2 + LINE - 1) / LINE * LINE, page = 64 * LINE;
    const ptrdiff_t moment = (row * (s->height + SHIFT + 2) + page - 1) / page * page + 7 * LINE;
    return (Strides){row, moment};
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)block; // one thread needs no blocks
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    solver->type = type;
    const Strides strides = solver->strides = find_strides(scenario);
    solver->link_count = find_links(scenario, strides, NULL);
    solver->links = (Link *)allocate(solver->link_count * sizeof *solver->links);
    find_links(scenario, strides, solver->links);
    solver->special_of = (size_t *)allocate((scenario->height + 1) * sizeof *solver->special_of);
    solver->special =
        (CellNumber *)allocate(find_special(scenario, NULL, solver->special_of) * sizeof *solver->special);
    find_special(scenario, solver->special, solver->special_of);

    solver->memory = (float *)allocate((MOMENTS * strides.moment + 2 * LINE) * sizeof(float));
    float *lowest = solver->memory + LINE; // at the beginning of a cache line, with a place before it
    lowest += (LINE - (uintptr_t)lowest / sizeof *lowest % LINE) % LINE;
    solver->grid = lowest + at(0, SHIFT + 1, 0, strides);
    return solver;
}

static void fill_all_ghosts(Solver *solver)
{
    const Scenario *s = solver->scenario;
    for (int y = 0; y < s->height; y++)
        fill_ghost_cells(solver->grid + at(0, y, 0, solver->strides), s->width, solver->strides);
    fill_ghost_rows_and_walls(solver, solver->grid);
}

// The first step only collides, which `put` has done: so the grid holds what `get` needs, too.
static void advance(Solver *solver, int steps)
{
    if (solver->steps == 0)
        fill_all_ghosts(solver);
    for (int n = 0; n < steps; n++, solver->steps++)
        if (solver->steps > 0)
            step(solver);
}

HOST_DEVICE void get(const Solver *solver, const Site *site, float *f)
{
    pull(f, solver->grid, site->cell, solver->scenario, solver->strides);
}

HOST_DEVICE void put(Solver *solver, const Site *site, float *f)
{
    collide_cell(solver->grid, f, site->cell, solver->scenario, solver->strides);
}

#include "stage/read_and_write.h" // makes `read` and `write` of these

static void destroy(Solver *solver)
{
    free(solver->memory);
    free(solver->links);
    free(solver->special);
    free(solver->special_of);
    free(solver);
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "six moments a cell in one grid, which moves by two rows in each step",
    .lattice = &d2q9,
    .bytes_per_update = 48.0,   // 6 floats read and 6 written
    .bytes_per_cell = 25.0,     // one grid of 6 floats, 1 cell type
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 2,                 // one downward and one upward
    .magic_tau = 7.0 / 8.0,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
};
