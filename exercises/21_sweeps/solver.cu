// D2Q9, regularized, one GPU warp a strip of columns, which it goes up row by row, several steps each time:
// six moments instead of nine populations, structure of arrays, two grids.
#include "allocate.h"
#include "d2q9.h"
#include "lane.h"
#include "stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of a cell after the collision: its momentum, and half the sum of each pair of opposite populations.
enum { MOMENTS = 6 };
enum { STEPS = 5, COLUMNS = 2 }; // steps a sweep, columns a lane
enum {
    // TODO(3): that is enough for one step, and a sweep makes more
    SPAN = LANES * COLUMNS - 2
}; // columns of a strip, without those that its neighbours answer for

// Of a cell: bit i is set if neighbour i is solid, bit MOVES + i if that one moves. Solid cells have all bits
// i.
typedef unsigned Links;
enum { MOVES = 8, PRESCRIBED = 17, INFLOWING = 18 };

struct Solver {
    const Scenario *scenario;
    Links *links;
    unsigned char *special; // [strip][row]: whether a cell of the strip has links there
    int rows;               // of a chunk of a strip
    float *f;               // moments, of the step before: populations have yet to stream
    float *next;            // where the next sweep leaves them
    long steps;             // so far
};

// Two moments of a cell lie side by side, and those of neighbouring cells beside them.
HD size_t at(size_t cell, int i, size_t cells)
{
    return 2 * (i / 2 * cells + cell) + i % 2;
}

// Which moment is half the sum of populations i and opposite(i), i > 0.
HD int pair(int i)
{
    return (i < 5 ? 3 : 5) - i % 2;
}

// Fetches the populations that arrive in a cell: half the sum of a pair, and half the difference.
HD void gather(float *f, const float *m, const Cell *type, int x, int y, const Physics *physics)
{
    const size_t cells = (size_t)physics->width * physics->height;
    for (int i = 1; i < 9; i++) {
        const Landing from = boundary(physics, type, x, y, i);
        const float jx = m[at(from.cell, 0, cells)], jy = m[at(from.cell, 1, cells)];
        const float half = m[at(from.cell, pair(i), cells)], other = 3.0f * weight(i) * dot(i, jx, jy);
        f[opposite(i)] = half + (from.direction == i ? -other : other) + from.gain;
    }
    const CellNumber cell = (CellNumber)y * physics->width + x;
    f[0] = 4.0f * (m[at(cell, pair(1), cells)] + m[at(cell, pair(2), cells)]) -
           8.0f * (m[at(cell, pair(5), cells)] + m[at(cell, pair(6), cells)]);
}

// Collides the populations of a cell, and leaves their moments.
HD void relax(float *m, float *f, Cell type, int y, const Physics *physics)
{
    if (type != FLUID)
        prescribe(f, type, y, physics);
    const float drho = sum(f), jx = momentum_x(f), jy = momentum_y(f);
    const float volume = 1.0f / (1.0f + drho), ux = jx * volume, uy = jy * volume;
    const float trace = jx * ux + jy * uy;
    float difference = (f[1] + f[3]) - (f[2] + f[4]), shear = (f[5] + f[7]) - (f[6] + f[8]);
    difference += physics->omega * (jx * ux - jy * uy - difference);
    shear += physics->omega * (jx * uy - shear);
    m[0] = jx + (type == FLUID ? physics->force_x : 0.0f);
    m[1] = jy + (type == FLUID ? physics->force_y : 0.0f);
    m[pair(1)] = weight(1) * (drho + 0.75f * trace + 2.25f * difference);
    m[pair(2)] = weight(2) * (drho + 0.75f * trace - 2.25f * difference);
    m[pair(5)] = weight(5) * (drho + 3.0f * trace + 9.0f * shear);
    m[pair(6)] = weight(6) * (drho + 3.0f * trace - 9.0f * shear);
}

// Of the populations of a cell: density - 1, momentum, and of the second moments xx + yy, xx - yy and xy.
typedef struct {
    Lane drho, jx, jy, trace, difference, shear;
} Sums;

