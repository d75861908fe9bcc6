#include "ranks/on_all_ranks.h"

#include "host/allocate.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "ranks/messages.h"
#include "result/result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SOLVERS = 16 };

/** Operations that rank 0 starts on all ranks. */
typedef enum { CREATE, ADVANCE, READ, LOOK, DESTROY, TASK, END } Operation;

typedef struct {
    Operation operation;
    int number; /**< of the solver; TASK: of the part */
    int stage;  /**< CREATE: its number */
    Block block;
    int steps;
} Command;

/** The layers that this rank holds of a solver, which has the same number on all ranks. */
typedef struct {
    Solver *solver; /**< NULL: the number is free */
    const RankStage *stage;
    Scenario scenario; /**< of the whole grid, without types */
    Slab slab;
    Real *start; /**< of its layers, if they go on from a checkpoint; NULL on rank 0 */
} Held;

static const Stage *const *known_stages;
static int known_stage_count;
static Held held[MOST_SOLVERS];
static Task *the_task;
static int is_at_work;                      // in the middle of what all ranks do together
static int exit_code_of_all = EXIT_MACHINE; // once this rank has failed

/* ---- The end ---- */

/** Runs when a rank ends. */
static void end_rank(void)
{
    if (is_at_work)
        abort_ranks(exit_code_of_all); // the others may wait for this one for ever
    if (this_rank() == 0)
        broadcast_bytes(&(Command){.operation = END}, sizeof(Command));
    close_messages();
}

/** Of the ranks that fail at a time, one says why; it ends the others. */
static int may_say_why(int exit_code)
{
    exit_code_of_all = exit_code;
    if (is_first_to_call())
        return 1;
    sleep(5);
    return 0;
}

/* ---- Slabs ---- */

static Slab slab_of(int rank, const Scenario *s)
{
    const long long layers = layer_count(s);
    const int first = (int)(layers * rank / rank_count());
    return (Slab){.first = first, .count = (int)(layers * (rank + 1) / rank_count()) - first};
}

/** Layers of the grid with so many bytes in a cell. */
static LayerSize layer_size(const Scenario *s, size_t bytes)
{
    return (LayerSize){s->width, rows_of_layer(s), (int)bytes};
}

/** Bytes of so many layers. */
static size_t bytes_of(LayerSize size, int layers)
{
    return (size_t)layers * size.rows * size.width * size.bytes;
}

/** Copies layers out of those of the whole grid, which is periodic. */
static void copy_layers(const void *whole, LayerSize size, const Scenario *s, int first, int count,
                        void *layers)
{
    for (int n = 0; n < count; n++)
        memcpy((char *)layers + bytes_of(size, n),
               (const char *)whole + bytes_of(size, layer_in_grid(s, first + n)), bytes_of(size, 1));
}

/** Sends all other ranks the layers of their slabs, out of those of the whole grid. */
static void send_slabs(const void *whole, LayerSize size, const Scenario *s, int ghosts)
{
    for (int rank = 1; rank < rank_count(); rank++) {
        const Slab slab = slab_of(rank, s);
        const int layers = slab.count + 2 * ghosts;
        void *part = allocate(bytes_of(size, layers));
        copy_layers(whole, size, s, slab.first - ghosts, layers, part);
        send_layers(rank, part, layers, size);
        free(part);
    }
}

/** Finds the types of a slab and of its ghost layers. `whole` is the scenario of rank 0. */
static void find_types(Slab *slab, int ghosts, const Scenario *s, const Scenario *whole)
{
    const int first = slab->first - ghosts, layers = slab->count + 2 * ghosts;
    const LayerSize size = layer_size(s, sizeof *slab->type);
    int has_types = whole && whole->type;
    broadcast_bytes(&has_types, sizeof has_types);
    slab->type = allocate(bytes_of(size, layers));
    if (!has_types)
        cell_layers(s, first, layers, slab->type);
    else if (this_rank() > 0)
        receive_layers(0, slab->type, layers, size);
    else {
        copy_layers(whole->type, size, s, first, layers, slab->type);
        send_slabs(whole->type, size, s, ghosts);
    }
}

