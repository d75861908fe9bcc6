#include "gpu/graphs_on_cpu.h"

#include "host/allocate.h"

#include <stdlib.h>
#include <string.h>

struct Graph {
    KernelNode *nodes;
    size_t count, capacity;
    int users; // it is executed later, though it is destroyed
};

static struct Graph *create_graph(void)
{
    struct Graph *graph = allocate(sizeof *graph);
    graph->users = 1;
    return graph;
}

static void add_node(struct Graph *graph, const KernelNode *node)
{
    if (graph->count == graph->capacity) {
        graph->capacity = 2 * graph->capacity + 8;
        graph->nodes = reallocate(graph->nodes, graph->capacity * sizeof *graph->nodes);
    }
    KernelNode *copy = &graph->nodes[graph->count++];
    *copy = *node;
    copy->arguments = memcpy(allocate(node->bytes), node->arguments, node->bytes);
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode)
{
    (void)mode;
    *captured_graph(stream) = create_graph();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
    *graph = *captured_graph(stream);
    *captured_graph(stream) = NULL;
    return *graph ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags)
{
    (void)flags;
    *executable = create_graph();
    for (size_t n = 0; n < graph->count; n++)
        add_node(*executable, &graph->nodes[n]);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    if (--graph->users > 0)
        return cudaSuccess;
    for (size_t n = 0; n < graph->count; n++)
        free((void *)graph->nodes[n].arguments);
    free(graph->nodes);
    free(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    return cudaGraphDestroy(executable);
}

static void run_graph(void *operands, const void *arguments)
{
    (void)arguments;
    struct Graph *const graph = *(struct Graph **)operands;
    run_overlapping(graph->nodes, graph->count);
    cudaGraphDestroy(graph);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    refuse_capture(stream);
    executable->users++;
    queue_operation(stream, run_graph, &executable, sizeof executable, NULL, 0);
    return cudaSuccess;
}

/** Apart from run_graph, so that no launch is added to a graph of the program. */
static void run_launches(void *operands, const void *arguments)
{
    run_graph(operands, arguments);
}

cudaError_t launch_dependent(cudaStream_t stream, const KernelNode *node)
{
    const cudaError_t error = check_shape(node->grid, node->block);
    if (error != cudaSuccess)
        return error;
    struct Graph **const last =
        *captured_graph(stream) ? captured_graph(stream) : last_queued(stream, run_launches);
    struct Graph *const graph = last ? *last : create_graph();
    add_node(graph, node);
    if (!last)
        queue_operation(stream, run_launches, &graph, sizeof graph, NULL, 0);
    return cudaSuccess;
}
