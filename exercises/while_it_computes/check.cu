#include "check_exercise.h"
#include "gpu/gpu.h"

enum { CELLS = 300, FIELDS = 8, STEPS = 3 };

/** The fields as they should be, and what the student's file has handed to the writer. */
static float expected[FIELDS][CELLS];
static const char *order; // of the streams; NULL on a GPU
static int written;

#ifndef __CUDACC__
/** A copy to the host that the student's file has called. */
typedef struct {
    void *to;
    cudaStream_t stream;
    cudaEvent_t done;
    int made_by_call;  /**< whether it was made when the call returned */
    int called_after;  /**< steps that were launched before the call... */
    int awaited_after; /**< ...and before the host's first wait that needs the copy; -1: there was none */
    int made_after;    /**< steps that had run when it was made */
} SeenCopy;

static struct {
    int copies, launched, run, without_stream;
    int created, destroyed; /**< streams, events and pieces of pinned memory */
    cudaStream_t stream;    /**< of the last step */
    SeenCopy copy[FIELDS];
    const float *written_from[FIELDS];
} seen;

static void count_step(const void *arguments)
{
    (void)arguments;
    seen.run++;
}

static void note_copy(const void *arguments)
{
    seen.copy[*(const int *)arguments].made_after = seen.run;
}

/** Launches a kernel of the check behind what is in the stream. */
static void follow(cudaStream_t stream, void (*thread)(const void *), int number)
{
    const dim3 one = {1, 1, 1};
    const KernelNode node = {"follow", one, one, thread, &number, sizeof number};
    CHECK(launch_on(stream, &node));
}

/** To be called when the host may have waited. */
__attribute__((unused)) static cudaError_t look_at_copies(cudaError_t error)
{
    for (int n = 0; n < seen.copies; n++)
        if (seen.copy[n].awaited_after < 0 && cudaEventQuery(seen.copy[n].done) == cudaSuccess)
            seen.copy[n].awaited_after = seen.launched;
    return error;
}

__attribute__((unused)) static cudaError_t watched_launch_on(cudaStream_t stream, const KernelNode *node)
{
    const cudaError_t error = launch_on(stream, node);
    seen.without_stream += stream == NULL;
    if (strcmp(node->name, "step") == 0) {
        seen.launched++;
        seen.stream = stream;
        follow(stream, count_step, 0);
    }
    return error;
}

__attribute__((unused)) static cudaError_t watched_launch_begin(dim3 grid, dim3 block)
{
    seen.without_stream++;
    return look_at_copies(launch_begin(grid, block));
}

__attribute__((unused)) static cudaError_t watched_copy(void *to, const void *from, size_t bytes,
                                                        enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);
    if (kind == cudaMemcpyDeviceToHost && seen.copies < FIELDS) {
        const int n = seen.copies++, made = cudaStreamQuery(stream) == cudaSuccess;
        SeenCopy *copy = &seen.copy[n];
        *copy = (SeenCopy){.to = to,
                           .stream = stream,
                           .made_by_call = made,
                           .called_after = seen.launched,
                           .awaited_after = -1};
        CHECK(cudaEventCreateWithFlags(&copy->done, cudaEventDisableTiming));
        CHECK(cudaEventRecord(copy->done, stream));
        follow(stream, note_copy, n);
    }
    return error;
}

