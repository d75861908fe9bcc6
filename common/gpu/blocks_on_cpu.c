#include "gpu/blocks_on_cpu.h"

#include "gpu/block_state.h"
#include "gpu/cluster.h"
#include "gpu/fibres.h"
#include "gpu/graphs_on_cpu.h"
#include "gpu/thread_order.h"
#include "host/fail.h"

enum { WARP = 32 }; // threads

Launch launch;

/** The order of the threads of launch.block; those from `next` up to `end` are still to run. */
static struct {
    Schedule schedule;
    int next, end;
} turns;

static void require_block(const char *name, const char *file, int line)
{
    if (launch.count == 0)
        fail(EXIT_MACHINE,
             "%s:%d: %s in a kernel launched by LAUNCH; threads that work together take LAUNCH_BLOCKS", file,
             line, name);
}

void *dynamic_shared_memory(const char *file, int line)
{
    require_block("SHARED", file, line);
    if (launch.shared_bytes == 0)
        fail(EXIT_MACHINE, "%s:%d: SHARED in a kernel launched with 0 bytes of shared memory; it takes some",
             file, line);
    return launch.block->shared;
}

static void wait_at(Thread *thread, const Barrier *barrier, uint32_t mask)
{
    thread->at = barrier;
    thread->mask = mask;
    thread->state = WAITS;
    launch.progress = 1;
    yield();
}

void wait_for_block(const Barrier *barrier)
{
    require_block(barrier->name, barrier->file, barrier->line);
    wait_at(&launch.block->threads[launch.running], barrier, 0);
}

int poll_again(const Barrier *place, unsigned *polls)
{
    require_block(place->name, place->file, place->line);
    if (!launch.together)
        fail(EXIT_MACHINE,
             "%s:%d: %s in a kernel launched by LAUNCH_BLOCKS; blocks that wait for others take "
             "LAUNCH_COOPERATIVE",
             place->file, place->line, place->name);
    Thread *thread = &launch.block->threads[launch.running];
    thread->at = place;
    thread->state = POLLING;
    launch.progress |= (*polls)++ == 0; // it has come here from somewhere else
    yield();
    return 1;
}

void preemption_point(void)
{
    if (launch.stores > 0 && launch.block == launch.late && turns.next > launch.undisturbed &&
        --launch.stores == 0) {
        launch.interrupted = 1;
        turns.end = turns.next; // no other thread begins
        yield();
    }
}

static void hold(void)
{
    launch.block->threads[launch.running].state = HELD;
    launch.progress = 1;
    yield();
}

void wait_for_launch(const Barrier *barrier)
{
    if (launch.count == 0)
        fail(EXIT_MACHINE, "%s:%d: %s in a kernel launched by LAUNCH or LAUNCH_ON; it takes LAUNCH_DEPENDENT",
             barrier->file, barrier->line, barrier->name);
    launch.dependent++;
    if (launch.early)
        hold();
}

void wait_for_cluster(const Barrier *barrier)
{
    require_block(barrier->name, barrier->file, barrier->line);
    if (!launch.in_cluster)
        fail(EXIT_MACHINE, "%s:%d: %s in a kernel that is no cluster; it takes LAUNCH_CLUSTER", barrier->file,
             barrier->line, barrier->name);
    hold();
}

uint32_t exchange(const Barrier *barrier, uint32_t mask, uint32_t brought, int lane)
{
    require_block(barrier->name, barrier->file, barrier->line);
    if (!(mask >> own_lane() & 1))
        fail(EXIT_MACHINE,
             "%s:%d: lane %d calls %s with the mask %#x, which lacks it; a mask names its callers",
             barrier->file, barrier->line, own_lane(), barrier->name, (unsigned)mask);
    Thread *thread = &launch.block->threads[launch.running];
    thread->brought = brought;
    thread->lane = lane & (WARP - 1);
    launch.block->in_exchange++;
    wait_at(thread, barrier, mask);
    return thread->got;
}

uint32_t vote(const Barrier *barrier, uint32_t mask, int predicate)
{
    exchange(barrier, mask, predicate != 0, 0);
    return launch.block->threads[launch.running].votes;
}

