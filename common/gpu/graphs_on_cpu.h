/**
 * @file graphs_on_cpu.h
 * CUDA without a GPU: programmatic dependent launch, and graphs of such launches. One block of a launch begins
 * before the previous launch does, and goes on behind it from where it has called grid_dependency_sync, so
 * that a kernel that reads too early reads old values. This holds for launches of a graph, and for those of a
 * stream that are kept back together (LBM_STREAM_ORDER, streams_on_cpu.h).
 */
#pragma once

#include "gpu/blocks_on_cpu.h"

/** Nodes that run one after the other. */
typedef struct Graph *cudaGraph_t;
typedef struct Graph *cudaGraphExec_t;

enum { cudaStreamCaptureModeGlobal };

/** From now on launches in this stream become nodes of a graph, and do not run. */
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *executable, cudaGraph_t graph,
                                          unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

/** Launches a kernel in the stream, or makes a node of it. Called by LAUNCH_DEPENDENT. */
cudaError_t launch_dependent(cudaStream_t stream, const KernelNode *node);

/** Runs launches of shapes that were checked; each of them overlaps with the one before it. Fails with exit
 * code 3 if none of the threads of one waits for the one before it. */
void run_overlapping(const KernelNode *nodes, size_t count);

/** Waits until the launch before this one is complete. */
void wait_for_launch(const Barrier *barrier);

#define grid_dependency_sync()     wait_for_launch(BARRIER("grid_dependency_sync"))
#define trigger_dependent_launch() ((void)0)

#define LAUNCH_DEPENDENT(stream, kernel, grid, block, ...)                                                   \
    CHECK(launch_dependent(stream, &(const KernelNode){#kernel, grid, block, kernel##_thread,                \
                                                       &(struct kernel##_arguments){__VA_ARGS__},            \
                                                       sizeof(struct kernel##_arguments)}))
