// The blocks of a launch: one after another, or together.
#include "gpu/block_state.h"
#include "gpu/cluster.h"
#include "gpu/graphs_on_cpu.h"
#include "gpu/known_devices.h"
#include "gpu/thread_order.h"
#include "host/allocate.h"
#include "host/fail.h"

#include <stdlib.h>

enum {
    BLOCKS_AT_ONCE = 32, // on a multiprocessor, and 1024 threads
    MOST_TOGETHER = MULTIPROCESSORS * BLOCKS_AT_ONCE,
    MOST_STORES = 2, // of a block, after which it is interrupted
    IDLE_ROUNDS = 64 // until a deadlock is reported: a thread may answer within its wait
};

static BlockState blocks[MOST_TOGETHER];
static Thread threads[MULTIPROCESSORS * MOST_THREADS], early_threads[2][MOST_THREADS];

/** Of a launch, and of the one after it, the block that begins early. */
static struct {
    BlockState block;
    int dependent;  /**< its threads that wait */
    char *declared; /**< what it has declared __shared__ */
} early[2];

/** Memory of the blocks that run, kept from launch to launch. */
static struct {
    size_t count, bytes; /**< blocks that it is for, and dynamic shared memory of each */
    char *shared;        /**< [count][bytes] */
    char *declared;      /**< what is declared __shared__, of the blocks that wait while another runs */
} memory;

static size_t declared_bytes(void)
{
    return (size_t)(__stop_shared_memory - __start_shared_memory);
}

ptrdiff_t place_in_shared_memory(const void *address)
{
    const char *const here = (const char *)address;
    if (here >= __start_shared_memory && here < __stop_shared_memory)
        return here - __start_shared_memory;
    if (memory.bytes > 0 && here >= memory.shared && here < memory.shared + memory.count * memory.bytes)
        return (here - memory.shared) % (ptrdiff_t)memory.bytes;
    return -1;
}

static void save_declared(char *to)
{
    if (declared_bytes() > 0)
        memcpy(to, __start_shared_memory, declared_bytes());
}

static void restore_declared(const char *from)
{
    if (declared_bytes() > 0)
        memcpy(__start_shared_memory, from, declared_bytes());
}

static void provide_memory(size_t count, size_t bytes)
{
    if (memory.count == count && memory.bytes == bytes)
        return;
    free(memory.shared);
    free(memory.declared);
    memory.count = count;
    memory.bytes = bytes;
    memory.shared = allocate(count * bytes);
    memory.declared = allocate(count * declared_bytes());
}

static void begin_launch(size_t shared_bytes, int together, void (*body)(const void *), const void *arguments)
{
    provide_memory(together ? block_count() : 1, shared_bytes);
    launch = (Launch){.count = (int)(blockDim.x * blockDim.y),
                      .shared_bytes = shared_bytes,
                      .together = together,
                      .body = body,
                      .arguments = arguments};
}

static void end_launch(void)
{
    launch.count = 0;
    end_grid();
}

/** Where the n-th block of those that run together keeps what it has declared __shared__. */
static char *declared_of(const BlockState *block)
{
    return memory.declared + (size_t)(block - blocks) * declared_bytes();
}

static void enter_block(BlockState *block)
{
    if (launch.together && launch.block && block != launch.block) {
        save_declared(declared_of(launch.block));
        restore_declared(declared_of(block));
    }
    launch.block = block;
    set_block(block->number);
}

/** Starts a block as the n-th of those that run at a time. */
static void start_block(int n, size_t number)
{
    blocks[n] = (BlockState){number, &threads[n * launch.count], 0, memory.shared + (size_t)n * memory.bytes};
    enter_block(&blocks[n]);
    start_threads();
}

static void run_alone(void)
{
    static Schedule schedule;
    make_schedule(&schedule, block_count());
    for (size_t k = 0; k < schedule.count; k++) {
        start_block(0, scheduled(&schedule, k));
        while (!run_threads(launch.count))
            ;
    }
}

static void begin_node(const KernelNode *node)
{
    launch_name = node->name;
    begin_grid(node->grid, node->block, 0);
    begin_launch(0, 0, node->thread, node->arguments);
}

/** Runs the block of a launch that begins early until it waits for the launch before it. */
static void begin_early(const KernelNode *node, int parity)
{
    static Schedule schedule;
    begin_node(node);
    make_schedule(&schedule, block_count());
    early[parity].block = (BlockState){scheduled(&schedule, 0), early_threads[parity], 0, NULL};
    launch.early = 1;
    enter_block(&early[parity].block);
    start_threads();
    while (!run_threads(launch.count))
        ;
    early[parity].dependent = launch.dependent;
    early[parity].declared = reallocate(early[parity].declared, declared_bytes());
    save_declared(early[parity].declared);
    end_launch();
}

