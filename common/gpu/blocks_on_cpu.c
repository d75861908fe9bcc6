#include "gpu/blocks_on_cpu.h"

#include "gpu/fibres.h"
#include "gpu/thread_order.h"
#include "host/allocate.h"
#include "host/fail.h"

#include <stdlib.h>

enum {
    WARP = 32,
    MOST_SHARED = 48 << 10
}; // threads; bytes of dynamic shared memory that CUDA grants as it is

typedef struct {
    enum { RUNS, WAITS, RETURNED } state;
    const Barrier *at; /**< where it waits... */
    uint32_t mask;     /**< ...and for which lanes of its warp; 0: for its block */
    uint32_t brought;  /**< what it gives to an exchange, or to a vote */
    int lane;          /**< whose it takes */
    uint32_t got;
    uint32_t votes; /**< the lanes that brought anything but 0 */
} Thread;

static Thread threads[MOST_THREADS];

/** The launch that runs now. */
static struct {
    int count;   /**< threads of a block; 0: no launch runs */
    int running; /**< the thread that runs now */
    void *shared;
    size_t shared_bytes; /**< kept from launch to launch, like `shared` */
} launch;

/** What is declared __shared__: the linker knows where it is. Null if nothing is. */
extern char __start_shared_memory[] __attribute__((weak)), __stop_shared_memory[] __attribute__((weak));

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
    return launch.shared;
}

ptrdiff_t place_in_shared_memory(const void *address)
{
    const char *const here = (const char *)address;
    if (here >= __start_shared_memory && here < __stop_shared_memory)
        return here - __start_shared_memory;
    const char *const memory = (const char *)launch.shared;
    return memory && here >= memory && here < memory + launch.shared_bytes ? here - memory : -1;
}

/** Yields until all that the thread waits for have come. */
static void wait_at(Thread *thread, const Barrier *barrier, uint32_t mask)
{
    thread->at = barrier;
    thread->mask = mask;
    thread->state = WAITS;
    yield();
}

void wait_for_block(const Barrier *barrier)
{
    require_block(barrier->name, barrier->file, barrier->line);
    wait_at(&threads[launch.running], barrier, 0);
}

uint32_t exchange(const Barrier *barrier, uint32_t mask, uint32_t brought, int lane)
{
    require_block(barrier->name, barrier->file, barrier->line);
    if (!(mask >> own_lane() & 1))
        fail(EXIT_MACHINE,
             "%s:%d: lane %d calls %s with the mask %#x, which lacks it; a mask names its callers",
             barrier->file, barrier->line, own_lane(), barrier->name, (unsigned)mask);
    Thread *thread = &threads[launch.running];
    thread->brought = brought;
    thread->lane = lane & (WARP - 1);
    wait_at(thread, barrier, mask);
    return thread->got;
}

uint32_t vote(const Barrier *barrier, uint32_t mask, int predicate)
{
    exchange(barrier, mask, predicate != 0, 0);
    return threads[launch.running].votes;
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
        if (wait_together(&threads[first + lane], waiting))
            lanes |= 1u << lane;
    return lanes;
}

/** Those that have not returned. */
static uint32_t lanes_alive(int first)
{
    uint32_t lanes = 0;
    for (int lane = 0; lane < WARP && first + lane < launch.count; lane++)
        if (threads[first + lane].state != RETURNED)
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
        }
}

/** Whether threads of this warp can go on, since all have come that they waited for. */
static int release_warp(int first)
{
    int released = 0;
    for (int n = first; n < first + WARP && n < launch.count; n++) {
        const uint32_t mask = threads[n].mask;
        if (threads[n].state != WAITS || mask == 0 ||
            lanes_with(first, &threads[n]) != (mask & lanes_alive(first)))
            continue;
        exchange_values(&threads[first], mask & lanes_alive(first));
        released = 1;
    }
    return released;
}

/** How many threads wait together with this one. */
static int count_with(const Thread *waiting)
{
    int count = 0;
    for (int n = 0; n < launch.count; n++)
        count += wait_together(&threads[n], waiting);
    return count;
}

