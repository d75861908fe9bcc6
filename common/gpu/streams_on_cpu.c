#include "gpu/streams_on_cpu.h"

#include "host/allocate.h"
#include "host/clock.h"
#include "host/fail.h"

#include <stdlib.h>
#include <string.h>

typedef struct Operation Operation;

/** An operation that was called. */
struct Operation {
    cudaStream_t stream;
    Operation *before, *next; // in the stream, among those that are not made
    unsigned long number;     // in the order of calls
    Operation *awaited;       // the recording of an event that it waits for; NULL: none
    Operation *also_needed;   // a list
    int needed;               // by a wait of the host
    int made, to_host;
    int users;  // its stream, events, and operations that wait for it
    Make *make; // NULL: it only waits
    void *operands, *arguments;
};

/* Streams and events are memory, so that a sanitizer sees who does not destroy them. */

struct Stream {
    Operation *first, *last; // that are not made
    struct Stream *next;
    int blocking, destroyed;
    unsigned waits; // of the host
    struct Graph *captured;
};

struct Event {
    Operation *recorded; // last; NULL: it is not
    unsigned waits;      // of the host
};

/** The list of all streams, at whose end the default stream is. */
static struct Stream default_stream = {.blocking = 1}, *streams = &default_stream;

enum { PATIENCE = 1 << 16 }; // queries until one makes what it asks for

static unsigned long calls;
static size_t needed_count;
static int making; // whether an operation is made now

static int order_is_late(void)
{
    const char *name = getenv("LBM_STREAM_ORDER");
    if (!name || !*name || strcmp(name, "at-once") == 0)
        return 0;
    if (strcmp(name, "late") != 0)
        fail(EXIT_USAGE, "LBM_STREAM_ORDER is \"%s\"; it takes at-once or late", name);
    return 1;
}

static void note_time(void *operands, const void *arguments)
{
    (void)arguments;
    *(double *)operands = now();
}

static void drop(Operation *operation)
{
    if (!operation || --operation->users > 0)
        return;
    drop(operation->awaited);
    free(operation->operands);
    free(operation->arguments);
    free(operation);
}

static Operation *hold(Operation *operation)
{
    if (operation)
        operation->users++;
    return operation;
}

/** Whether the operations of two streams are made in the order of calls: one is the default stream. */
static int in_order_of_calls(const struct Stream *a, const struct Stream *b)
{
    return a != b && (a == &default_stream || b == &default_stream) && a->blocking && b->blocking;
}

/** Whether nothing stands before the first operation of a stream. */
static int is_ready(const Operation *first)
{
    if (first->awaited && !first->awaited->made)
        return 0;
    for (const struct Stream *s = streams; s; s = s->next)
        if (s->first && s->first->number < first->number && in_order_of_calls(s, first->stream))
            return 0;
    return 1;
}

static void add_needed(Operation **list, Operation *operation)
{
    if (!operation || operation->made || operation->needed)
        return;
    operation->needed = 1;
    operation->also_needed = *list;
    *list = operation;
    needed_count++;
}

static Operation *last_before(const struct Stream *stream, unsigned long number)
{
    Operation *operation = stream->last;
    while (operation && operation->number > number)
        operation = operation->before;
    return operation;
}

/** Marks an operation, and all that has to be made before it. */
static void need(Operation *operation)
{
    Operation *list = NULL;
    add_needed(&list, operation);
    while (list) {
        const Operation *one = list;
        list = one->also_needed;
        add_needed(&list, one->before);
        add_needed(&list, one->awaited);
        for (const struct Stream *s = streams; s; s = s->next)
            if (in_order_of_calls(s, one->stream))
                add_needed(&list, last_before(s, one->number));
    }
}

/** Whether an operation may be made next: it is needed or, if `any`, no copy to the host; and it is ready. */
static int may_be_next(const Operation *first, int any)
{
    return first && (first->needed || (any && !first->to_host)) && is_ready(first);
}

