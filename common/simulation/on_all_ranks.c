#include "simulation/on_all_ranks.h"

#include "gpu/device.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "host/interrupt.h"
#include "ranks/messages.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SIMULATIONS = 16 };

/** A call on its way to all ranks. */
typedef struct {
    Call call;
    int number; /**< of the simulation; TASK: of the part */
    int stage;  /**< BEGIN: its number */
    Block block;
} Command;

static const Stage *const *known_stages;
static int known_stage_count;
static Simulation *held[MOST_SIMULATIONS]; // the same number on all ranks; NULL: the number is free
static Task *the_task;
static int is_at_work;                      // in the middle of what all ranks do together
static int exit_code_of_all = EXIT_MACHINE; // once this rank has failed

/* ---- The end ---- */

static void end_rank(void)
{
    if (is_at_work)
        abort_ranks(exit_code_of_all); // the others may wait for this one for ever
    if (this_rank() == 0)
        broadcast_bytes(&(Command){.call.function = END}, sizeof(Command));
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

Slab slab_of(int rank, int ranks, const Scenario *s)
{
    const long long layers = layer_count(s);
    const int first = (int)(layers * rank / ranks);
    return (Slab){.first = first, .count = (int)(layers * (rank + 1) / ranks) - first};
}

/** Gives each rank the layers of its slab, so many bytes each, out of those of rank 0; to be freed. */
static void *send_layers(const Slab *slab, const Scenario *s, const void *whole, size_t bytes)
{
    const int layers = slab->count + 2 * slab->ghosts;
    char *own = allocate(layers * bytes);
    for (int n = 0; n < layers && this_rank() > 0; n++)
        receive_bytes(0, own + n * bytes, bytes);
    for (int rank = 0; rank < rank_count() && this_rank() == 0; rank++) {
        const Slab to = slab_of(rank, rank_count(), s);
        for (int n = 0; n < to.count + 2 * slab->ghosts; n++) {
            const char *layer = (const char *)whole + layer_in_grid(s, to.first - slab->ghosts + n) * bytes;
            if (rank == 0)
                memcpy(own + n * bytes, layer, bytes);
            else
                send_bytes(rank, layer, bytes);
        }
    }
    return own;
}

Scenario create_part(const Slab *slab, const Scenario *whole, const Scenario *given)
{
    Scenario part = *whole;
    const size_t cells = cells_of_layer(whole);
    const int first = slab->first - slab->ghosts, layers = slab->count + 2 * slab->ghosts;
    int has[] = {given && given->type, given && given->start.f};
    if (is_in_space(whole))
        part.depth = part.physics.depth = layers;
    else {
        part.height = part.physics.height = layers;
        part.physics.open_centre -= (Real)first;
    }
    broadcast_bytes(has, sizeof has);
    if (has[0])
        part.type = send_layers(slab, whole, given ? given->type : NULL, cells * sizeof *part.type);
    else {
        part.type = allocate(layers * cells * sizeof *part.type);
        cell_layers(whole, first, layers, part.type);
    }
    if (has[1])
        part.start.f = send_layers(slab, whole, given ? given->start.f : NULL,
                                   cells * directions_of(whole) * sizeof *part.start.f);
    return part;
}

/** The scenario of rank 0 without its types, of which alone a mask is seen, and its start. */
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

/* ---- Rank 0 sends commands ---- */

/** Makes the other ranks run what this one is about to run. */
static void send_command(Command command)
{
    is_at_work = 1;
    broadcast_bytes(&command, sizeof command);
}

/** The number of a simulation, or that of none; -1: there is no such one. */
static int number_of(const Simulation *simulation)
{
    int n = MOST_SIMULATIONS - 1;
    while (n >= 0 && held[n] != simulation)
        n--;
    return n;
}

static int number_of_stage(const Stage *stage)
{
    int n = 0;
    while (n < known_stage_count && known_stages[n] != stage)
        n++;
    return n;
}

/** Fails if a grid has too few layers for the ranks; it has enough for one in any case. */
static void check_ranks(const Stage *stage, const Scenario *s)
{
    const int most = layer_count(s) / stage->ghosts;
    if (rank_count() > 1 && rank_count() > most)
        fail(EXIT_USAGE, "%d ranks are too many for %d %s: %s takes up to %d", rank_count(), layer_count(s),
             is_in_space(s) ? "layers" : "rows", stage->name, most > 1 ? most : 1);
}

static int begun; // on other ranks than 0: the number of the simulation that a command begins

Scenario begin_on_all_ranks(Simulation *simulation, const Stage *stage, const Scenario *scenario, Block block)
{
    if (this_rank() == 0) {
        check_ranks(stage, scenario);
        begun = number_of(NULL);
        if (begun < 0)
            fail(EXIT_MACHINE, "more than %d simulations at a time are on all ranks", MOST_SIMULATIONS);
        send_command((Command){{.function = BEGIN}, begun, number_of_stage(stage), block});
    }
    held[begun] = simulation;
    if (stage->home == ON_DEVICE)
        choose_device(local_rank());
    return shared_scenario(scenario);
}

void call_on_all_ranks(const Simulation *simulation, Call call)
{
    const int number = number_of(simulation);
    if (number >= 0 && this_rank() == 0)
        send_command((Command){.call = call, .number = number});
    if (number >= 0 && call.function == END_SIMULATION)
        held[number] = NULL;
}

void end_call(void)
{
    if (this_rank() == 0)
        is_at_work = 0;
}

void pass_on_signals(void)
{
    const int code = largest_on_all(stop_code());
    if (this_rank() == 0 && code > 128 && !stop_code())
        pass_on_signal(code - 128);
}

void set_task(Task *task)
{
    the_task = task;
}

void do_on_all_ranks(int part)
{
    send_command((Command){.call.function = TASK, .number = part});
    the_task(part);
    end_call();
}

/* ---- The other ranks run them ---- */

static void run_command(const Command *command)
{
    const Call *c = &command->call;
    Simulation *own = held[command->number];
    switch (c->function) {
    case BEGIN:
        begun = command->number;
        begin_simulation(known_stages[command->stage], NULL, command->block);
        break;
    case ADVANCE:
        advance_simulation(own, c->steps);
        break;
    case WAIT:
        wait_for_simulation(own);
        break;
    case LOOK:
        look_at(own);
        break;
    case LOOK_AT_ERROR:
        look_at_error(own);
        break;
    case LOOK_AT_CHANGE:
        look_at_change(own);
        break;
    case READ_MOMENTS:
        read_moments(own, c->first, c->count, NULL);
        break;
    case READ_POPULATIONS:
        read_populations(own, c->first, c->count, NULL);
        break;
    case READ_CELLS:
        read_cells(own, (Cells){.count = (CellNumber)c->count}, NULL);
        break;
    case END_SIMULATION:
        end_simulation(own);
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
