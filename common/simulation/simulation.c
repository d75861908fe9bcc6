#include "simulation/simulation.h"

#include "host/allocate.h"
#include "ranks/messages.h"
#include "simulation/on_all_ranks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Bytes of the populations of a batch, which stay in a cache between two loops. */
enum { BATCH_ON_DEVICE = 20 << 20, BATCH_ON_HOST = 1 << 20 };

/** FlowSums that are left when partial ones have been added up once, and when they come home. */
enum { FOLDED_ONCE = 1024, FOLDED = 32 };

struct Simulation {
    const Stage *stage;
    const Scenario *scenario; // of the whole grid
    const Scenario *grid;     // of what this rank computes: the same, or `part`
    Scenario whole, part;     // on ranks: of the whole grid, without types; of the slab with its ghost layers
    Slab slab;
    int ranks; // that share the grid
    const Memory *memory;
    const BatchLoops *loops;
    CellType *type; // where the state lives
    Solver *solver;
    Batch all;        // the arrays of a batch, and what does not depend on its cells
    CellNumber batch; // cells of a batch
    Real *before;     // [3][cells]: velocities at the last look at their change; NULL: none
    FlowSums *folded; // [FOLDED_ONCE + FOLDED]
    long steps;       // made so far
};

/* ---- Batches ---- */

static size_t directions_in(const Simulation *sim)
{
    return (size_t)sim->stage->lattice->directions;
}

/** A batch that begins with a cell and ends with another at the latest. */
static Batch batch_at(const Simulation *sim, size_t first, size_t end)
{
    Batch c = sim->all;
    c.cells.first = (CellNumber)first;
    c.cells.count = (CellNumber)(end - first < sim->batch ? end - first : sim->batch);
    return c;
}

/** Makes the populations of a batch those of the whole grid at home. */
static void upload_cells(const Simulation *sim, Batch c, const Real *f)
{
    const size_t directions = directions_in(sim), bytes = directions * sizeof(Real);
    if (!c.cells.list) {
        sim->memory->upload(c.side_by_side, f + directions * c.cells.first, c.cells.count * bytes);
        sim->loops->split(c, c.cells.count);
        return;
    }
    CellNumber *list = allocate(c.cells.count * sizeof *list);
    Real *listed = allocate(c.cells.count * bytes);
    sim->memory->fetch(list, c.cells.list, c.cells.count * sizeof *list);
    for (CellNumber n = 0; n < c.cells.count; n++)
        memcpy(listed + directions * n, f + directions * list[n], bytes);
    sim->memory->upload(c.side_by_side, listed, c.cells.count * bytes);
    sim->loops->split(c, c.cells.count);
    free(listed);
    free(list);
}

static void start_batch(const Simulation *sim, Batch c)
{
    if (sim->grid->start.f) {
        upload_cells(sim, c, sim->grid->start.f);
        return;
    }
    c.solution = sim->scenario->flow->start;
    sim->loops->start(c, c.cells.count);
}

/** Makes the populations of a batch those of now. Not every layout can be read before the first step. */
static void read_batch(const Simulation *sim, Batch c)
{
    if (sim->steps == 0)
        start_batch(sim, c);
    else
        sim->stage->read(sim->solver, c.cells, c.f);
}

/** The same of any cells of this rank's grid; a list may be longer than a batch. */
static void read_own_cells(const Simulation *sim, Cells cells, Real *f)
{
    Batch c = sim->all;
    c.cells = cells;
    c.f = f;
    if (sim->steps == 0)
        c.side_by_side = sim->memory->allocate(cells.count * directions_in(sim) * sizeof *f);
    read_batch(sim, c);
    if (c.side_by_side != sim->all.side_by_side)
        sim->memory->release(c.side_by_side);
}

/** The cells in a list that a rank has: numbers in its grid, places in the list. Returns how many. */
static CellNumber pick(const Simulation *sim, int rank, Cells cells, CellNumber *own, CellNumber *place)
{
    const size_t layer = cells_of_layer(sim->grid);
    const Slab slab = slab_of(rank, sim->ranks, sim->scenario);
    const size_t first = slab.first * layer, end = first + slab.count * layer;
    CellNumber picked = 0;
    for (CellNumber n = 0; n < cells.count; n++)
        if (cells.list[n] >= first && cells.list[n] < end) {
            own[picked] = (CellNumber)(cells.list[n] - first + sim->slab.ghosts * layer);
            place[picked++] = n;
        }
    return picked;
}

