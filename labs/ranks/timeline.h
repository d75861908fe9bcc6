/**
 * @file timeline.h
 * Marks before and after what a solver has the GPU and MPI do. The build replaces the solver's calls by these
 * (timeline.sed). Marks cost time themselves, some microseconds each on a GPU.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "gpu/gpu.h"
#include "host/clock.h"

#include <string.h>

enum { MOST_MARKS = 256 };

/** What is done between two events of a stream, or by the host between two moments. */
typedef struct {
    const char *what, *lane;
    cudaEvent_t begin, end; // NULL: by the host
    double host_begin, host_end;
} Mark;

static Mark marks[MOST_MARKS];
static int mark_count, is_marking;

/** Begins a mark, if there are to be any. `lane` may be the text of an expression: its last name counts. */
static void begin_mark(const char *what, const char *lane, cudaStream_t stream)
{
    if (!is_marking || mark_count == MOST_MARKS)
        return;
    Mark *mark = &marks[mark_count];
    mark->what = what;
    mark->lane = strrchr(lane, '>') ? strrchr(lane, '>') + 1 : lane;
    CHECK(cudaEventCreateWithFlags(&mark->begin, 0));
    CHECK(cudaEventCreateWithFlags(&mark->end, 0));
    CHECK(cudaEventRecord(mark->begin, stream));
}

static void end_mark(cudaStream_t stream)
{
    if (is_marking && mark_count < MOST_MARKS)
        CHECK(cudaEventRecord(marks[mark_count++].end, stream));
}

static void mark_host(const char *what, double begin)
{
    if (is_marking && mark_count < MOST_MARKS) {
        const Mark mark = {what, "MPI", NULL, NULL, begin, now()};
        marks[mark_count++] = mark;
    }
}

#define MARKED_LAUNCH_ON(stream, kernel, ...)                                                                \
    do {                                                                                                     \
        begin_mark(#kernel, #stream, stream);                                                                \
        LAUNCH_ON(stream, kernel, __VA_ARGS__);                                                              \
        end_mark(stream);                                                                                    \
    } while (0)

#define MARKED_LAUNCH(kernel, ...)                                                                           \
    do {                                                                                                     \
        begin_mark(#kernel, "kernels", 0);                                                                   \
        LAUNCH(kernel, __VA_ARGS__);                                                                         \
        end_mark(0);                                                                                         \
    } while (0)

#define MARKED_CALL(call, ...)                                                                               \
    do {                                                                                                     \
        const double begin = now();                                                                          \
        call(__VA_ARGS__);                                                                                   \
        mark_host(#call, begin);                                                                             \
    } while (0)

/** cudaMemcpyAsync, between marks. */
static inline cudaError_t marked_copy_on(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                         cudaStream_t stream)
{
    begin_mark(kind == cudaMemcpyDeviceToHost ? "copy out" : "copy in", "copies", stream);
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);
    end_mark(stream);
    return error;
}

/** cudaMemcpy, between marks. */
static inline cudaError_t marked_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    begin_mark(kind == cudaMemcpyDeviceToHost ? "copy out" : "copy in", "copies", 0);
    const cudaError_t error = cudaMemcpy(to, from, bytes, kind);
    end_mark(0);
    return error;
}

#endif