/** Runs a launch, of which one block may have begun. */
static void run_node(const KernelNode *node, int has_begun, int parity)
{
    static Schedule schedule;
    begin_node(node);
    launch.dependent = has_begun ? early[parity].dependent : 0;
    make_schedule(&schedule, block_count());
    for (size_t k = 0; k < schedule.count; k++) {
        const size_t number = scheduled(&schedule, k);
        if (has_begun && number == early[parity].block.number) {
            enter_block(&early[parity].block);
            restore_declared(early[parity].declared);
            release_held();
            launch.early = 0;
        } else
            start_block(0, number);
        while (!run_threads(launch.count))
            ;
    }
    if (launch.dependent == 0)
        fail(EXIT_MACHINE,
             "no thread of the kernel %s, launched by LAUNCH_DEPENDENT, calls grid_dependency_sync",
             node->name);
    end_launch();
}

void run_overlapping(const KernelNode *nodes, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        if (n + 1 < count && !observer)
            begin_early(&nodes[n + 1], (n + 1) % 2);
        run_node(&nodes[n], n > 0 && !observer, n % 2);
    }
}

/** Fails: of these blocks all threads that have not returned wait, or look in vain. */
static NORETURN void report_looks(int count)
{
    int n = 0, waiting = 0;
    while (threads[n].state != POLLING)
        n++;
    for (int k = n; k < count * launch.count; k++)
        waiting += threads[k].state == POLLING;
    set_block(blocks[n / launch.count].number);
    const unsigned thread = (unsigned)(n % launch.count);
    fail(EXIT_MACHINE,
         "%s:%d: thread (%u, %u) of %s polls in vain, and so do all the others that have not "
         "returned "
         "(%d look, the rest wait): what they wait for is never stored",
         threads[n].at->file, threads[n].at->line, thread % blockDim.x, thread / blockDim.x, name_of_block(),
         waiting);
}

/** Lets all threads go on that wait for their cluster; how many there are. */
static int release_cluster(int count)
{
    int held = 0;
    for (int n = 0; n < count; n++) {
        enter_block(&blocks[n]);
        held += release_held();
    }
    return held;
}

static int is_interrupted(const BlockState *block)
{
    return launch.interrupted && block == launch.late;
}

/** Runs a block once, or as long as its threads get any further; whether it has ended. */
static int run_on(BlockState *block, int as_far_as_it_goes)
{
    int ended, further;
    enter_block(block);
    do {
        const int before = launch.progress;
        launch.progress = 0;
        ended = run_threads(launch.count);
        further = launch.progress;
        launch.progress |= before;
    } while (as_far_as_it_goes && further && !ended && !is_interrupted(block));
    return ended;
}

static size_t random_number(size_t count)
{
    static Schedule schedule;
    make_schedule(&schedule, count);
    return scheduled(&schedule, 0);
}

/** Lets a block come late: interrupted after one of its stores, or now, after some threads. */
static void delay(BlockState *block)
{
    launch.late = block;
    launch.undisturbed = (int)random_number((size_t)launch.count);
    launch.stores = (int)random_number(MOST_STORES + 1);
    launch.interrupted = launch.stores == 0;
    if (launch.interrupted) {
        enter_block(block);
        run_threads(launch.undisturbed);
    }
}

/**
 * Runs all blocks until they have returned. Half of them run ahead of the others, which a missing wait does
 * not survive. In an order that is shuffled one block is interrupted, and goes on when no other block can: so
 * each block comes very late at some time.
 */
static void run_together(void)
{
    static Schedule schedule;
    const int count = (int)block_count();
    int all_run = 1; // whether no block is to come late
    int idle = 0;    // rounds in which nobody got any further, as far as waits show that
    for (int n = 0; n < count; n++)
        start_block(n, (size_t)n);
    for (int ended = 0; ended < count || release_cluster(count);) {
        launch.progress = ended = 0;
        make_schedule(&schedule, (size_t)count);
        if (!launch.late && !all_run)
            delay(&blocks[scheduled(&schedule, 0)]);
        for (int k = 0; k < count; k++) {
            BlockState *block = &blocks[scheduled(&schedule, (size_t)k)];
            if (!is_interrupted(block))
                ended += run_on(block, k < (count + 1) / 2);
        }
        if (launch.progress) {
            all_run = schedule.order != SHUFFLE;
            idle = 0;
        } else if (ended < count && all_run) {
            if (++idle == IDLE_ROUNDS)
                report_looks(count);
        } else {
            launch.late = NULL;
            launch.interrupted = 0;
            all_run = 1;
        }
    }
}