int own_lane(void)
{
    return launch.running % WARP;
}

int lane_or_own(int distance)
{
    const int lane = own_lane() + distance;
    return lane >= 0 && lane < WARP ? lane : own_lane();
}

static int wait_together(const Thread *a, const Thread *b)
{
    return a->state == WAITS && b->state == WAITS && a->mask == b->mask && a->at->file == b->at->file &&
           a->at->number == b->at->number;
}

/** Lanes of the warp that begins with thread `first`: those that wait together with a thread. */
static uint32_t lanes_with(int first, const Thread *waiting)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP && first + lane < launch.count; lane++)
        if (wait_together(&launch.block->threads[first + lane], waiting))
            lanes |= 1u << lane;
    return lanes;
}

static uint32_t lanes_alive(int first)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP && first + lane < launch.count; lane++)
        if (launch.block->threads[first + lane].state != RETURNED)
            lanes |= 1u << lane;
    return lanes;
}

/** Gives each of these lanes the value that it reads from another, and lets it go on. */
static void exchange_values(Thread *warp, uint32_t lanes)
{
    uint32_t votes = 0;
    for (int lane = 0; lane < WARP; lane++)
        if (lanes >> lane & 1 && warp[lane].brought != 0)
            votes |= 1u << lane;
    for (int lane = 0; lane < WARP; lane++)
        if (lanes >> lane & 1) {
            Thread *thread = &warp[lane];
            thread->got = lanes >> thread->lane & 1 ? warp[thread->lane].brought : ~0u;
            thread->votes = votes;
            thread->state = RUNS;
            launch.block->in_exchange--;
        }
}

/** Whether threads of this warp can go on, since all have come that they waited for. */
static int release_warp(int first)
{
    int released = 0;
    for (int n = first; n < first + WARP && n < launch.count; n++) {
        const uint32_t mask = launch.block->threads[n].mask;
        if (launch.block->threads[n].state != WAITS || mask == 0 ||
            lanes_with(first, &launch.block->threads[n]) != (mask & lanes_alive(first)))
            continue;
        exchange_values(&launch.block->threads[first], mask & lanes_alive(first));
        released = 1;
    }
    return released;
}

static int count_with(const Thread *waiting)
{
    int count = 0;
    for (int n = 0; n < launch.count; n++)
        count += wait_together(&launch.block->threads[n], waiting);
    return count;
}

static NORETURN void report(int n)
{
    const Thread *thread = &launch.block->threads[n];
    const int first = n / WARP * WARP, lanes = launch.count - first < WARP ? launch.count - first : WARP;
    const int expected =
        thread->mask == 0 ? launch.count : __builtin_popcount(thread->mask & (uint32_t)((1ull << lanes) - 1));
    const int came = thread->mask == 0 ? count_with(thread) : __builtin_popcount(lanes_with(first, thread));
    fail(EXIT_MACHINE, "%s:%d: %d of %d threads reach %s in %s; the others return or wait at another barrier",
         thread->at->file, thread->at->line, came, expected, thread->at->name, name_of_block());
}

/** When no thread can run: lets all go on from the barrier that they wait at. Fails if that is not one. */
static void release_block(void)
{
    int n = 0;
    while (launch.block->threads[n].state != WAITS)
        n++;
    if (launch.block->threads[n].mask != 0 || count_with(&launch.block->threads[n]) != launch.count)
        report(n);
    for (n = 0; n < launch.count; n++)
        launch.block->threads[n].state = RUNS;
    launch.progress = 1;
}

/** Fibres whose thread has returned, the last one last: its stack is still in the cache. */
static int free_fibres[MOST_FIBRES], free_count, fibre_count;

/** Number n at place n: the argument that tells fibre n its number. */
static int fibre_numbers[MOST_FIBRES];

static int take_fibre(void)
{
    if (free_count > 0)
        return free_fibres[--free_count];
    fibre_numbers[fibre_count] = fibre_count;
    return fibre_count++;
}

static Thread *enter_thread(int n)
{
    Thread *thread = &launch.block->threads[n];
    launch.running = n;
    threadIdx.x = (unsigned)n % blockDim.x;
    threadIdx.y = (unsigned)n / blockDim.x;
    thread->state = RUNS;
    return thread;
}