/**
 * Finds what a slab and its ghost layers begin with, if not with the flow's own state. What is returned is to
 * be freed; rank 0 has that of the whole grid, which is the caller's.
 */
static Real *find_start(const Slab *slab, int ghosts, Scenario *s, const Scenario *whole)
{
    const int layers = slab->count + 2 * ghosts;
    const LayerSize size = layer_size(s, directions_of(s) * sizeof(Real));
    int has_start = whole && whole->start.f;
    broadcast_bytes(&has_start, sizeof has_start);
    if (!has_start)
        return NULL;
    if (this_rank() == 0) {
        s->start = whole->start;
        send_slabs(whole->start.f, size, s, ghosts);
        return NULL;
    }
    Real *f = allocate(bytes_of(size, layers));
    receive_layers(0, f, layers, size);
    s->start = (Start){f, slab->first - ghosts};
    return f;
}

/** The scenario of rank 0 without its types and its start. Where a mask is among its bodies, only the
 * types show it. */
static Scenario shared_scenario(const Scenario *whole)
{
    Scenario s = {0};
    long long flow = 0;
    if (whole) {
        s = *whole;
        flow = s.flow - flows;
    }
    broadcast_bytes(&s, sizeof s);
    broadcast_bytes(&flow, sizeof flow);
    s.flow = &flows[flow];
    s.bodies.mask.dark = NULL;
    s.type = NULL;
    s.start.f = NULL;
    return s;
}

/* ---- What every rank does ---- */

/** `whole` is NULL but on rank 0. */
static void create(Held *h, const RankStage *stage, const Scenario *whole, Block block)
{
    h->stage = stage;
    h->scenario = shared_scenario(whole);
    h->slab = slab_of(this_rank(), &h->scenario);
    find_types(&h->slab, stage->ghosts, &h->scenario, whole);
    h->start = find_start(&h->slab, stage->ghosts, &h->scenario, whole);
    h->solver = stage->create(&h->scenario, &h->slab, block);
}

/** Returns when all ranks are there. A request for an end that any rank received is passed on to rank 0,
 * which is the one to end. */
static void advance(const Held *h, int steps)
{
    h->stage->advance(h->solver, steps);
    const int code = largest_on_all(stop_code());
    if (this_rank() == 0 && code > 128 && !stop_code())
        pass_on_signal(code - 128);
}

/** Rank 0 gets the layers of all. */
static void read_layers(const Held *h, Real *f)
{
    const Scenario *s = &h->scenario;
    const LayerSize size = layer_size(s, directions_of(s) * sizeof *f);
    if (this_rank() == 0) {
        h->stage->read(h->solver, f);
        for (int rank = 1; rank < rank_count(); rank++) {
            const Slab slab = slab_of(rank, s);
            receive_layers(rank, (char *)f + bytes_of(size, slab.first), slab.count, size);
        }
    } else {
        Real *own = allocate(bytes_of(size, h->slab.count));
        h->stage->read(h->solver, own);
        send_layers(0, own, h->slab.count, size);
        free(own);
    }
}

/** The layers of a slab as a grid of their own. */
static Scenario grid_of(const Held *h)
{
    Scenario own = h->scenario;
    if (own.flow->lattice->dimensions == 2) {
        own.height = own.physics.height = h->slab.count;
        own.physics.open_centre -= (Real)h->slab.first;
    } else
        own.depth = own.physics.depth = h->slab.count;
    own.type = h->slab.type + (size_t)h->stage->ghosts * cells_of_layer(&own);
    return own;
}

/** Checks this rank's layers. */
static int look(const Held *h)
{
    const Scenario own = grid_of(h);
    Result r = create_result(&own);
    memset(r.f, 0xff, population_count(&own) * sizeof *r.f); // NaN
    h->stage->read(h->solver, r.f);
    find_moments(&r);
    const int sane = all_reduce_and(is_sane(&r));
    destroy_result(&r);
    return sane;
}

static void destroy(Held *h)
{
    h->stage->destroy(h->solver);
    free(h->slab.type);
    free(h->start);
    h->start = NULL;
    h->solver = NULL;
}

/* ---- Rank 0 sends commands ---- */