/** Brings populations of cells of this rank's grid home: f[cells.count * i + n]. */
static void fetch_listed(const Simulation *sim, Cells cells, Real *f)
{
    const size_t bytes = cells.count * directions_in(sim) * sizeof *f,
                 list_bytes = cells.count * sizeof(CellNumber);
    CellNumber *list = sim->memory->allocate(list_bytes);
    Real *there = sim->memory->allocate(bytes);
    sim->memory->upload(list, cells.list, list_bytes);
    read_own_cells(sim, (Cells){cells.count, 0, list}, there);
    sim->memory->fetch(f, there, bytes);
    sim->memory->release(there);
    sim->memory->release(list);
}

/** Gives rank 0 the populations of cells of the whole grid, all at home: each rank sends those of its own. */
static void gather_listed(const Simulation *sim, Cells cells, Real *f)
{
    const size_t directions = directions_in(sim);
    CellNumber *own = allocate(cells.count * sizeof *own), *place = allocate(cells.count * sizeof *place);
    Real *part = allocate(cells.count * directions * sizeof *part);
    for (int rank = this_rank(); rank < sim->ranks; rank += this_rank() ? sim->ranks : 1) {
        const CellNumber picked = pick(sim, rank, cells, own, place);
        const size_t bytes = picked * directions * sizeof *part;
        if (rank == this_rank() && picked)
            fetch_listed(sim, (Cells){picked, 0, own}, part);
        if (this_rank() > 0)
            send_bytes(0, part, bytes);
        else if (rank > 0)
            receive_bytes(rank, part, bytes);
        for (size_t n = 0; n < picked && this_rank() == 0; n++)
            for (size_t i = 0; i < directions; i++)
                f[cells.count * i + place[n]] = part[picked * i + n];
    }
    free(part);
    free(place);
    free(own);
}

void read_cells(const Simulation *sim, Cells cells, Real *f)
{
    if (sim->stage->ghosts == 0) {
        read_own_cells(sim, cells, f);
        return;
    }
    call_on_all_ranks(sim, (Call){.function = READ_CELLS, .count = cells.count});
    const size_t bytes = cells.count * directions_in(sim) * sizeof *f;
    CellNumber *list = allocate(cells.count * sizeof *list);
    Real *home = this_rank() == 0 ? allocate(bytes) : NULL;
    if (this_rank() == 0)
        sim->memory->fetch(list, cells.list, cells.count * sizeof *list);
    broadcast_bytes(list, (int)(cells.count * sizeof *list));
    gather_listed(sim, (Cells){cells.count, 0, list}, home);
    if (this_rank() == 0)
        sim->memory->upload(f, home, bytes);
    free(home);
    free(list);
    end_call();
}

/* ---- Begin and end ---- */

/** The number in the whole grid of the first cell of this rank's. */
static CellNumber first_in_whole(const Simulation *sim)
{
    const int layer = layer_in_grid(sim->scenario, sim->slab.first - sim->slab.ghosts);
    return (CellNumber)(layer * cells_of_layer(sim->scenario));
}

static void create_batch(Simulation *sim)
{
    const Scenario *s = sim->grid;
    const size_t cells = cell_count(s), directions = directions_in(sim);
    const size_t most = sim->stage->home == ON_DEVICE ? BATCH_ON_DEVICE : BATCH_ON_HOST;
    sim->batch = 1;
    while (sim->batch < cells && 2 * sim->batch * directions * sizeof(Real) <= most)
        sim->batch *= 2;
    const size_t bytes = sim->batch * directions * sizeof(Real);
    sim->all.physics = s->physics;
    sim->all.lid = (Real)s->u;
    sim->all.constants = (Constants){sim->scenario->physics, s->u, s->nu};
    sim->all.first_in_whole = first_in_whole(sim);
    sim->all.type = sim->type;
    sim->all.grid = cells;
    sim->all.f = sim->memory->allocate(bytes);
    sim->all.side_by_side = sim->memory->allocate(bytes);
    sim->all.moments = sim->memory->allocate(sim->batch * sizeof(Moments));
    sim->all.partial = sim->memory->allocate(ADDERS * sizeof(FlowSums));
    sim->folded = sim->memory->allocate((FOLDED_ONCE + FOLDED) * sizeof(FlowSums));
}

