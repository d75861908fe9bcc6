// D2Q9, regularized, one GPU warp a strip of columns, which it goes up row by row, several steps each time:
// six moments instead of nine populations, row by row, two grids.
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
// Columns of a strip, without those that its neighbours answer for.
// TODO(3): that is enough for one step, and a sweep makes more
enum { SPAN = LANES * COLUMNS - 2 };

// Of a cell: bit i is set if neighbour i is solid, bit MOVES + i if that one moves. Of solid cells all bits i
// are set.
typedef unsigned Links;
enum { MOVES = 8, PRESCRIBED = 17, INFLOWING = 18, OUTFLOWING = 19 };

struct Solver {
    const Scenario *scenario;
    Links *links;
    unsigned char *special; // [strip][row]: whether a cell of the strip has links there
    int rows;               // of a chunk of a strip; of the first strip half as many
    float *f;               // moments, of the step before: populations have yet to stream
    float *next;            // where the next sweep leaves them
    long steps;             // so far
};

// Row by row. In a row two moments of a cell lie side by side, and those of neighbouring cells beside them.
HD size_t at(int x, int y, int i, int width)
{
    return 2 * ((3 * (size_t)y + i / 2) * width + x) + i % 2;
}

// Which moment is half the sum of populations i and opposite(i), i > 0.
HD int pair(int i)
{
    return (i < 5 ? 3 : 5) - i % 2;
}

// Fetches the populations that arrive in a cell: half the sum of a pair, and half the difference.
HD void gather(float *f, const float *m, const Cell *type, int x, int y, const Physics *physics)
{
    const int width = physics->width;
    for (int i = 1; i < 9; i++) {
        const Landing from = boundary(physics, type, x, y, i);
        const int fx = from.cell % width, fy = from.cell / width;
        const float jx = m[at(fx, fy, 0, width)], jy = m[at(fx, fy, 1, width)];
        const float half = m[at(fx, fy, pair(i), width)], other = weight_over_cs2(i) * dot(i, jx, jy);
        f[opposite(i)] = half + (from.direction == i ? -other : other) + from.gain;
    }
    f[0] = 4.0f * (m[at(x, y, pair(1), width)] + m[at(x, y, pair(2), width)]) -
           8.0f * (m[at(x, y, pair(5), width)] + m[at(x, y, pair(6), width)]);
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
    const float twelfth = (1.0f / 12.0f) * trace;
    const float axis = weight(1) * drho + twelfth, diagonal = weight(5) * drho + twelfth;
    m[pair(1)] = axis + 0.25f * difference;
    m[pair(2)] = axis - 0.25f * difference;
    m[pair(5)] = diagonal + 0.25f * shear;
    m[pair(6)] = diagonal - 0.25f * shear;
}