// What a level of the pipeline knows of the row that it worked on last, in each of its columns.
typedef struct {
    Sums arrived; // so far: what comes from above is not there yet
    Lane up[3];   // populations 2, 5 and 6 on their way to the next row, in the columns where they arrive
} Level;

typedef Lane Populations[COLUMNS][9];

// The populations of cells after the collision; of f[0] a quarter.
LANE_FUNCTION void expand(Lane *f, const Lane *m)
{
    const float axis = 3.0f * weight(1), diagonal = 3.0f * weight(5);
    const Lane jx = m[0], jy = m[1], rising = jx + jy, falling = jx - jy;
    f[0] = FMA(-2.0f, m[pair(5)] + m[pair(6)], m[pair(1)] + m[pair(2)]);
    f[1] = FMA(axis, jx, m[pair(1)]);
    f[3] = FMA(-axis, jx, m[pair(1)]);
    f[2] = FMA(axis, jy, m[pair(2)]);
    f[4] = FMA(-axis, jy, m[pair(2)]);
    f[5] = FMA(diagonal, rising, m[pair(5)]);
    f[7] = FMA(-diagonal, rising, m[pair(5)]);
    f[8] = FMA(diagonal, falling, m[pair(6)]);
    f[6] = FMA(-diagonal, falling, m[pair(6)]);
}

// What open and inflow cells prescribe, instead of what a collision makes of what has arrived.
LANE_FUNCTION void prescribe_sums(Sums *after, const Sums *arrived, LaneInt links, int y,
                                  const Physics *physics)
{
    const float d = (float)y - physics->open_centre, profile = 1.0f - physics->open_curvature * d * d;
    const float ux = profile * physics->open_x, uy = profile * physics->open_y;
    const LaneInt here = links & 1 << PRESCRIBED;
    const Lane drho =
        choose(links & 1 << INFLOWING, (arrived->drho - arrived->jx + ux) / (1.0f - ux), all_lanes(0.0f));
    const Lane rho = 1.0f + drho;
    after->drho = choose(here, drho, after->drho);
    after->jx = choose(here, rho * ux, after->jx);
    after->jy = choose(here, rho * uy, after->jy);
    after->trace = choose(here, rho * (ux * ux + uy * uy), after->trace);
    after->difference = choose(here, rho * (ux * ux - uy * uy), after->difference);
    after->shear = choose(here, rho * (ux * uy), after->shear);
}

// Collides what has arrived in cells, and leaves their moments.
LANE_FUNCTION void relax_sums(Lane *m, const Sums *arrived, LaneInt links, int special, int y,
                              const Physics *physics)
{
    const Lane jx = arrived->jx, jy = arrived->jy, volume = reciprocal(1.0f + arrived->drho);
    const Lane ux = jx * volume, uy = jy * volume;
    Sums after = {arrived->drho,
                  jx + physics->force_x,
                  jy + physics->force_y,
                  FMA(jx, ux, jy * uy),
                  FMA(physics->omega, FMA(jx, ux, -FMA(jy, uy, arrived->difference)), arrived->difference),
                  FMA(physics->omega, FMA(jx, uy, -arrived->shear), arrived->shear)};
    if (special)
        prescribe_sums(&after, arrived, links, y, physics);
    const Lane axis = FMA(0.75f * weight(1), after.trace, weight(1) * after.drho);
    const Lane diagonal = FMA(3.0f * weight(5), after.trace, weight(5) * after.drho);
    m[0] = after.jx;
    m[1] = after.jy;
    m[pair(1)] = FMA(2.25f * weight(1), after.difference, axis);
    m[pair(2)] = FMA(-2.25f * weight(2), after.difference, axis);
    m[pair(5)] = FMA(9.0f * weight(5), after.shear, diagonal);
    m[pair(6)] = FMA(-9.0f * weight(6), after.shear, diagonal);
}

