/**
 * @file watched_launches.h
 * Launches that are counted, by the ways in which they are made; and of a single launch, what its threads do
 * in front of its wait and behind it. A check includes it before the student's file.
 */
#ifndef WATCHED_LAUNCHES_H
#define WATCHED_LAUNCHES_H

#include "check_exercise.h"
#include "gpu/gpu.h"
#include "lattice/pairs.h"

/** What the student's file has launched since this was set to 0. */
static struct {
    int dependent;       /**< launches by LAUNCH_DEPENDENT... */
    int captured;        /**< ...and those of them that a graph has captured */
    int others;          /**< launches in any other way; counted on the CPU only */
    int graphs;          /**< graphs launched */
    int capturing;       /**< whether a stream captures now */
    cudaStream_t stream; /**< of the last launch */
} seen;

static int graphs_alive; // defined or executable
static int streams_alive;

static inline void note_launch(int *count, cudaStream_t stream)
{
    (*count)++;
    seen.stream = stream;
    seen.captured += seen.capturing;
}

#define cudaStreamCreateWithFlags(stream, flags) (streams_alive++, cudaStreamCreateWithFlags(stream, flags))
#define cudaStreamCreateWithPriority(stream, flags, priority)                                                \
    (streams_alive++, cudaStreamCreateWithPriority(stream, flags, priority))
#define cudaStreamCreate(stream)             (streams_alive++, cudaStreamCreate(stream))
#define cudaStreamDestroy(stream)            (streams_alive--, cudaStreamDestroy(stream))
#define cudaStreamBeginCapture(stream, mode) (seen.capturing = 1, cudaStreamBeginCapture(stream, mode))
#define cudaStreamEndCapture(stream, graph)                                                                  \
    (seen.capturing = 0, graphs_alive++, cudaStreamEndCapture(stream, graph))
#define cudaGraphInstantiateWithFlags(executable, graph, flags)                                              \
    (graphs_alive++, cudaGraphInstantiateWithFlags(executable, graph, flags))
#define cudaGraphDestroy(graph)          (graphs_alive--, cudaGraphDestroy(graph))
#define cudaGraphExecDestroy(executable) (graphs_alive--, cudaGraphExecDestroy(executable))
#define cudaGraphLaunch(executable, stream)                                                                  \
    (note_launch(&seen.graphs, stream), cudaGraphLaunch(executable, stream))

#ifdef __CUDACC__
#define cudaLaunchKernelEx(config, ...)                                                                      \
    (note_launch(&seen.dependent, (config)->stream), cudaLaunchKernelEx(config, __VA_ARGS__))
#else
enum { MOST_BLOCKS = 64 };

/** What is watched of a single launch, thread by thread; types: NULL while nothing is. */
static struct {
    const Scenario *scenario;
    CellType *types;                     /**< of the cells, in the device's memory */
    void (*own_thread)(const void *);    /**< the student's kernel */
    int collided;                        /**< whether the thread that runs has collided */
    unsigned char triggers[MOST_BLOCKS]; /**< whether a thread of the block called trigger before... */
    unsigned char collides[MOST_BLOCKS]; /**< ...and whether any thread of the block collided */
} watched;

static inline unsigned block_in_grid(void)
{
    return blockIdx.y * gridDim.x + blockIdx.x;
}

static inline void note_trigger(void)
{
    if (watched.types && !watched.collided)
        watched.triggers[block_in_grid()] = 1;
}

static inline void note_collision(void)
{
    if (!watched.types)
        return;
    watched.collided = 1;
    watched.collides[block_in_grid()] = 1;
}

/** Behind its wait a thread finds walls everywhere, if it loads the type of a cell only then. */
static inline void note_sync(void)
{
    if (watched.types)
        memset(watched.types, WALL, cell_count(watched.scenario));
}

static inline void show_types(void)
{
    memcpy(watched.types, watched.scenario->type, cell_count(watched.scenario));
}

static inline void watched_thread(const void *arguments)
{
    watched.collided = 0;
    watched.own_thread(arguments);
    show_types();
}

static inline cudaError_t watched_launch(cudaStream_t stream, const KernelNode *node)
{
    static int launches;
    if (launches++ == 0)
        part("TODO(1)", "who calls grid_dependency_sync, and what reads or writes an array before it?");
    note_launch(&seen.dependent, stream);
    KernelNode other = *node;
    if (watched.types) {
        watched.own_thread = node->thread;
        other.thread = watched_thread;
    }
    return launch_dependent(stream, &other);
}
#define launch_dependent watched_launch

#define launch_begin(grid, block) (seen.others++, launch_begin(grid, block))
#define launch_on(...)            (seen.others++, launch_on(__VA_ARGS__))
#define launch_blocks(...)        (seen.others++, launch_blocks(__VA_ARGS__))

#undef trigger_dependent_launch
#define trigger_dependent_launch() note_trigger()
#undef grid_dependency_sync
#define grid_dependency_sync()                (wait_for_launch(BARRIER("grid_dependency_sync")), note_sync())
#define collide(f, type, y, physics)          (note_collision(), collide(f, type, y, physics))
#define collide_pairs(f, physics)             (note_collision(), collide_pairs(f, physics))
#define collide_in_pairs(f, type, y, physics) (note_collision(), collide_in_pairs(f, type, y, physics))
#endif

#endif