/** Sets up the solver of what this rank computes, at its start. */
static void create_solver(Simulation *sim, Block block)
{
    const Scenario *s = sim->grid;
    const size_t cells = cell_count(s);
    sim->type = sim->memory->allocate(cells * sizeof *sim->type);
    sim->memory->upload(sim->type, s->type, cells * sizeof *sim->type);
    sim->solver = sim->stage->create(s, sim->type, block);
    create_batch(sim);
    for (size_t first = 0; first < cells; first += sim->batch) {
        const Batch c = batch_at(sim, first, cells);
        start_batch(sim, c);
        sim->stage->write(sim->solver, c.cells, c.f);
    }
}

Simulation *begin_simulation(const Stage *stage, const Scenario *s, Block block)
{
    Simulation *sim = allocate(sizeof *sim);
    const int in_space = stage->lattice->dimensions == 3, on_device = stage->home == ON_DEVICE;
    sim->stage = stage;
    sim->scenario = sim->grid = s;
    sim->memory = on_device ? &device_memory : &host_memory;
    sim->loops = in_space ? (on_device ? &d3q19_on_device : &d3q19_on_host)
                          : (on_device ? &d2q9_on_device : &d2q9_on_host);
    sim->ranks = stage->ghosts > 0 ? rank_count() : 1;
    if (stage->ghosts > 0) {
        sim->whole = begin_on_all_ranks(sim, stage, s, block);
        sim->scenario = s ? s : &sim->whole;
        sim->slab = slab_of(this_rank(), sim->ranks, &sim->whole);
        sim->slab.ghosts = sim->ranks > 1 ? stage->ghosts : stage->ghosts_alone;
        sim->part = create_part(&sim->slab, &sim->whole, s);
        sim->grid = &sim->part;
    } else
        sim->slab.count = layer_count(s);
    create_solver(sim, block);
    destroy_scenario(&sim->part); // its types
    end_call();
    return sim;
}

void end_simulation(Simulation *sim)
{
    call_on_all_ranks(sim, (Call){.function = END_SIMULATION});
    sim->stage->destroy(sim->solver);
    void *const memory[] = {sim->type,        sim->all.f,       sim->all.side_by_side,
                            sim->all.moments, sim->all.partial, sim->before,
                            sim->folded};
    for (size_t n = 0; n < sizeof memory / sizeof *memory; n++)
        sim->memory->release(memory[n]);
    free((Real *)sim->part.start.f);
    free(sim);
    end_call();
}

Solver *solver_of(const Simulation *sim)
{
    return sim->solver;
}

const Stage *stage_of(const Simulation *sim)
{
    return sim->stage;
}

const Scenario *scenario_of(const Simulation *sim)
{
    return sim->scenario;
}

const Memory *memory_of(const Simulation *sim)
{
    return sim->memory;
}

const BatchLoops *loops_of(const Simulation *sim)
{
    return sim->loops;
}

/* ---- Steps ---- */

enum { MOST_AT_A_TIME = 1 << 20 };

void advance_simulation(Simulation *sim, long steps)
{
    call_on_all_ranks(sim, (Call){.function = ADVANCE, .steps = steps});
    if (steps > 0) { // nobody reads the start again
        free((Real *)sim->part.start.f);
        sim->part.start.f = NULL;
    }
    for (long left = steps; left > 0; left -= MOST_AT_A_TIME)
        sim->stage->advance(sim->solver, left < MOST_AT_A_TIME ? (int)left : MOST_AT_A_TIME);
    sim->steps += steps;
    end_call();
}