/** Refuses what check_shape does, and more shared memory than a block may have. */
static cudaError_t check_blocks(dim3 grid, dim3 block, size_t shared_bytes)
{
    const cudaError_t error = check_shape(grid, block);
    if (error != cudaSuccess)
        return error;
    return shared_bytes > emulated_device()->shared_bytes ? refuse_launch(cudaErrorInvalidValue)
                                                          : cudaSuccess;
}

cudaError_t launch_blocks(dim3 grid, dim3 block, size_t shared_bytes, void (*body)(const void *),
                          const void *arguments)
{
    const cudaError_t error = check_blocks(grid, block, shared_bytes);
    if (error != cudaSuccess)
        return error;
    begin_in_default_stream();
    begin_grid(grid, block, 0);
    begin_launch(shared_bytes, 0, body, arguments);
    run_alone();
    end_launch();
    return cudaSuccess;
}

typedef struct {
    KernelNode node;
    size_t shared_bytes; // of each block
    BlockLaunch *launch;
} BlocksInStream;

static void run_blocks(void *operands, const void *arguments)
{
    const BlocksInStream *launched = (const BlocksInStream *)operands;
    launch_name = launched->node.name;
    CHECK(launched->launch(launched->node.grid, launched->node.block, launched->shared_bytes,
                           launched->node.thread, arguments));
}

cudaError_t launch_blocks_on(cudaStream_t stream, const KernelNode *node, size_t shared_bytes,
                             BlockLaunch *launch)
{
    const BlocksInStream operands = {*node, shared_bytes, launch};
    refuse_capture(stream);
    const cudaError_t error = check_blocks(node->grid, node->block, shared_bytes);
    if (error == cudaSuccess)
        queue_operation(stream, run_blocks, &operands, sizeof operands, node->arguments, node->bytes);
    return error;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/** Runs blocks together, if they can be resident together. */
static cudaError_t launch_resident(dim3 grid, dim3 block, size_t shared_bytes, int in_cluster,
                                   void (*body)(const void *), const void *arguments)
{
    const cudaError_t error = check_blocks(grid, block, shared_bytes);
    if (error != cudaSuccess)
        return error;
    const size_t count = (size_t)grid.x * grid.y * (grid.z == 0 ? 1 : grid.z); // 0: see begin_grid
    const size_t by_threads = smaller(MOST_THREADS / (block.x * block.y), BLOCKS_AT_ONCE);
    const size_t taken = shared_bytes + (1 << 10), most = emulated_device()->shared_bytes + (1 << 10);
    if (count > MULTIPROCESSORS * smaller(by_threads, most / taken))
        return refuse_launch(cudaErrorCooperativeLaunchTooLarge);
    begin_in_default_stream();
    begin_grid(grid, block, 1);
    begin_launch(shared_bytes, 1, body, arguments);
    launch.in_cluster = in_cluster;
    run_together();
    end_launch();
    return cudaSuccess;
}

cudaError_t launch_together(dim3 grid, dim3 block, size_t shared_bytes, void (*body)(const void *),
                            const void *arguments)
{
    return launch_resident(grid, block, shared_bytes, 0, body, arguments);
}

cudaError_t launch_cluster(dim3 grid, dim3 block, size_t shared_bytes, void (*body)(const void *),
                           const void *arguments)
{
    if (grid.x > (unsigned)emulated_device()->cluster_blocks || grid.y != 1 || grid.z > 1)
        return refuse_launch(cudaErrorInvalidClusterSize);
    return launch_resident(grid, block, shared_bytes, 1, body, arguments);
}

ClusterAddress map_shared(const void *own, int block)
{
    return memory.shared + (size_t)block * memory.bytes + place_in_shared_memory(own);
}

void store_in_block(const Barrier *place, ClusterAddress to, float value, ClusterAddress barrier)
{
    const size_t block = (size_t)(to - memory.shared) / memory.bytes;
    if (has_returned(&blocks[block]))
        fail(EXIT_MACHINE,
             "%s:%d: %s into the shared memory of block %zu, which has returned; a cluster_sync is missing",
             place->file, place->line, place->name, block);
    memcpy(to, &value, sizeof value);
    ((Mbarrier *)(void *)barrier)->missing -= (int32_t)sizeof value;
    end_phase((Mbarrier *)(void *)barrier);
    preemption_point();
}