#define COUNTED(number, call)             (seen.number++, call)
#define cudaStreamCreateWithFlags(...)    COUNTED(created, cudaStreamCreateWithFlags(__VA_ARGS__))
#define cudaStreamCreateWithPriority(...) COUNTED(created, cudaStreamCreateWithPriority(__VA_ARGS__))
#define cudaEventCreateWithFlags(...)     COUNTED(created, cudaEventCreateWithFlags(__VA_ARGS__))
#define cudaMallocHost(...)               COUNTED(created, cudaMallocHost(__VA_ARGS__))
#define cudaStreamDestroy(stream)         COUNTED(destroyed, cudaStreamDestroy(stream))
#define cudaEventDestroy(event)           COUNTED(destroyed, cudaEventDestroy(event))
#define launch_on                         watched_launch_on
#define launch_begin                      watched_launch_begin
#define cudaMemcpyAsync                   watched_copy
#define cudaMemcpy(...)                   look_at_copies(cudaMemcpy(__VA_ARGS__))
#define cudaMemset(...)                   look_at_copies(cudaMemset(__VA_ARGS__))
#define cudaFree(memory)                  look_at_copies(cudaFree(memory))
#define cudaFreeHost(memory)              COUNTED(destroyed, look_at_copies(cudaFreeHost(memory)))
#define cudaEventSynchronize(event)       look_at_copies(cudaEventSynchronize(event))
#define cudaStreamSynchronize(stream)     look_at_copies(cudaStreamSynchronize(stream))
#define cudaDeviceSynchronize()           look_at_copies(cudaDeviceSynchronize())
#endif

#include EXERCISE

#ifndef __CUDACC__
#undef cudaEventCreateWithFlags
#undef cudaEventDestroy
#endif

static const float *start_profile(void)
{
    static float start[CELLS];
    for (int x = 0; x < CELLS; x++)
        start[x] = (float)(x * x % 101);
    return start;
}

static void compute_expected(void)
{
    float profile[2][CELLS];
    memcpy(profile[0], start_profile(), sizeof profile[0]);
    for (int n = 0, now = 0; n < FIELDS; n++) {
        for (int k = 0; k < STEPS; k++, now = 1 - now)
            for (int x = 0; x < CELLS; x++)
                profile[1 - now][x] = 0.5f * (profile[now][x] + profile[now][(x + CELLS - 1) % CELLS]);
        for (int x = 0; x < CELLS; x++)
            expected[n][x] = profile[now][x] - profile[now][(x + CELLS - 1) % CELLS];
    }
}

static int is_field(const float *field, int n)
{
    for (int x = 0; x < CELLS; x++)
        if (!(fabsf(field[x] - expected[n][x]) <= 1e-4f))
            return 0;
    return 1;
}

/** The number of the field in a buffer; -1: none. */
static int number_of(const float *field)
{
    int n = FIELDS - 1;
    while (n >= 0 && !is_field(field, n))
        n--;
    return n;
}

/** Ends the check: in the late order the writer got something else than field n. Finds which wait is missing.
 */
static void explain_late(const float *field, int n, int other, const char *what)
{
    float before[CELLS];
    memcpy(before, field, sizeof before);
    CHECK(cudaDeviceSynchronize());
    part("TODO(4)", "who told the host that the copy had ended?");
    if (memcmp(before, field, sizeof before) != 0)
        wrong("order late: the writer got %s, and the numbers changed afterwards: the host does not wait for "
              "the copy",
              what);
    part("TODO(3)", "the copy stands in another stream than the kernel that fills the buffer");
    if (other <= n)
        wrong(
            "order late: the writer got %s: the copy does not wait until the buffer of the device is filled",
            what);
    part("TODO(2)", "the kernel stands in another stream than the copy out of the buffer that it fills");
    wrong(
        "order late: the writer got %s: the buffer of the device was filled again before the copy out of it",
        what);
}

/** Ends the check: the writer got something else than field n. */
static void explain(const float *field, int n)
{
    const int other = number_of(field);
    char what[64];
    if (other >= 0)
        snprintf(what, sizeof what, "field %d for field %d", other, n);
    else
        snprintf(what, sizeof what, "no field at all for field %d", n);
    if (order && strcmp(order, "late") == 0)
        explain_late(field, n, other, what);
    part("TODO(5)", "whose memory does a copy change, and when does the writer need it?");
    if (order && other > n)
        wrong(
            "order at-once: the writer got %s: the buffer of the host was filled again before it was written",
            what);
    part("TODO(2) to TODO(5)", "which buffer does each field take, and what is in there?");
    wrong("the writer got %s", what);
}

