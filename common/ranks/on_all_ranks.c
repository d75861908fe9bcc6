#include "on_all_ranks.h"

#include "allocate.h"
#include "fail.h"
#include "interrupt.h"
#include "messages.h"
#include "result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SOLVERS = 16 };

/** What rank 0 has all ranks do. */
typedef enum { CREATE, ADVANCE, READ, LOOK, DESTROY, END } Task;

typedef struct {
    Task task;
    int number; /**< of the solver */
    int stage;  /**< CREATE: its number */
    Block block;
    int steps;
} Order;

/** The rows that this rank holds of a solver, which has the same number on all ranks. */
typedef struct {
    Solver *solver; /**< NULL: the number is free */
    const Part *part;
    Scenario scenario; /**< of the whole grid, without types */
    Slab slab;
    Real *start; /**< of its rows, if they go on from a checkpoint; NULL on rank 0 */
} Held;

static const Stage *const *known_stages;
static int known_stage_count;
static Held held[MOST_SOLVERS];
static int is_at_work;                      // in the middle of what all ranks do together
static int exit_code_of_all = EXIT_MACHINE; // once this rank has failed

/* ---- The end ---- */

/** The last that a rank does, on its way out of the program. */
static void leave(void)
{
    if (is_at_work)
        abort_ranks(exit_code_of_all); // the others may wait for this one for ever
    if (this_rank() == 0)
        share(&(Order){.task = END}, sizeof(Order));
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

static Slab slab_of(int rank, int height)
{
    const int first = (int)((long long)height * rank / rank_count());
    return (Slab){.first = first, .count = (int)((long long)height * (rank + 1) / rank_count()) - first};
}

/** Copies rows out of those of the whole grid; it is periodic. */
static void copy_rows(const void *whole, RowSize size, int height, int first, int count, void *rows)
{
    const size_t bytes = size.bytes * (size_t)size.width;
    for (int n = 0; n < count; n++)
        memcpy((char *)rows + n * bytes, (const char *)whole + row_in_grid(first + n, height) * bytes, bytes);
}

/** Sends all other ranks the rows of their slabs, out of those of the whole grid. */
static void send_slabs(const void *whole, RowSize size, int height, int ghosts)
{
    for (int rank = 1; rank < rank_count(); rank++) {
        const Slab slab = slab_of(rank, height);
        const int rows = slab.count + 2 * ghosts;
        void *part = allocate(size.bytes * (size_t)rows * size.width);
        copy_rows(whole, size, height, slab.first - ghosts, rows, part);
        send_rows(rank, part, rows, size);
        free(part);
    }
}

/** Finds the types of a slab and of its ghost rows. `whole` is the scenario of rank 0. */
static void find_types(Slab *slab, int ghosts, const Scenario *s, const Scenario *whole)
{
    const int first = slab->first - ghosts, rows = slab->count + 2 * ghosts;
    const RowSize size = {s->width, sizeof *slab->type};
    int given = whole && whole->type;
    share(&given, sizeof given);
    slab->type = allocate((size_t)rows * s->width);
    if (!given)
        cell_rows(s, first, rows, slab->type);
    else if (this_rank() > 0)
        receive_rows(0, slab->type, rows, size);
    else {
        copy_rows(whole->type, size, s->height, first, rows, slab->type);
        send_slabs(whole->type, size, s->height, ghosts);
    }
}

/**
 * Finds what a slab and its ghost rows begin with, if not with the flow's own state. What is returned is to
 * be freed; rank 0 has that of the whole grid, which is the caller's.
 */
static Real *find_start(const Slab *slab, int ghosts, Scenario *s, const Scenario *whole)
{
    const int rows = slab->count + 2 * ghosts;
    const RowSize size = {s->width, DIRECTIONS * sizeof(Real)};
    int given = whole && whole->start.f;
    share(&given, sizeof given);
    if (!given)
        return NULL;
    if (this_rank() == 0) {
        s->start = whole->start;
        send_slabs(whole->start.f, size, s->height, ghosts);
        return NULL;
    }
    Real *f = allocate(size.bytes * (size_t)rows * s->width);
    receive_rows(0, f, rows, size);
    s->start = (Start){f, slab->first - ghosts};
    return f;
}

/** The scenario of rank 0 without its types and its start. Where a drawing is among its bodies, only the
 * types tell of that. */
static Scenario shared_scenario(const Scenario *whole)
{
    Scenario s = {0};
    long long flow = 0;
    if (whole) {
        s = *whole;
        flow = s.flow - flows;
    }
    share(&s, sizeof s);
    share(&flow, sizeof flow);
    s.flow = &flows[flow];
    s.bodies.mask.dark = NULL;
    s.type = NULL;
    s.start.f = NULL;
    return s;
}

/* ---- What every rank does ---- */

/** `whole` is NULL but on rank 0. */
static void create(Held *h, const Part *part, const Scenario *whole, Block block)
{
    h->part = part;
    h->scenario = shared_scenario(whole);
    h->slab = slab_of(this_rank(), h->scenario.height);
    find_types(&h->slab, part->ghosts, &h->scenario, whole);
    h->start = find_start(&h->slab, part->ghosts, &h->scenario, whole);
    h->solver = part->create(&h->scenario, &h->slab, block);
}

/** Returns when all ranks are there. What asked any of them for an end asks rank 0, which is the one to end.
 */
static void advance(const Held *h, int steps)
{
    h->part->advance(h->solver, steps);
    const int code = largest_on_all(stop_code());
    if (this_rank() == 0 && code > 128 && !stop_code())
        pass_on_signal(code - 128);
}

/** Rank 0 gets the rows of all. */
static void read_rows(const Held *h, Real *f)
{
    const Scenario *s = &h->scenario;
    const RowSize size = {s->width, DIRECTIONS * sizeof *f};
    if (this_rank() == 0) {
        h->part->read(h->solver, f);
        for (int rank = 1; rank < rank_count(); rank++) {
            const Slab slab = slab_of(rank, s->height);
            receive_rows(rank, f + DIRECTIONS * (size_t)slab.first * s->width, slab.count, size);
        }
    } else {
        Real *own = allocate(DIRECTIONS * (size_t)h->slab.count * s->width * sizeof *own);
        h->part->read(h->solver, own);
        send_rows(0, own, h->slab.count, size);
        free(own);
    }
}

/** Looks at this rank's rows as at a grid of their own. */
static int look(const Held *h)
{
    Scenario rows = h->scenario;
    rows.height = rows.physics.height = h->slab.count;
    rows.physics.open_centre -= (Real)h->slab.first;
    rows.type = h->slab.type + (size_t)h->part->ghosts * rows.width;
    Result r = create_result(&rows);
    memset(r.f, 0xff, DIRECTIONS * cell_count(&rows) * sizeof *r.f); // NaN
    h->part->read(h->solver, r.f);
    find_moments(&r);
    const int sane = is_true_on_all(is_sane(&r));
    destroy_result(&r);
    return sane;
}

static void destroy(Held *h)
{
    h->part->destroy(h->solver);
    free(h->slab.type);
    free(h->start);
    h->start = NULL;
    h->solver = NULL;
}

/* ---- Rank 0 gives the orders ---- */

/** Has the other ranks do what this one is about to do. */
static void give(Order order)
{
    is_at_work = 1;
    share(&order, sizeof order);
}

/** The rows of a solver; without one the first that are free. */
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

/** How many ranks a grid has rows for: one in any case. */
static int most_ranks(const Part *part, const Scenario *s)
{
    const int most = s->height / (part->ghosts > 1 ? part->ghosts : 1);
    return most > 1 ? most : 1;
}

static Held *ordered; // the rows of the solver that this rank was ordered to create

Solver *create_on_all_ranks(const Part *part, const Scenario *scenario, Block block)
{
    if (this_rank() > 0) {
        create(ordered, part, NULL, block);
        return ordered->solver;
    }
    Held *h = find_held(NULL);
    const int most = most_ranks(part, scenario);
    if (rank_count() > most)
        fail(EXIT_USAGE, "%d ranks are too many for %d rows: %s takes up to %d", rank_count(),
             scenario->height, part->stage->name, most);
    give((Order){.task = CREATE, .number = (int)(h - held), .stage = number_of(part->stage), .block = block});
    create(h, part, scenario, block);
    is_at_work = 0;
    return h->solver;
}

void advance_on_all_ranks(Solver *solver, int steps)
{
    const Held *h = find_held(solver);
    give((Order){.task = ADVANCE, .number = (int)(h - held), .steps = steps});
    advance(h, steps);
    is_at_work = 0;
}

void read_on_all_ranks(const Solver *solver, Real *f)
{
    const Held *h = find_held(solver);
    give((Order){.task = READ, .number = (int)(h - held)});
    read_rows(h, f);
    is_at_work = 0;
}

int is_sane_on_all_ranks(const Solver *solver)
{
    const Held *h = find_held(solver);
    give((Order){.task = LOOK, .number = (int)(h - held)});
    const int sane = look(h);
    is_at_work = 0;
    return sane;
}

void destroy_on_all_ranks(Solver *solver)
{
    Held *h = find_held(solver);
    give((Order){.task = DESTROY, .number = (int)(h - held)});
    destroy(h);
    is_at_work = 0;
}

/* ---- The others carry them out ---- */

static void carry_out(const Order *order)
{
    Held *h = &held[order->number];
    switch (order->task) {
    case CREATE:
        ordered = h;
        known_stages[order->stage]->create(NULL, order->block);
        break;
    case ADVANCE:
        advance(h, order->steps);
        break;
    case READ:
        read_rows(h, NULL);
        break;
    case LOOK:
        look(h);
        break;
    case DESTROY:
        destroy(h);
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
    atexit(leave);
    if (this_rank() == 0)
        return;
    defer_signals(); // rank 0 is told of them, and needs this one for its end
    is_at_work = 1;
    for (;;) {
        Order order;
        share(&order, sizeof order);
        carry_out(&order);
    }
}