// Of the populations of a cell: density - 1, momentum, and of the second moments xx - yy and xy.
typedef struct {
    Lane drho, jx, jy, difference, shear;
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
    const float axis = weight_over_cs2(1), diagonal = weight_over_cs2(5);
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

// What in- and outflow prescribe, instead of what a collision makes of what has arrived.
LANE_FUNCTION void prescribe_sums(Sums *after, Lane *trace, const Sums *arrived, LaneInt links, int y,
                                  const Physics *physics)
{
    const float d = (float)y - physics->open_centre, profile = 1.0f - physics->open_curvature * d * d;
    const LaneInt here = links & 1 << PRESCRIBED, out = links & 1 << OUTFLOWING;
    const Lane ux = choose(out, arrived->drho + arrived->jx, all_lanes(profile * physics->open_x));
    const Lane uy = choose(out, 0.5f * (arrived->jy + arrived->shear) / (1.0f + ux),
                           all_lanes(profile * physics->open_y));
    const Lane drho =
        choose(links & 1 << INFLOWING, (arrived->drho - arrived->jx + ux) / (1.0f - ux), all_lanes(0.0f));
    const Lane rho = 1.0f + drho;
    after->drho = choose(here, drho, after->drho);
    after->jx = choose(here, rho * ux, after->jx);
    after->jy = choose(here, rho * uy, after->jy);
    *trace = choose(here, rho * (ux * ux + uy * uy), *trace);
    after->difference = choose(here, rho * (ux * ux - uy * uy), after->difference);
    after->shear = choose(here, rho * (ux * uy), after->shear);
}

// Collides what has arrived in cells, and leaves their moments.
LANE_FUNCTION void relax_sums(Lane *m, const Sums *arrived, LaneInt links, int special, int y,
                              const Physics *physics)
{
    const Lane jx = arrived->jx, jy = arrived->jy, volume = reciprocal(1.0f + arrived->drho);
    const Lane ux = jx * volume, uy = jy * volume;
    Lane trace = FMA(jx, ux, jy * uy); // xx + yy relaxes fully
    Sums after = {arrived->drho, jx + physics->force_x, jy + physics->force_y,
                  FMA(physics->omega, FMA(jx, ux, -FMA(jy, uy, arrived->difference)), arrived->difference),
                  FMA(physics->omega, FMA(jx, uy, -arrived->shear), arrived->shear)};
    if (special && any_lane(links & 1 << PRESCRIBED))
        prescribe_sums(&after, &trace, arrived, links, y, physics);
    const Lane twelfth = (1.0f / 12.0f) * trace;
    const Lane axis = FMA(weight(1), after.drho, twelfth), diagonal = FMA(weight(5), after.drho, twelfth);
    m[0] = after.jx;
    m[1] = after.jy;
    m[pair(1)] = FMA(0.25f, after.difference, axis);
    m[pair(2)] = FMA(-0.25f, after.difference, axis);
    m[pair(5)] = FMA(0.25f, after.shear, diagonal);
    m[pair(6)] = FMA(-0.25f, after.shear, diagonal);
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
LANE_FUNCTION Lane bounce(LaneInt links, int i, Lane own, Lane streamed)
{
    return choose(links & 1 << i, own, streamed);
}

// What population i has gained at a moving wall.
LANE_FUNCTION void gain(Lane *f, LaneInt links, int i, const Physics *physics)
{
    *f = choose(links & 1 << (MOVES + i), *f + physics->wall_gain[i], *f);
}

LANE_FUNCTION int any_moves(LaneInt links)
{
    return any_lane(links & 0x1fe << MOVES);
}

// What comes down to a row out of the one above, in a column with walls.
LANE_FUNCTION void bounce_from_above(Lane *f4, Lane *f7, Lane *f8, const Level *level, int column,
                                     LaneInt links, const Physics *physics)
{
    const int right = column + 1, left = column - 1; // where this column's own populations are on their way
    const Lane own5 = right < COLUMNS ? level[right].up[1] : from_lane_above(level[0].up[1]);
    const Lane own6 = left >= 0 ? level[left].up[2] : from_lane_below(level[COLUMNS - 1].up[2]);
    *f4 = bounce(links, 2, level[column].up[0], *f4);
    *f7 = bounce(links, 5, own5, *f7);
    *f8 = bounce(links, 6, own6, *f8);
    if (any_moves(links)) {
        gain(f4, links, 2, physics);
        gain(f7, links, 5, physics);
        gain(f8, links, 6, physics);
    }
}

// What comes to a row from its own cells and from below.
LANE_FUNCTION void bounce_from_below(Lane *f1, Lane *f3, Lane *f2, Lane *f5, Lane *f6, const Lane *own,
                                     LaneInt links, const Physics *physics)
{
    *f1 = bounce(links, 3, own[3], *f1);
    *f3 = bounce(links, 1, own[1], *f3);
    *f2 = bounce(links, 4, own[4], *f2);
    *f5 = bounce(links, 7, own[7], *f5);
    *f6 = bounce(links, 8, own[8], *f6);
    if (any_moves(links)) {
        gain(f1, links, 3, physics);
        gain(f3, links, 1, physics);
        gain(f2, links, 4, physics);
        gain(f5, links, 7, physics);
        gain(f6, links, 8, physics);
    }
}

// The row below gets what comes down to it, and collides.
LANE_FUNCTION void finish_row(Lane m[COLUMNS][MOMENTS], Level *level, const Populations f,
                              const LaneInt *links, int special, int y, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f4 = f[c][4], f7 = from_right(f, 7, c), f8 = from_left(f, 8, c);
        if (special)
            bounce_from_above(&f4, &f7, &f8, level, c, links[c], physics);
        Sums *arrived = &level[c].arrived;
        const Lane down = f4 + (f7 + f8), along = f8 - f7;
        arrived->drho += down;
        arrived->jx += along;
        arrived->jy -= down;
        arrived->difference -= f4;
        arrived->shear -= along;
        relax_sums(m[c], arrived, links[c], special, y, physics);
    }
}

// The row of these populations gets what comes from itself and from below.
LANE_FUNCTION void start_row(Level *level, const Populations f, const LaneInt *links, int special,
                             const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++) {
        Lane f1 = from_left(f, 1, c), f3 = from_right(f, 3, c);
        Lane f2 = level[c].up[0], f5 = level[c].up[1], f6 = level[c].up[2];
        if (special)
            bounce_from_below(&f1, &f3, &f2, &f5, &f6, f[c], links[c], physics);
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

LANE_FUNCTION int row_above(int row, int height)
{
    return row + 1 < height ? row + 1 : 0;
}

LANE_FUNCTION int row_below(int row, int height)
{
    return (row > 0 ? row : height) - 1;
}

LANE_FUNCTION void load_links(LaneInt own[COLUMNS], const Links *links, const LaneInt *column, int row,
                              const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++)
        own[c] = load_bits(links + (size_t)row * physics->width, column[c]);
}

// A row goes up through all levels: each takes it one step further, and hands on the row below.
LANE_FUNCTION void climb(const int steps, Level level[STEPS][COLUMNS], Lane m[COLUMNS][MOMENTS],
                         const LaneInt *column, const Links *links, const int special, int row,
                         const Physics *physics)
{
    LaneInt here[COLUMNS] = {0}, below[COLUMNS] = {0};
    if (special)
        load_links(here, links, column, row, physics);
    // TODO(1): this is level 0, and a row is to go through all levels
    (void)steps;
    if (special) {
        row = row_below(row, physics->height);
        load_links(below, links, column, row, physics);
    }
    Populations f;
    for (int c = 0; c < COLUMNS; c++)
        expand(f[c], m[c]);
    finish_row(m, level[0], f, below, special, row, physics);
    start_row(level[0], f, here, special, physics);
}

// A row of a strip comes in so many parcels. There is room for three rows: two are on their way while one is
// taken.
enum { PARCELS = COLUMNS * MOMENTS / 2, ROOM = 3, AHEAD = ROOM - 1 };

LANE_FUNCTION void order_row(Parcel *parcels, const float *from, const LaneInt *column, int row,
                             const Physics *physics)
{
    for (int n = 0; n < PARCELS; n++)
        order_two(parcels + n, from + at(0, row, n / COLUMNS * 2, physics->width), column[n % COLUMNS]);
}

LANE_FUNCTION void take_row(Lane m[COLUMNS][MOMENTS], const Parcel *parcels)
{
    await_all_but(AHEAD);
    for (int n = 0; n < PARCELS; n++) {
        Lane *moments = m[n % COLUMNS] + n / COLUMNS * 2;
        take_two(parcels + n, moments, moments + 1);
    }
}

LANE_FUNCTION void leave(float *to, Lane m[COLUMNS][MOMENTS], const LaneInt *column, const LaneInt *inside,
                         int row, const Physics *physics)
{
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < MOMENTS; i += 2)
            store_two(to + at(0, row, i, physics->width), column[c], inside[c], m[c][i], m[c][i + 1]);
}

