#include "gpu/graphs_on_cpu.h"

#include "host/allocate.h"
#include "host/fail.h"

#include <stdlib.h>

struct Graph {
    KernelNode *nodes;
    size_t count, room;
};

struct Stream {
    struct Graph *captured; // NULL: it captures nothing
};

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    (void)flags;
    *stream = allocate(sizeof **stream);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

void refuse_capture(cudaStream_t stream)
{
    if (stream && stream->captured)
        fail(EXIT_MACHINE, "LAUNCH_ON in a stream that captures a graph; there it is LAUNCH_DEPENDENT");
}

static void add_node(struct Graph *graph, const KernelNode *node)
{
    if (graph->count == graph->room) {
        graph->room = 2 * graph->room + 8;
        graph->nodes = reallocate(graph->nodes, graph->room * sizeof *graph->nodes);
    }
    KernelNode *copy = &graph->nodes[graph->count++];
    *copy = *node;
    copy->arguments = allocate(node->bytes);
    memcpy(copy->arguments, node->arguments, node->bytes);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode)
{
    (void)mode;
    stream->captured = allocate(sizeof *stream->captured);
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = stream->captured;
    stream->captured = NULL;
    return *graph ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags)
{
    (void)flags;
    *executable = allocate(sizeof **executable);
    for (size_t n = 0; n < graph->count; n++)
        add_node(*executable, &graph->nodes[n]);
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    refuse_capture(stream);
    return run_overlapping(executable->nodes, executable->count);
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    for (size_t n = 0; n < graph->count; n++)
        free(graph->nodes[n].arguments);
    free(graph->nodes);
    free(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    return cudaGraphDestroy(executable);
}

cudaError_t launch_dependent(cudaStream_t stream, const KernelNode *node)
{
    if (!stream || !stream->captured)
        return run_overlapping(node, 1);
    add_node(stream->captured, node);
    return cudaSuccess;
}