static NORETURN void report(int n)
{
    const Thread *thread = &threads[n];
    const int first = n / WARP * WARP, lanes = launch.count - first < WARP ? launch.count - first : WARP;
    const int expected =
        thread->mask == 0 ? launch.count : __builtin_popcount(thread->mask & (uint32_t)((1ull << lanes) - 1));
    const int came = thread->mask == 0 ? count_with(thread) : __builtin_popcount(lanes_with(first, thread));
    fail(EXIT_MACHINE,
         "%s:%d: %d of %d threads reach %s in block (%u, %u); the others return or wait at another barrier",
         thread->at->file, thread->at->line, came, expected, thread->at->name, blockIdx.x, blockIdx.y);
}

/** When no thread can run: lets all go on from the barrier that they wait at. Fails if that is not one. */
static void release_block(void)
{
    int n = 0;
    while (threads[n].state != WAITS)
        n++;
    if (threads[n].mask != 0 || count_with(&threads[n]) != launch.count)
        report(n);
    for (n = 0; n < launch.count; n++)
        threads[n].state = RUNS;
}

static void run_thread(int n)
{
    launch.running = n;
    threadIdx.x = (unsigned)n % blockDim.x;
    threadIdx.y = (unsigned)n / blockDim.x;
    if (run_fibre(n))
        threads[n].state = RETURNED;
}

/** Runs a thread, and its warp as far as that needs no other warp: a wrong barrier is to show. */
static void run_with_warp(int n)
{
    static Schedule lanes;
    const int first = n / WARP * WARP;
    run_thread(n);
    while (release_warp(first)) {
        make_schedule(&lanes, WARP);
        for (int k = 0; k < WARP; k++) {
            const int next = first + (int)scheduled(&lanes, (size_t)k);
            if (next < launch.count && threads[next].state == RUNS)
                run_thread(next);
        }
    }
}

static int count_alive(void)
{
    int alive = 0;
    for (int n = 0; n < launch.count; n++)
        alive += threads[n].state != RETURNED;
    return alive;
}

static void run_block(void (*body)(const void *), const void *arguments)
{
    static Schedule schedule;
    if (launch.shared_bytes > 0)
        memset(launch.shared, 0xff, launch.shared_bytes);
    if (__start_shared_memory)
        memset(__start_shared_memory, 0xff, (size_t)(__stop_shared_memory - __start_shared_memory));
    for (int n = 0; n < launch.count; n++) {
        threads[n].state = RUNS;
        start_fibre(n, body, arguments);
    }
    for (;;) {
        make_schedule(&schedule, (size_t)launch.count);
        for (int k = 0; k < launch.count; k++) {
            const int n = (int)scheduled(&schedule, (size_t)k);
            if (threads[n].state == RUNS)
                run_with_warp(n);
        }
        if (count_alive() == 0)
            return;
        release_block();
    }
}

cudaError_t launch_blocks(dim3 grid, dim3 block, size_t shared_bytes, void (*body)(const void *),
                          const void *arguments)
{
    static Schedule schedule;
    const cudaError_t error = begin_grid(grid, block);
    if (error != cudaSuccess)
        return error;
    if (shared_bytes > MOST_SHARED)
        return refuse_launch(cudaErrorInvalidValue);
    launch.count = (int)(block.x * block.y);
    if (launch.shared_bytes != shared_bytes) {
        free(launch.shared);
        launch.shared = allocate(shared_bytes);
        launch.shared_bytes = shared_bytes;
    }
    make_schedule(&schedule, (size_t)grid.x * grid.y);
    for (size_t k = 0; k < schedule.count; k++) {
        const size_t n = scheduled(&schedule, k);
        blockIdx.x = (unsigned)(n % grid.x);
        blockIdx.y = (unsigned)(n / grid.x);
        run_block(body, arguments);
    }
    launch.count = 0;
    if (observer)
        observer->end();
    return cudaSuccess;
}
