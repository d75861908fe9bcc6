// A profile that a stream carries along a line of cells; and every few steps its slope, a field that is
// copied to the host and written to a disk.
#include "gpu/gpu.h"
#include "host/allocate.h"

#include <stdlib.h>

// Writes a field to the disk. Returns when the memory of the host may be used again.
typedef void Write(const float *field, int number);

enum { THREADS = 64 };

typedef struct {
    int cells, steps; // steps from one field to the next
    Write *write;
    float *now, *next; // [cells] on the device: the profile, now and one step later

    // TODO(1): two buffers of each kind, two streams, and an event for each thing that somebody waits for
    float *field;   // [cells] on the device: what is copied
    float *arrived; // [cells] in memory of the host: what is written
} Run;

static __global__ void step(int cells, const float *from, float *to)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < cells)
        to[x] = 0.5f * (from[x] + from[(x + cells - 1) % cells]);
}

static __global__ void gather(int cells, const float *from, float *field)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < cells)
        field[x] = from[x] - from[(x + cells - 1) % cells];
}

static size_t bytes_of(const Run *run)
{
    return run->cells * sizeof(float);
}

static void create(Run *run, const float *start)
{
    CHECK(cudaMalloc((void **)&run->now, bytes_of(run)));
    CHECK(cudaMalloc((void **)&run->next, bytes_of(run)));
    CHECK(cudaMemcpy(run->now, start, bytes_of(run), cudaMemcpyHostToDevice));

    // TODO(1): what kind of memory can a GPU copy to, while the host does something else?
    CHECK(cudaMalloc((void **)&run->field, bytes_of(run)));
    run->arrived = (float *)allocate(bytes_of(run));
}

static void destroy(Run *run)
{
    CHECK(cudaFree(run->now));
    CHECK(cudaFree(run->next));

    // TODO(1): all that `create` has created
    CHECK(cudaFree(run->field));
    free(run->arrived);
}

static void make_steps(Run *run)
{
    const dim3 grid = {(run->cells + THREADS - 1u) / THREADS, 1, 1}, block = {THREADS, 1, 1};
    for (int n = 0; n < run->steps; n++) {
        // TODO(2): in which stream?
        LAUNCH(step, grid, block, run->cells, run->now, run->next);

        float *swap = run->now;
        run->now = run->next;
        run->next = swap;
    }
}

// Stores field n in a buffer of the device.
static void gather_field(Run *run, int n)
{
    const dim3 grid = {(run->cells + THREADS - 1u) / THREADS, 1, 1}, block = {THREADS, 1, 1};
    // TODO(2): in which stream? Who may still need what is in the buffer, and who waits until it is filled?
    (void)n;
    LAUNCH(gather, grid, block, run->cells, run->now, run->field);
}

// Copies field n to a buffer of the host.
static void copy_field(Run *run, int n)
{
    // TODO(3): in which stream, and what has to be over before? This call returns only when the copy has
    // ended
    (void)n;
    CHECK(cudaMemcpy(run->arrived, run->field, bytes_of(run), cudaMemcpyDeviceToHost));
}

// Hands field n to the writer.
static void write_field(Run *run, int n)
{
    // TODO(4): how does the host know that the field has arrived?
    run->write(run->arrived, n);
}

// Makes `steps` steps before each of the fields.
void run_flow(int cells, const float *start, int fields, int steps, Write *write)
{
    Run run;
    run.cells = cells;
    run.steps = steps;
    run.write = write;
    create(&run, start);
    for (int n = 0; n < fields; n++) {
        make_steps(&run);
        gather_field(&run, n);
        // TODO(5): while the host waits and writes, steps should be queued. Which field has to be written
        // now?
        copy_field(&run, n);
        write_field(&run, n);
    }

    // TODO(5): which fields are left?

    destroy(&run);
}