LANE_FUNCTION Lane from_left(const Populations f, int i, int column)
{
    return column > 0 ? f[column - 1][i] : from_lane_below(f[COLUMNS - 1][i]);
}

LANE_FUNCTION Lane from_right(const Populations f, int i, int column)
{
    return column < COLUMNS - 1 ? f[column + 1][i] : from_lane_above(f[0][i]);
}

// Population i as it comes back from a wall where there is one, else what has streamed here.
LANE_FUNCTION Lane bounce(LaneInt links, int i, Lane own, Lane streamed, const Physics *physics)
{
    const Lane gain = choose(links & 1 << (MOVES + i), all_lanes(physics->wall_gain[i]), all_lanes(0.0f));
    return choose(links & 1 << i, own + gain, streamed);
}

// The row below gets what comes down to it, and collides.
LANE_FUNCTION void finish_row(Lane m[COLUMNS][MOMENTS], Level *level, const Populations f,
                              const LaneInt *column, const Links *links, int special, int y,
                              const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f4 = f[c][4], f7 = from_right(f, 7, c), f8 = from_left(f, 8, c);
        LaneInt own = {0};
        if (special) {
            own = load_bits(links, column[c]);
            const Lane own5 = c < COLUMNS - 1 ? level[c + 1].up[1] : from_lane_above(level[0].up[1]);
            const Lane own6 = c > 0 ? level[c - 1].up[2] : from_lane_below(level[COLUMNS - 1].up[2]);
            f4 = bounce(own, 2, level[c].up[0], f4, physics);
            f7 = bounce(own, 5, own5, f7, physics);
            f8 = bounce(own, 6, own6, f8, physics);
        }
        Sums *arrived = &level[c].arrived;
        const Lane down = f4 + (f7 + f8), along = f8 - f7;
        arrived->drho += down;
        arrived->jx += along;
        arrived->jy -= down;
        arrived->difference -= f4;
        arrived->shear -= along;
        relax_sums(m[c], arrived, own, special, y, physics);
    }
}

// The row of these populations gets what comes from itself and from below.
LANE_FUNCTION void start_row(Level *level, const Populations f, const LaneInt *column, const Links *links,
                             int special, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f1 = from_left(f, 1, c), f3 = from_right(f, 3, c);
        Lane f2 = level[c].up[0], f5 = level[c].up[1], f6 = level[c].up[2];
        if (special) {
            const LaneInt own = load_bits(links, column[c]);
            f1 = bounce(own, 3, f[c][3], f1, physics);
            f3 = bounce(own, 1, f[c][1], f3, physics);
            f2 = bounce(own, 4, f[c][4], f2, physics);
            f5 = bounce(own, 7, f[c][7], f5, physics);
            f6 = bounce(own, 8, f[c][8], f6, physics);
        }
        Sums *arrived = &level[c].arrived;
        const Lane up = f2 + (f5 + f6), sides = f1 + f3;
        arrived->drho = FMA(4.0f, f[c][0], sides + up);
        arrived->jx = (f1 - f3) + (f5 - f6);
        arrived->jy = up;
        arrived->difference = sides - f2;
        arrived->shear = f5 - f6;
        level[c].up[0] = f[c][2];
        level[c].up[1] = from_left(f, 5, c);
        level[c].up[2] = from_right(f, 6, c);
    }
}

LANE_FUNCTION int row_below(int row, int n, int height)
{
    row -= n;
    while (row < 0)
        row += height;
    return row;
}

LANE_FUNCTION int row_above(int row, int height)
{
    return row + 1 < height ? row + 1 : 0;
}

// A row goes up through all levels: each takes it one step further, and hands on the row below.
LANE_FUNCTION void climb(const int steps, Level level[STEPS][COLUMNS], Lane m[COLUMNS][MOMENTS],
                         const LaneInt *column, const Links *links, const int special, int row,
                         const Physics *physics)
{
    // TODO(1): this is level 0, and a row is to go through all levels
    (void)steps;
    const int below = special ? row_below(row, 1, physics->height) : 0;
    Populations f;
    for (int c = 0; c < COLUMNS; c++)
        expand(f[c], m[c]);
    finish_row(m, level[0], f, column, links + (size_t)below * physics->width, special, below, physics);
    start_row(level[0], f, column, links + (size_t)row * physics->width, special, physics);
}