void wait_for_simulation(const Simulation *sim)
{
    call_on_all_ranks(sim, (Call){.function = WAIT});
    sim->memory->wait();
    if (sim->ranks > 1)
        pass_on_signals();
    end_call();
}

long current_step(const Simulation *sim)
{
    return sim->scenario->start.step + sim->steps;
}

/* ---- Looks ---- */

static FlowSums add_up(const Simulation *sim)
{
    const size_t cells = sim->all.grid;
    const CellNumber adders = cells < ADDERS ? (CellNumber)cells : ADDERS;
    const CellNumber once = adders < FOLDED_ONCE ? adders : FOLDED_ONCE,
                     twice = once < FOLDED ? once : FOLDED;
    FlowSums home[FOLDED], total;
    sim->loops->fold((Fold){sim->all.partial, adders, once, sim->folded}, once);
    sim->loops->fold((Fold){sim->folded, once, twice, sim->folded + FOLDED_ONCE}, twice);
    sim->memory->fetch(home, sim->folded + FOLDED_ONCE, twice * sizeof *home);
    d2q9_on_host.fold((Fold){home, twice, 1, &total}, 1);
    return total;
}

/** Adds up what all ranks have, in their order. */
static FlowSums add_ranks(const Simulation *sim, FlowSums own)
{
    if (sim->ranks == 1)
        return own;
    pass_on_signals();
    FlowSums *all = allocate((size_t)sim->ranks * sizeof *all);
    gather_bytes(&own, sizeof own, all);
    if (this_rank() == 0)
        d2q9_on_host.fold((Fold){all, (CellNumber)sim->ranks, 1, &own}, 1);
    free(all);
    return own;
}

/** Adds up all cells, and what differs from a solution, or from the look before. */
static FlowSums look(const Simulation *sim, Function function, Solution solution, Real *before)
{
    call_on_all_ranks(sim, (Call){.function = function});
    const size_t cells = sim->all.grid, ghosts = sim->slab.ghosts * cells_of_layer(sim->grid);
    sim->loops->clear(sim->all, cells < ADDERS ? (CellNumber)cells : ADDERS);
    for (size_t first = ghosts; first < cells - ghosts; first += sim->batch) {
        Batch c = batch_at(sim, first, cells - ghosts);
        read_batch(sim, c);
        c.solution = solution;
        c.before = before;
        c.time = (double)current_step(sim);
        (solution == NONE ? sim->loops->add
                          : sim->loops->add_errors)(c, c.cells.count < ADDERS ? c.cells.count : ADDERS);
    }
    const FlowSums sums = add_ranks(sim, add_up(sim));
    end_call();
    return sums;
}

FlowSums look_at(const Simulation *sim)
{
    return look(sim, LOOK, NONE, NULL);
}

FlowSums look_at_error(const Simulation *sim)
{
    return look(sim, LOOK_AT_ERROR, sim->scenario->flow->exact, NULL);
}

FlowSums look_at_change(Simulation *sim)
{
    const size_t bytes = 3 * sim->all.grid * sizeof(Real);
    if (!sim->before) {
        sim->before = sim->memory->allocate(bytes);
        sim->memory->clear(sim->before, bytes);
    }
    return look(sim, LOOK_AT_CHANGE, NONE, sim->before);
}

double change_of(const FlowSums *sums)
{
    return sums->difference == 0.0 ? 0.0 : sqrt(sums->difference / sums->square);
}

/* ---- Fields ---- */

/** Brings something of the cells from one on to before another, of this rank's grid, home. */
typedef void Reader(const Simulation *sim, size_t first, size_t end, void *home);

static void read_own_moments(const Simulation *sim, size_t first, size_t end, void *home)
{
    Moments *moments = home;
    for (; first < end; first += sim->batch) {
        const Batch c = batch_at(sim, first, end);
        read_batch(sim, c);
        sim->loops->moments(c, c.cells.count);
        sim->memory->fetch(moments, c.moments, c.cells.count * sizeof *moments);
        moments += c.cells.count;
    }
}