/** Makes the other ranks run what this one is about to run. */
static void send_command(Command command)
{
    is_at_work = 1;
    broadcast_bytes(&command, sizeof command);
}

/** The layers of a solver; without one the first that are free. */
static Held *find_held(const Solver *solver)
{
    for (int n = 0; n < MOST_SOLVERS; n++)
        if (held[n].solver == solver)
            return &held[n];
    fail(EXIT_MACHINE, "more than %d solvers at a time are on all ranks", MOST_SOLVERS);
}

static int number_of(const Stage *stage)
{
    int n = 0;
    while (n < known_stage_count && known_stages[n] != stage)
        n++;
    return n;
}

/** How many ranks a grid has layers for: one in any case. */
static int most_ranks(const RankStage *rank_stage, const Scenario *s)
{
    const int most = layer_count(s) / (rank_stage->ghosts > 1 ? rank_stage->ghosts : 1);
    return most > 1 ? most : 1;
}

static Held *to_create; // on other ranks than 0: the layers of the solver that a command creates

Solver *create_on_all_ranks(const RankStage *rank_stage, const Scenario *scenario, Block block)
{
    if (this_rank() > 0) {
        create(to_create, rank_stage, NULL, block);
        return to_create->solver;
    }
    Held *h = find_held(NULL);
    const int most = most_ranks(rank_stage, scenario);
    if (rank_count() > most)
        fail(EXIT_USAGE, "%d ranks are too many for %d %s: %s takes up to %d", rank_count(),
             layer_count(scenario), rows_of_layer(scenario) == 1 ? "rows" : "layers", rank_stage->stage->name,
             most);
    send_command((Command){.operation = CREATE,
                           .number = (int)(h - held),
                           .stage = number_of(rank_stage->stage),
                           .block = block});
    create(h, rank_stage, scenario, block);
    is_at_work = 0;
    return h->solver;
}

void advance_on_all_ranks(Solver *solver, int steps)
{
    const Held *h = find_held(solver);
    send_command((Command){.operation = ADVANCE, .number = (int)(h - held), .steps = steps});
    advance(h, steps);
    is_at_work = 0;
}

void read_on_all_ranks(const Solver *solver, Real *f)
{
    const Held *h = find_held(solver);
    send_command((Command){.operation = READ, .number = (int)(h - held)});
    read_layers(h, f);
    is_at_work = 0;
}

int is_sane_on_all_ranks(const Solver *solver)
{
    const Held *h = find_held(solver);
    send_command((Command){.operation = LOOK, .number = (int)(h - held)});
    const int sane = look(h);
    is_at_work = 0;
    return sane;
}

void destroy_on_all_ranks(Solver *solver)
{
    Held *h = find_held(solver);
    send_command((Command){.operation = DESTROY, .number = (int)(h - held)});
    destroy(h);
    is_at_work = 0;
}

void set_task(Task *task)
{
    the_task = task;
}

void do_on_all_ranks(int part)
{
    send_command((Command){.operation = TASK, .number = part});
    the_task(part);
    is_at_work = 0;
}

/* ---- The other ranks run them ---- */

static void run_command(const Command *command)
{
    Held *h = &held[command->number];
    switch (command->operation) {
    case CREATE:
        to_create = h;
        known_stages[command->stage]->create(NULL, command->block);
        break;
    case ADVANCE:
        advance(h, command->steps);
        break;
    case READ:
        read_layers(h, NULL);
        break;
    case LOOK:
        look(h);
        break;
    case DESTROY:
        destroy(h);
        break;
    case TASK:
        the_task(command->number);
        break;
    case END:
        is_at_work = 0;
        exit(EXIT_GOOD);
    }
}

void begin_ranks(const Stage *const *stages, int count)
{
    known_stages = stages;
    known_stage_count = count;
    if (!open_messages())
        return;
    fail_together(may_say_why);
    atexit(end_rank);
    if (this_rank() == 0)
        return;
    defer_signals(); // rank 0 is told of them, and needs this one for its end
    is_at_work = 1;
    for (;;) {
        Command command;
        broadcast_bytes(&command, sizeof command);
        run_command(&command);
    }
}