// A row of a strip comes in so many parcels. There is room for three rows: two are on their way while one is
// taken.
enum { PARCELS = COLUMNS * MOMENTS / 2, ROOM = 3 };

LANE_FUNCTION void order_row(Parcel *parcels, const float *from, const LaneInt *column, int row,
                             const Physics *physics)
{
    const size_t cells = (size_t)physics->width * physics->height, start = (size_t)row * physics->width;
    for (int n = 0; n < PARCELS; n++)
        order_two(parcels + n, from + at(start, n / COLUMNS * 2, cells), column[n % COLUMNS]);
    end_order();
}

LANE_FUNCTION void take_row(Lane m[COLUMNS][MOMENTS], const Parcel *parcels)
{
    await_all_but_one();
    for (int n = 0; n < PARCELS; n++) {
        Lane *moments = m[n % COLUMNS] + n / COLUMNS * 2;
        take_two(parcels + n, moments, moments + 1);
    }
}

LANE_FUNCTION void leave(float *to, Lane m[COLUMNS][MOMENTS], const LaneInt *column, const LaneInt *inside,
                         int row, const Physics *physics)
{
    const size_t cells = (size_t)physics->width * physics->height, start = (size_t)row * physics->width;
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < MOMENTS; i += 2)
            store_two(to + at(start, i, cells), column[c], inside[c], m[c][i], m[c][i + 1]);
}

// How many strips a grid has, and into how many chunks each is cut.
HD int strips_of(int width)
{
    return (width + SPAN - 1) / SPAN;
}

HD int chunks_of(int height, int rows)
{
    return (height + rows - 1) / rows;
}

// The columns of a lane, and whether the strip answers for them: the first strip lies across the border.
LANE_FUNCTION void find_columns(LaneInt *column, LaneInt *inside, int strip, int width)
{
    for (int c = 0; c < COLUMNS; c++) {
        // TODO(3): the same here
        const LaneInt k = COLUMNS * lane_number() + c, x = strip * SPAN - SPAN / 2 - 1 + k;
        inside[c] = (k >= 1) & (k < 1 + SPAN) & (x < width - SPAN / 2);

        column[c] = (x % width + width) % width;
    }
}

// One warp's part of `steps` steps of the whole grid: a chunk of a strip, and STEPS rows beyond each end of
// it.
LANE_FUNCTION void sweep(const int steps, const Physics *physics, const Links *links,
                         const unsigned char *special, int rows, const float *__restrict__ from,
                         float *__restrict__ to)
{
    const int height = physics->height, chunks = chunks_of(height, rows), strips = strips_of(physics->width);
    const int warp = warp_number(),
              rest = warp - chunks; // the strip with the side walls takes longest: it begins
    if (warp >= strips * chunks)
        return;
    const int strip = rest < 0 ? 0 : 1 + rest % (strips - 1), chunk = rest < 0 ? warp : rest / (strips - 1);
    const int bottom = chunk * rows, top = bottom + rows < height ? bottom + rows : height;
    LaneInt column[COLUMNS], inside[COLUMNS];
    find_columns(column, inside, strip, physics->width);

    Level level[STEPS][COLUMNS];
    memset(level, 0, sizeof level);
    ROOM_FOR_PARCELS(parcels, ROOM * PARCELS);
    // TODO(2): one row below the chunk is enough for one step
    int row = row_below(bottom, 1, height), ordered = row, slot = 0;

    for (int n = 0; n < ROOM - 1; n++, ordered = row_above(ordered, height))
        order_row(parcels + n * PARCELS, from, column, ordered, physics);
    unsigned recent = 0; // bit n: whether the row n rows below is special
    // TODO(2): the same here
    for (int y = bottom - 1; y < top + steps; y++, row = row_above(row, height)) {

        Lane m[COLUMNS][MOMENTS];
        take_row(m, parcels + slot * PARCELS);
        order_row(parcels + (slot + ROOM - 1) % ROOM * PARCELS, from, column, ordered, physics);
        ordered = row_above(ordered, height);
        slot = (slot + 1) % ROOM;
        recent = recent << 1 | special[(size_t)strip * height + row];
        // TODO(4): so far away, and no further, one level looks
        if (recent & 3)

            climb(steps, level, m, column, links, 1, row, physics);
        else
            climb(steps, level, m, column, links, 0, row, physics);
        if (y - steps >= bottom)
            leave(to, m, column, inside, y - steps, physics);
    }
}