/** The operation that is made next: a recording or a wait, or else the one that was called last. */
static Operation *choose_next(int any)
{
    Operation *next = NULL;
    for (const struct Stream *s = streams; s; s = s->next)
        if (may_be_next(s->first, any)) {
            if (s->first->make == NULL || s->first->make == note_time)
                return s->first;
            if (!next || s->first->number > next->number)
                next = s->first;
        }
    return next;
}

/** Forgets a stream that was destroyed, when nothing is left in it. */
static void forget_if_empty(struct Stream *stream)
{
    if (!stream->destroyed || stream->first)
        return;
    struct Stream **place = &streams;
    while (*place != stream)
        place = &(*place)->next;
    *place = stream->next;
    free(stream);
}

static void leave_stream(Operation *first)
{
    struct Stream *const stream = first->stream;
    stream->first = first->next;
    if (first->next)
        first->next->before = NULL;
    else
        stream->last = NULL;
    forget_if_empty(stream);
}

static void make(Operation *first)
{
    const char *name = launch_name;
    making = 1;
    if (first->make)
        first->make(first->operands, first->arguments);
    making = 0;
    launch_name = name;
    first->made = 1;
    needed_count -= first->needed;
    leave_stream(first);
    drop(first);
}

static void make_needed(int and_others)
{
    while (needed_count > 0)
        make(choose_next(and_others));
}

/** The first wait of an object makes others, too, the second one does not, and so on. */
static void wait_for(Operation *operation, unsigned *waits)
{
    need(operation);
    make_needed((*waits)++ % 2 == 0);
}

void finish_streams(void)
{
    for (const struct Stream *s = streams; s; s = s->next)
        need(s->last);
    make_needed(0);
}

static void wait_for_blocking_streams(void)
{
    for (const struct Stream *s = streams; s; s = s->next)
        if (s->blocking)
            need(s->last);
    make_needed(default_stream.waits++ % 2 == 0);
}

void begin_in_default_stream(void)
{
    if (!making && order_is_late())
        wait_for_blocking_streams();
}

static void *copy_of(const void *memory, size_t bytes)
{
    return bytes > 0 ? memcpy(allocate(bytes), memory, bytes) : NULL;
}

static Operation *append(cudaStream_t stream)
{
    Operation *operation = (Operation *)allocate(sizeof *operation);
    operation->stream = stream ? stream : &default_stream;
    operation->number = ++calls;
    operation->users = 1;
    operation->before = operation->stream->last;
    *(operation->before ? &operation->before->next : &operation->stream->first) = operation;
    return operation->stream->last = operation;
}

static void make_at_once(Operation *operation, int may_be_late)
{
    if (order_is_late() && may_be_late)
        return;
    need(operation);
    make_needed(0);
}

void queue_operation(cudaStream_t stream, Make *make, const void *operands, size_t operand_bytes,
                     const void *arguments, size_t argument_bytes)
{
    Operation *operation = append(stream);
    operation->make = make;
    operation->operands = copy_of(operands, operand_bytes);
    operation->arguments = copy_of(arguments, argument_bytes);
    make_at_once(operation, 1);
}

void *last_queued(cudaStream_t stream, Make *make)
{
    const Operation *last = stream ? stream->last : default_stream.last;
    return last && last->number == calls && last->make == make ? last->operands : NULL;
}

struct Graph **captured_graph(cudaStream_t stream)
{
    return stream ? &stream->captured : &default_stream.captured;
}

void refuse_capture(cudaStream_t stream)
{
    if (*captured_graph(stream))
        fail(EXIT_MACHINE, "LAUNCH_ON in a stream that captures a graph; there it is LAUNCH_DEPENDENT");
}

static void run_rows(void *operands, const void *arguments)
{
    const KernelNode *node = (const KernelNode *)operands;
    launch_name = node->name;
    launch_begin(node->grid, node->block); // of a shape that was checked
    while (launch_next())
        node->thread(arguments);
}