static void take_field(const float *field, int n)
{
    part("TODO(5)", "each field is written once, in the order of the steps");
    if (n != written || n >= FIELDS)
        wrong("the writer got number %d after %d fields: expected %d", n, written, written);
#ifndef __CUDACC__
    seen.written_from[written] = field;
#endif
    written++;
    if (!is_field(field, n))
        explain(field, n);
}

/** Runs the student's file in an order of the streams; on a GPU, as often as there are orders. */
static void expect_fields(const char *of_streams, int fields)
{
#ifndef __CUDACC__
    order = of_streams;
    memset(&seen, 0, sizeof seen);
#endif
    written = 0;
    setenv("LBM_STREAM_ORDER", of_streams, 1);
    run_flow(CELLS, start_profile(), fields, STEPS, take_field);
    unsetenv("LBM_STREAM_ORDER");
#ifndef __CUDACC__
    for (int n = 0; n < seen.copies; n++)
        CHECK(cudaEventDestroy(seen.copy[n].done));
#endif
    part("TODO(5)", "which fields has the host not handed on when the loop ends?");
    if (written != fields)
        wrong("the writer got %d fields: expected %d", written, fields);
}

#ifndef __CUDACC__
/** Ends the check unless each field comes by a copy that can go on beside the steps. */
static void expect_copies(void)
{
    part("TODO(1) and TODO(3)", "right, but slow: while a field is copied and written, nothing is computed");
    if (seen.copies != FIELDS)
        wrong("%d calls of cudaMemcpyAsync to the host for %d fields: expected one for each", seen.copies,
              FIELDS);
    part("TODO(1)",
         "right, but slow: cudaMemcpyAsync to pageable memory returns only when the copy has ended");
    for (int n = 0; n < FIELDS; n++) {
        if (seen.copy[n].made_by_call)
            wrong("the copy of field %d has ended when the call returns: the memory is not pinned", n);
        if (seen.copy[n].to != seen.written_from[n])
            wrong("field %d is written from another place than that to which it was copied", n);
    }
    part("TODO(2)", "right, but slow: a kernel without a stream waits for all streams, and they wait for it");
    if (seen.without_stream > 0)
        wrong("%d kernels are launched without a stream: expected none", seen.without_stream);
    part("TODO(3)", "right, but slow: in the stream of the steps, a copy stands in their way");
    for (int n = 0; n < FIELDS; n++)
        if (seen.copy[n].stream == seen.stream)
            wrong("the copy of field %d stands in the stream of the steps", n);
}

/** Ends the check unless the steps up to two fields later are queued when the host waits for a copy, and
 * could be made before it. */
static void expect_overlap(void)
{
    int most = 0;
    part("TODO(5)",
         "right, but slow: what does the host wait for, and could it wait later? A wait for a stream is one "
         "for all that is queued in it");
    for (int n = 0; n < FIELDS - 2; n++) {
        const SeenCopy *copy = &seen.copy[n];
        const int queued = copy->awaited_after - copy->called_after;
        if (copy->awaited_after >= 0 && queued < 2 * STEPS)
            wrong("the host waits for the copy of field %d when %d steps are queued behind it: expected %d",
                  n, queued, 2 * STEPS);
        most = copy->made_after - copy->called_after > most ? copy->made_after - copy->called_after : most;
    }
    part("TODO(2)", "right, but slow: which kernel has to wait for a copy, and for that of which buffer?");
    if (most < 2 * STEPS)
        wrong("at most %d steps can run between the call of a copy and its end, because they wait for it: "
              "expected "
              "%d",
              most, 2 * STEPS);
}
#endif

void check(void)
{
    compute_expected();
    expect_fields("at-once", FIELDS);
    expect_fields("late", FIELDS);
#ifndef __CUDACC__
    expect_copies();
    expect_overlap();
    part("TODO(1)", "what `create` creates, `destroy` has to destroy");
    if (seen.created != seen.destroyed)
        wrong("%d streams, events and pieces of pinned memory are created, and %d destroyed", seen.created,
              seen.destroyed);
#endif
    for (int fields = 1; fields >= 0; fields--)
        expect_fields("late", fields);
}