/** The next thread, if it has not begun and no thread waits for lanes of its warp; else -1. */
static int next_to_begin(void)
{
    if (turns.next == turns.end || launch.block->in_exchange > 0)
        return -1;
    const int n = (int)scheduled(&turns.schedule, (size_t)turns.next);
    const Thread *thread = &launch.block->threads[n];
    if (thread->state != RUNS || thread->fibre >= 0)
        return -1;
    turns.next++;
    return n;
}

/** The body of a fibre: threads, until one has to wait. Switching fibres would take longer. */
static void run_bodies_in_turn(const void *own_number)
{
    const int fibre = *(const int *)own_number;
    for (int n = launch.running; n >= 0; n = next_to_begin()) {
        enter_thread(n)->fibre = fibre;
        launch.body(launch.arguments);
        launch.block->threads[launch.running].state = RETURNED;
        launch.progress = 1;
    }
}

static void run_thread(int n)
{
    Thread *thread = enter_thread(n);
    if (thread->fibre < 0) {
        thread->fibre = take_fibre();
        start_fibre(thread->fibre, run_bodies_in_turn, &fibre_numbers[thread->fibre]);
    }
    const int fibre = thread->fibre;
    if (run_fibre(fibre))
        free_fibres[free_count++] = fibre;
}

/** Runs a thread, then its warp as far as it needs no other warp, so that a wrong barrier shows. */
static void run_with_warp(int n)
{
    static Schedule lanes;
    run_thread(n);
    const int end = turns.end;
    const int first = launch.running / WARP * WARP; // of the last thread that ran
    turns.end = turns.next;                         // below, no other thread begins
    while (launch.block->in_exchange > 0 && release_warp(first)) {
        make_schedule(&lanes, WARP);
        for (int k = 0; k < WARP; k++) {
            const int next = first + (int)scheduled(&lanes, (size_t)k);
            if (next < launch.count && launch.block->threads[next].state == RUNS)
                run_thread(next);
        }
    }
    turns.end = end;
}

static int count_threads(int state)
{
    int count = 0;
    for (int n = 0; n < launch.count; n++)
        count += (int)launch.block->threads[n].state == state;
    return count;
}

void start_threads(void)
{
    if (launch.shared_bytes > 0)
        memset(launch.block->shared, 0xff, launch.shared_bytes);
    if (__start_shared_memory)
        memset(__start_shared_memory, 0xff, (size_t)(__stop_shared_memory - __start_shared_memory));
    for (int n = 0; n < launch.count; n++) {
        launch.block->threads[n].state = RUNS;
        launch.block->threads[n].fibre = -1;
    }
}

/** Prefetches for a thread that runs soon: the stacks of thousands of threads do not fit into the caches. */
static void fetch_stack_of_next(void)
{
    enum { AHEAD = 4 };
    if (turns.end - turns.next <= AHEAD)
        return;
    const int fibre = launch.block->threads[scheduled(&turns.schedule, (size_t)(turns.next + AHEAD))].fibre;
    if (fibre >= 0)
        fetch_fibre(fibre);
}

int run_threads(int most)
{
    make_schedule(&turns.schedule, (size_t)launch.count);
    turns.next = 0;
    turns.end = most;
    while (turns.next < turns.end) {
        const int n = (int)scheduled(&turns.schedule, (size_t)turns.next++);
        const Thread *thread = &launch.block->threads[n];
        fetch_stack_of_next();
        if (thread->state == RUNS || thread->state == POLLING)
            run_with_warp(n);
    }
    if (count_threads(RETURNED) + count_threads(HELD) == launch.count)
        return 1;
    if (count_threads(POLLING) + count_threads(RUNS) == 0)
        release_block();
    return 0;
}

int release_held(void)
{
    int held = 0;
    for (int n = 0; n < launch.count; n++)
        if (launch.block->threads[n].state == HELD) {
            launch.block->threads[n].state = RUNS;
            held++;
        }
    return held;
}

int has_returned(const BlockState *block)
{
    int returned = 0;
    while (returned < launch.count && block->threads[returned].state == RETURNED)
        returned++;
    return returned == launch.count;
}