static __global__ LAUNCH_BOUNDS_OF_WARPS(3) void several_steps(Physics physics,
                                                               const Links *__restrict__ links,
                                                               const unsigned char *__restrict__ special,
                                                               int rows, const float *__restrict__ from,
                                                               float *__restrict__ to)
{
    sweep(STEPS, &physics, links, special, rows, from, to);
}

static __global__ LAUNCH_BOUNDS_OF_WARPS(3) void one_step(Physics physics, const Links *__restrict__ links,
                                                          const unsigned char *__restrict__ special, int rows,
                                                          const float *__restrict__ from,
                                                          float *__restrict__ to)
{
    sweep(1, &physics, links, special, rows, from, to);
}

// The height of the chunks that are soonest done, where so many warps work at a time: each begins and ends
// STEPS rows beyond its chunk.
static int best_rows(const Scenario *s, int at_once)
{
    int best = s->height;
    double least = HUGE_VAL;
    for (int chunks = 1; chunks <= s->height; chunks++) {
        const int rows = chunks_of(s->height, chunks);
        const double warps = (double)strips_of(s->width) * chunks_of(s->height, rows);
        const double time = ceil(warps / at_once) * (rows + 2 * STEPS);
        if (time < least) {
            least = time;
            best = rows;
        }
    }
    return best;
}

static Links find_links(const Scenario *s, int x, int y)
{
    const Cell type = s->type[(size_t)y * s->width + x];
    Links links = (Links)(type == OPEN || type == INFLOW) << PRESCRIBED | (Links)(type == INFLOW)
                                                                              << INFLOWING;
    for (int i = 1; i < 9; i++) {
        const int nx = wrap(x + ex(i), s->width), ny = wrap(y + ey(i), s->height);
        const Cell neighbour = s->type[(size_t)ny * s->width + nx];
        if (is_wall(type) || is_wall(neighbour))
            links |= 1u << i;
        if (!is_wall(type) && neighbour == MOVING_WALL)
            links |= 1u << (MOVES + i);
    }
    return links;
}

// Marks the rows of strips in which a cell, in the columns beside it too, has links.
static void mark_rows(unsigned char *special, const Links *links, int width, int height)
{
    for (int strip = 0; strip < strips_of(width); strip++) {
        const int first = strip * SPAN - SPAN / 2 - STEPS;
        for (int y = 0; y < height; y++)
            for (int n = 0, x = (first % width + width) % width; n < SPAN + 2 * STEPS;
                 n++, x = wrap(x + 1, width))
                special[(size_t)strip * height + y] |= links[(size_t)y * width + x] != 0;
    }
}