// How many strips a grid has, and into how many chunks each is cut.
HD int strips_of(int width)
{
    return (width + SPAN - 1) / SPAN;
}

HD int chunks_of(int height, int rows)
{
    return (height - 1) / rows + 1;
}

// A chunk of a strip, rows bottom to top - 1.
typedef struct {
    int strip, bottom, top;
} Chunk;

HD int warps_of(int width, int height, int rows)
{
    return chunks_of(height, (rows + 1) / 2) + (strips_of(width) - 1) * chunks_of(height, rows);
}

// Where a warp works; nowhere if there are more warps than chunks. The first strip, in which the side walls
// are, takes longer: it begins, and in chunks of half the height.
LANE_FUNCTION Chunk find_chunk(int warp, int width, int height, int rows)
{
    const int half = (rows + 1) / 2, first = chunks_of(height, half), others = strips_of(width) - 1;
    Chunk chunk = {0, warp * half, 0};
    if (warp >= warps_of(width, height, rows))
        chunk.bottom = height;
    else if (warp >= first) {
        chunk.strip = 1 + (warp - first) % others;
        chunk.bottom = (warp - first) / others * rows;
    }
    const int top = chunk.bottom + (warp < first ? half : rows);
    chunk.top = top < height ? top : height;
    return chunk;
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
    const int width = physics->width, height = physics->height;
    const Chunk chunk = find_chunk(warp_number(), width, height, rows);
    if (chunk.bottom >= chunk.top)
        return;
    LaneInt column[COLUMNS], inside[COLUMNS];
    find_columns(column, inside, chunk.strip, width);

    Level level[STEPS][COLUMNS];
    memset(level, 0, sizeof level);
    ROOM_FOR_PARCELS(parcels, ROOM * PARCELS);
    unsigned recent = 0; // bit n: whether the row n rows below the one ordered last is special
    // TODO(2): one row below the chunk is enough for one step
    const int first = chunk.bottom - 1;

    int row = (first % height + height) % height, ordered = row;
    for (int y = first - AHEAD, slot = 0; y < chunk.top + steps; y++, slot = (slot + 1) % ROOM) {
        if (y + AHEAD < chunk.top + steps)
            order_row(parcels + (slot + AHEAD) % ROOM * PARCELS, from, column, ordered, physics);
        end_order();
        recent = recent << 1 | special[(size_t)chunk.strip * height + ordered];
        if (recent & 1)
            for (int c = 0; c < COLUMNS; c++)
                ask_for_bits(links + (size_t)ordered * width, column[c]);
        ordered = row_above(ordered, height);
        if (y < first)
            continue;
        Lane m[COLUMNS][MOMENTS];
        take_row(m, parcels + slot * PARCELS);
        // TODO(4): so far away, and no further, one level looks
        if (recent >> AHEAD & 3)
            climb(steps, level, m, column, links, 1, row, physics);
        else
            climb(steps, level, m, column, links, 0, row, physics);
        if (y - steps >= chunk.bottom)
            leave(to, m, column, inside, y - steps, physics);
        row = row_above(row, height);
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
    for (int rows = s->height; rows > 0; rows--) {
        const double turns = ceil((double)warps_of(s->width, s->height, rows) / at_once);
        if (turns * (rows + 2 * STEPS) < least) {
            least = turns * (rows + 2 * STEPS);
            best = rows;
        }
    }
    return best;
}

static Links find_links(const Scenario *s, int x, int y)
{
    const Cell type = s->type[(size_t)y * s->width + x];
    Links links = (Links)is_opening(type) << PRESCRIBED | (Links)(type == INFLOW) << INFLOWING |
                  (Links)(type == OUTFLOW) << OUTFLOWING;
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

// Marks the rows of strips in which a cell that matters, in the columns beside it too, has links.
static void mark_rows(unsigned char *special, const Links *links, int width, int height)
{
    for (int strip = 0; strip < strips_of(width); strip++) {
        const int first = strip * SPAN - SPAN / 2 - STEPS, end = width - SPAN / 2 + STEPS;
        const int columns = first + SPAN + 2 * STEPS < end ? SPAN + 2 * STEPS : end - first;
        for (int y = 0; y < height; y++) {
            Links any = 0;
            for (int n = 0, x = (first % width + width) % width; n < columns; n++, x = wrap(x + 1, width))
                any |= links[(size_t)y * width + x];
            special[(size_t)strip * height + y] = any != 0;
        }
    }
}

static void create_links(Solver *solver)
{
    const Scenario *s = solver->scenario;
    const size_t cells = cell_count(s), rows = (size_t)strips_of(s->width) * s->height;
    Links *links = (Links *)allocate(cells * sizeof *links);
    unsigned char *special = (unsigned char *)allocate(rows);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++)
            links[(size_t)y * s->width + x] = find_links(s, x, y);
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
        const int x = cell % scenario->width, y = cell / scenario->width;
        relax(m, f + 9 * cell, scenario->type[cell], y, &scenario->physics);
        for (int i = 0; i < MOMENTS; i++)
            arrays[at(x, y, i, scenario->width)] = m[i];
    }
    CHECK(cudaMemcpy(solver->f, arrays, bytes, cudaMemcpyHostToDevice));
    free(arrays);
    free(f);
    return solver;
}

static void advance(Solver *solver, int steps)
{
    const Scenario *s = solver->scenario;
    const int warps = warps_of(s->width, s->height, solver->rows);
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