cudaError_t launch_on(cudaStream_t stream, const KernelNode *node)
{
    refuse_capture(stream);
    const cudaError_t error = check_shape(node->grid, node->block);
    if (error == cudaSuccess)
        queue_operation(stream, run_rows, node, sizeof *node, node->arguments, node->bytes);
    return error;
}

/** Memory of the host that cudaMallocHost has returned. */
typedef struct Pinned {
    struct Pinned *next;
    char *memory;
    size_t bytes;
} Pinned;

static Pinned *all_pinned;

static int is_pinned(const void *memory)
{
    const Pinned *p = all_pinned;
    while (p && ((const char *)memory < p->memory || (const char *)memory >= p->memory + p->bytes))
        p = p->next;
    return p != NULL;
}

cudaError_t cudaMallocHost(void **memory, size_t bytes)
{
    const cudaError_t error = cudaMalloc(memory, bytes);
    if (error != cudaSuccess)
        return error;
    Pinned *pinned = (Pinned *)allocate(sizeof *pinned);
    *pinned = (Pinned){all_pinned, (char *)*memory, bytes};
    all_pinned = pinned;
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
    Pinned **place = &all_pinned;
    while (*place && (*place)->memory != memory)
        place = &(*place)->next;
    if (!*place)
        return memory ? cudaErrorInvalidValue : cudaSuccess;
    Pinned *const pinned = *place;
    *place = pinned->next;
    free(pinned);
    return cudaFree(memory);
}

typedef struct {
    void *to;
    const void *from;
    size_t bytes;
} Copy;

static void make_copy(void *operands, const void *arguments)
{
    (void)arguments;
    const Copy *copy = (const Copy *)operands;
    memcpy(copy->to, copy->from, copy->bytes);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const Copy copy = {to, from, bytes};
    Operation *operation = append(stream);
    operation->make = make_copy;
    operation->operands = copy_of(&copy, sizeof copy);
    operation->to_host = kind == cudaMemcpyDeviceToHost;
    make_at_once(operation, kind == cudaMemcpyDeviceToDevice || is_pinned(operation->to_host ? to : from));
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    *stream = (cudaStream_t)allocate(sizeof **stream);
    (*stream)->blocking = flags != cudaStreamNonBlocking;
    (*stream)->next = streams;
    streams = *stream;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)priority;
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    if (stream)
        wait_for(stream->last, &stream->waits);
    else
        wait_for_blocking_streams();
    return cudaSuccess;
}

/** Whether an operation is made. A program that asks again and again waits: the last answer is yes. */
static cudaError_t query(Operation *operation)
{
    static unsigned refused;
    if (!operation || operation->made)
        return cudaSuccess;
    if (++refused % PATIENCE != 0)
        return cudaErrorNotReady;
    need(operation);
    make_needed(0);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return query((stream ? stream : &default_stream)->last);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)flags;
    Operation *operation = append(stream);
    operation->awaited = hold(event->recorded);
    make_at_once(operation, 1);
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    stream->destroyed = 1;
    forget_if_empty(stream);
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = (cudaEvent_t)allocate(sizeof **event);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    if (event->recorded)
        wait_for(event->recorded, &event->waits);
    return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return query(event->recorded);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    const double not_yet = 0.0;
    Operation *operation = append(stream);
    operation->make = note_time;
    operation->operands = copy_of(&not_yet, sizeof not_yet);
    drop(event->recorded);
    event->recorded = hold(operation);
    make_at_once(operation, 1);
    return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    if (!begin->recorded || !end->recorded)
        return cudaErrorInvalidValue;
    if (!begin->recorded->made || !end->recorded->made)
        return cudaErrorNotReady;
    const double from = *(const double *)begin->recorded->operands;
    *milliseconds = (float)(1e3 * (*(const double *)end->recorded->operands - from));
    return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    drop(event->recorded);
    free(event);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    finish_streams();
    return cudaSuccess;
}

#ifdef __clang__
/** The class of the blocks of LAUNCH_ON; a runtime library, which they don't need, would define it. */
void *_NSConcreteStackBlock[32];
#endif
