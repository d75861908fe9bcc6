/**
 * @file streams_on_cpu.h
 * CUDA without a GPU: streams, events, and pinned memory. The environment variable LBM_STREAM_ORDER says when
 * the operations of a stream (asynchronous copies, recordings of events, waits for events, kernels, graphs)
 * are made, in one of two orders that a GPU may take, too:
 *
 * - at-once (the default): when they are called. This order finds that the host lets a buffer be filled by a
 *   copy before it has used what is in there.
 * - late: as late as synchronization allows. The first, third, ... wait of the host for a stream or an event
 *   makes operations of all streams, always the one that was called last of those that may be next, until all
 *   that the wait needs is made; only a copy to the host that is not needed is left, because the host may see
 *   it later. The second, fourth, ... wait makes only what is needed. This order finds that the host uses the
 *   destination of a copy without waiting, or changes the source too early, and that an operation does not
 *   wait for one in another stream that was called before it.
 *
 * Neither finds a missing wait that another one happens to make good. The default stream is CUDA's legacy
 * one: it waits for all that was called before in blocking streams, and they wait for it. Kernels of launches
 * that name no stream, cudaMemset and cudaMemcpy are never kept back; on a GPU the first two may be.
 * cudaDeviceSynchronize, cudaFree and cudaFreeHost wait for all streams. The destruction of a stream or an
 * event waits for nothing, and neither does a query, unless a program asks very often. A copy to or from
 * memory that cudaMallocHost has not returned is made before cudaMemcpyAsync returns.
 */
#pragma once

#include "gpu/block_kernel.h"
#include "gpu/gpu_on_cpu.h"

typedef struct Stream *cudaStream_t; // NULL: the default stream
typedef struct Event *cudaEvent_t;
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

cudaError_t cudaMallocHost(void **memory, size_t bytes);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaDeviceSynchronize(void);

/** A launch, or the node of a graph that stands for it. */
typedef struct {
    const char *name; /**< of the kernel */
    dim3 grid, block;
    void (*thread)(const void *); /**< the kernel, which takes... */
    const void *arguments;        /**< ...these */
    size_t bytes;                 /**< of the arguments */
} KernelNode;

/** Makes an operation; gets the copies of what `queue_operation` got. */
typedef void Make(void *operands, const void *arguments);

/** Calls an operation in a stream: it is made at once, or kept back. The operands and the arguments, which
 * may be of no bytes, are copied. */
void queue_operation(cudaStream_t stream, Make *make, const void *operands, size_t operand_bytes,
                     const void *arguments, size_t argument_bytes);

/** Operands of the last operation that was called, if it is in this stream, kept back, and made by `make`; or else NULL. */
void *last_queued(cudaStream_t stream, Make *make);

/** Called before an operation without a stream: makes all that it waits for. */
void begin_in_default_stream(void);

/** Called before memory is freed: makes all operations. */
void finish_streams(void);

/** What a stream captures; NULL: nothing. */
struct Graph **captured_graph(cudaStream_t stream);

/** Fails with exit code 3 while a stream captures a graph (graphs_on_cpu.h): LAUNCH_ON can't be captured. */
void refuse_capture(cudaStream_t stream);

/** Called by LAUNCH_ON; `thread` runs the threads from threadIdx.x up to launch_end. */
cudaError_t launch_on(cudaStream_t stream, const KernelNode *node);

/**
 * A struct of the arguments, which are copied, and code that calls the kernel with them later: for gcc a
 * nested function that uses no variable of the function around it, for clang a block, whose literal has a
 * copy of them (of a const struct of constants it would have none). There are one to eight arguments.
 */
#define LAUNCH_ON(stream, kernel, grid, block, ...)                                                          \
    do {                                                                                                     \
        struct kernel##_arguments {                                                                          \
            PASTE(MEMBERS_, TYPE_COUNT(__VA_ARGS__))(__VA_ARGS__)                                            \
        };                                                                                                   \
        struct kernel##_arguments copied = {__VA_ARGS__};                                                    \
        ROW_OF_THREADS(kernel, copied, PASTE(VALUES_, TYPE_COUNT(__VA_ARGS__)))                              \
        CHECK(launch_on(stream, &(const KernelNode){#kernel, grid, block, ROW_AND_ARGUMENTS(copied)}));      \
    } while (0)

#define CALL_ROW(kernel, address, ...)                                                                       \
    const struct kernel##_arguments *a = (const struct kernel##_arguments *)(address);                       \
    for (; threadIdx.x < launch_end; threadIdx.x++)                                                          \
    kernel(__VA_ARGS__)

#ifdef __clang__
/** The head of a block's literal, as clang's specification of blocks has it; copies of variables follow. */
typedef struct {
    void *isa;
    int flags, reserved;
    void (*invoke)(const void *literal);
    const struct {
        unsigned long reserved, size;
    } * descriptor;
} BlockLiteral;

#define ROW_OF_THREADS(kernel, copied, ...)                                                                  \
    void (^const row)(void) = ^{                                                                             \
      CALL_ROW(kernel, &copied, __VA_ARGS__);                                                                \
    };                                                                                                       \
    const BlockLiteral *const literal = (const BlockLiteral *)(const void *)row;
#define ROW_AND_ARGUMENTS(copied) literal->invoke, literal, literal->descriptor->size
#else
#define ROW_OF_THREADS(kernel, copied, ...)                                                                  \
    void row(const void *arguments)                                                                          \
    {                                                                                                        \
        CALL_ROW(kernel, arguments, __VA_ARGS__);                                                            \
    }
#define ROW_AND_ARGUMENTS(copied) row, &copied, sizeof copied
#endif