static void create_links(Solver *solver)
{
    const Scenario *s = solver->scenario;
    const size_t cells = cell_count(s), rows = (size_t)strips_of(s->width) * s->height;
    Links *links = (Links *)allocate(cells * sizeof *links);
    unsigned char *special = (unsigned char *)allocate(rows);
    for (size_t cell = 0; cell < cells; cell++)
        links[cell] = find_links(s, cell % s->width, cell / s->width);
    mark_rows(special, links, s->width, s->height);
    CHECK(cudaMalloc((void **)&solver->links, cells * sizeof *links));
    CHECK(cudaMemcpy(solver->links, links, cells * sizeof *links, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc((void **)&solver->special, rows));
    CHECK(cudaMemcpy(solver->special, special, rows, cudaMemcpyHostToDevice));
    free(special);
    free(links);
}

static Solver *create(const Scenario *scenario, Block block)
{
    Solver *solver = (Solver *)allocate(sizeof *solver);
    solver->scenario = scenario;
    dim3 blocks, threads; // of no use here, but refused as everywhere
    gpu_cover(scenario, block, &blocks, &threads);

    const size_t cells = cell_count(scenario), bytes = MOMENTS * cells * sizeof(float);
    gpu_need(2 * bytes + cells * sizeof(Links) + (size_t)strips_of(scenario->width) * scenario->height);
    solver->rows = best_rows(scenario, WARPS_AT_ONCE(several_steps));
    create_links(solver);
    CHECK(cudaMalloc((void **)&solver->f, bytes));
    CHECK(cudaMalloc((void **)&solver->next, bytes));
    CHECK(cudaMemset(solver->next, 0, bytes));

    float *f = (float *)allocate(9 * cells * sizeof(float)), m[MOMENTS];
    initial_populations(scenario, f);
    float *arrays = (float *)allocate(bytes);
    for (size_t cell = 0; cell < cells; cell++) {
        relax(m, f + 9 * cell, scenario->type[cell], cell / scenario->width, &scenario->physics);
        for (int i = 0; i < MOMENTS; i++)
            arrays[at(cell, i, cells)] = m[i];
    }
    CHECK(cudaMemcpy(solver->f, arrays, bytes, cudaMemcpyHostToDevice));
    free(arrays);
    free(f);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Scenario *s = solver->scenario;
    const int warps = strips_of(s->width) * chunks_of(s->height, solver->rows);
    for (int n = solver->steps == 0 ? 1 : 0, made; n < steps; n += made) { // the first collision is behind us
        made = steps - n < STEPS ? 1 : STEPS;
        if (made == STEPS)
            LAUNCH_WARPS(several_steps, warps, s->physics, solver->links, solver->special, solver->rows,
                         solver->f, solver->next);
        else
            LAUNCH_WARPS(one_step, warps, s->physics, solver->links, solver->special, solver->rows, solver->f,
                         solver->next);
        float *swap = solver->f;
        solver->f = solver->next;
        solver->next = swap;
    }
    solver->steps += steps;
    CHECK(cudaDeviceSynchronize());
}

static void read(const Solver *solver, float *f)
{
    const Scenario *s = solver->scenario;
    initial_populations(s, f); // walls hold zeros then as now
    if (solver->steps == 0)
        return;
    const size_t cells = cell_count(s), bytes = MOMENTS * cells * sizeof(float);
    float *arrays = (float *)allocate(bytes);
    CHECK(cudaMemcpy(arrays, solver->f, bytes, cudaMemcpyDeviceToHost));
    for (size_t cell = 0; cell < cells; cell++)
        if (!is_wall(s->type[cell]))
            gather(f + 9 * cell, arrays, s->type, cell % s->width, cell / s->width, &s->physics);
    free(arrays);
}

static void destroy(Solver *solver)
{
    CHECK(cudaFree(solver->links));
    CHECK(cudaFree(solver->special));
    CHECK(cudaFree(solver->f));
    CHECK(cudaFree(solver->next));
    free(solver);
}

const Stage STAGE = {
    STAGE_NAME,
    "a warp goes up a strip of columns and takes each cell five steps further",
    48.0 / STEPS,    // 6 floats read and 6 written, once in a sweep
    52.0,            // two grids of 6 floats, a word of links
    1.0 / (1 << 24), // half a unit in the last of 24 digits
    TO_NEAREST,      // ties to even
    STEPS,           // steps a pass
    7.0 / 8.0,       // where half-way walls are exact
    create,
    advance,
    read,
    destroy,
};