static void read_own_populations(const Simulation *sim, size_t first, size_t end, void *home)
{
    const size_t directions = directions_in(sim);
    Real *f = home;
    for (; first < end; first += sim->batch) {
        const Batch c = batch_at(sim, first, end);
        read_batch(sim, c);
        sim->loops->join(c, c.cells.count);
        sim->memory->fetch(f, c.side_by_side, directions * c.cells.count * sizeof *f);
        f += directions * c.cells.count;
    }
}

/** Brings cells of the whole grid to rank 0, so many bytes each: each rank sends what it holds of them. */
static void collect(const Simulation *sim, size_t first, size_t end, size_t bytes, Reader *read, void *home)
{
    const size_t layer = cells_of_layer(sim->grid), ghosts = sim->slab.ghosts * layer;
    for (int rank = this_rank(); rank < sim->ranks; rank += this_rank() ? sim->ranks : 1) {
        const Slab slab = slab_of(rank, sim->ranks, sim->scenario);
        const size_t below = slab.first * layer, above = below + slab.count * layer;
        const size_t begin = first > below ? first : below, stop = end < above ? end : above;
        if (begin >= stop)
            continue;
        const size_t size = (stop - begin) * bytes;
        char *const place = this_rank() == 0 ? (char *)home + (begin - first) * bytes : allocate(size);
        if (rank == this_rank())
            read(sim, begin - below + ghosts, stop - below + ghosts, place);
        else
            receive_bytes(rank, place, size);
        if (this_rank() > 0) {
            send_bytes(0, place, size);
            free(place);
        }
    }
}

void read_moments(const Simulation *sim, size_t first, size_t count, Moments *moments)
{
    call_on_all_ranks(sim, (Call){.function = READ_MOMENTS, .first = first, .count = count});
    collect(sim, first, first + count, sizeof *moments, read_own_moments, moments);
    end_call();
}

Batch listed_batch(const Simulation *sim, const CellNumber *list, CellNumber count)
{
    Batch c = sim->all;
    CellNumber *there = sim->memory->allocate(count * sizeof *there);
    CellType *type = allocate(count * sizeof *type),
             *type_there = sim->memory->allocate(count * sizeof *type);
    for (CellNumber n = 0; n < count; n++)
        type[n] = sim->scenario->type[list[n]];
    sim->memory->upload(there, list, count * sizeof *there);
    sim->memory->upload(type_there, type, count * sizeof *type);
    free(type);
    c.physics = sim->scenario->physics;
    c.cells = (Cells){count, 0, there};
    c.listed = type_there;
    return c;
}

void release_list(const Simulation *sim, const Batch *c)
{
    sim->memory->release((void *)c->cells.list);
    sim->memory->release((void *)c->listed);
}

void read_listed_moments(const Simulation *sim, const CellNumber *list, CellNumber count, Moments *moments)
{
    const Memory *memory = sim->memory;
    Batch c = listed_batch(sim, list, count);
    c.f = memory->allocate(count * directions_in(sim) * sizeof *c.f);
    c.moments = memory->allocate(count * sizeof *moments);
    read_cells(sim, c.cells, c.f);
    sim->loops->moments(c, count);
    memory->fetch(moments, c.moments, count * sizeof *moments);
    release_list(sim, &c);
    memory->release(c.f);
    memory->release(c.moments);
}

void read_populations(const Simulation *sim, size_t first, size_t count, Real *f)
{
    call_on_all_ranks(sim, (Call){.function = READ_POPULATIONS, .first = first, .count = count});
    collect(sim, first, first + count, directions_in(sim) * sizeof *f, read_own_populations, f);
    end_call();
}

static void read_nodes(const Simulation *sim, Real *home)
{
    const size_t bytes = node_bytes(sim->scenario);
    Real *there = sim->memory->allocate(bytes);
    sim->stage->read_nodes(sim->solver, there);
    sim->memory->fetch(home, there, bytes);
    sim->memory->release(there);
}

void read_snapshot(Snapshot *r, const Simulation *sim)
{
    const size_t cells = cell_count(sim->scenario);
    r->step = current_step(sim);
    read_moments(sim, 0, cells, r->moments);
    if (r->f)
        read_populations(sim, 0, cells, r->f);
    if (r->nodes)
        read_nodes(sim, r->nodes);
}
