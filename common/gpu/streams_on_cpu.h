/**
 * @file streams_on_cpu.h
 * CUDA without a GPU: streams, events, and pinned memory. Asynchronous copies, recordings of events, waits
 * for events, kernels and graphs that are launched in a stream are the operations of this stream. The
 * environment variable LBM_STREAM_ORDER says when they are made:
 *
 * - at-once (the default): when they are called, in the order of the program;
 * - late: as late as synchronization allows. They are kept back until the host waits. Then the emulator makes
 *   operations until all that this wait needs is made. At the first wait for a stream or an event, at the
 *   third one, and so on, it takes those of all streams: of the operations that may be next, always the one
 *   that was called last, whether it is needed or not. Only a copy to the host that is not needed is left,
 *   because the host may see it later. At the second wait, the fourth one, and so on, it takes only what is
 *   needed.
 *
 * Both orders are orders that a GPU may take, too. A program that waits where it must has the same results in
 * both. Each order finds missing waits that the other one does not find:
 *
 * - late finds that the host uses the destination of a copy to the host without waiting, or changes
 *   the source of a copy to the device too early; and that an operation begins without waiting for one in
 *   another stream that was called before it.
 * - at-once finds that the host lets a buffer be filled by a copy before it has used what is in there. Late
 *   does not find that, unless the host waits in between: the copy comes when the host has used the buffer.
 *
 * Neither finds a missing wait that the flow of the program makes good by another one, and of several
 * operations that need not wait for each other late tries one order only, or two, if the host waits often.
 *
 * An operation without a stream is one of the default stream, which here is CUDA's legacy one: it waits for
 * all that was called before in blocking streams (those not created with cudaStreamNonBlocking), and they
 * wait for it. Kernels of launches that name no stream, cudaMemset and cudaMemcpy are never kept back; on a
 * GPU the first two may be. cudaStreamSynchronize of the default stream, cudaDeviceSynchronize, cudaFree and
 * cudaFreeHost wait for what is in blocking streams, too, the last three for all. The destruction of a stream
 * or of an event waits for nothing, and neither does a query, unless a program asks very often. A copy to or
 * from pageable memory of the host, which is all that cudaMallocHost has not returned, is made before
 * cudaMemcpyAsync returns, with all that it waits for.
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

/** Called before an operation without a stream: makes all that it waits for. */
void begin_in_default_stream(void);

/** Called before memory is freed: makes all operations. */
void finish_streams(void);

/** What a stream captures; NULL: nothing. */
struct Graph **captured_graph(cudaStream_t stream);

/** Fails with exit code 3 while a stream captures a graph (graphs_on_cpu.h): LAUNCH_ON can't be captured. */
void refuse_capture(cudaStream_t stream);

/** Launches a kernel in a stream; `thread` runs the threads from threadIdx.x up to launch_end. Called by
 * LAUNCH_ON. */
cudaError_t launch_on(cudaStream_t stream, const KernelNode *node);

/**
 * A struct of the arguments, which are copied, and code that calls the kernel with them later: for gcc a
 * nested function that uses no variable of the function around it, for clang a block, whose literal has a
 * copy of them. (Of a const struct of constants clang would make none.) There are one to eight arguments,
 * none of which is an array.
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
