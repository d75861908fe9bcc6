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

    float *field[2];                 // [cells] on the device: what is copied
    float *arrived[2];               // [cells] in pinned memory of the host: what is written
    cudaStream_t computing, copying; // for steps and fields, and for copies
    cudaEvent_t gathered[2];         // the field is in `field`...
    cudaEvent_t copied[2];           // ...and in `arrived`
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

    CHECK(cudaStreamCreateWithFlags(&run->computing, cudaStreamDefault));
    CHECK(cudaStreamCreateWithFlags(&run->copying, cudaStreamDefault));
    for (int b = 0; b < 2; b++) {
        CHECK(cudaMalloc((void **)&run->field[b], bytes_of(run)));
        CHECK(cudaMallocHost((void **)&run->arrived[b], bytes_of(run)));
        CHECK(cudaEventCreateWithFlags(&run->gathered[b], cudaEventDisableTiming));
        CHECK(cudaEventCreateWithFlags(&run->copied[b], cudaEventDisableTiming));
    }
}

static void destroy(Run *run)
{
    CHECK(cudaFree(run->now));
    CHECK(cudaFree(run->next));

    for (int b = 0; b < 2; b++) {
        CHECK(cudaFree(run->field[b]));
        CHECK(cudaFreeHost(run->arrived[b]));
        CHECK(cudaEventDestroy(run->gathered[b]));
        CHECK(cudaEventDestroy(run->copied[b]));
    }
    CHECK(cudaStreamDestroy(run->computing));
    CHECK(cudaStreamDestroy(run->copying));
}

static void make_steps(Run *run)
{
    const dim3 grid = {(run->cells + THREADS - 1u) / THREADS, 1, 1}, block = {THREADS, 1, 1};
    for (int n = 0; n < run->steps; n++) {
        LAUNCH_ON(run->computing, step, grid, block, run->cells, run->now, run->next);

        float *swap = run->now;
        run->now = run->next;
        run->next = swap;
    }
}

// Stores field n in a buffer of the device.
static void gather_field(Run *run, int n)
{
    const dim3 grid = {(run->cells + THREADS - 1u) / THREADS, 1, 1}, block = {THREADS, 1, 1};
    CHECK(cudaStreamWaitEvent(run->computing, run->copied[n % 2], 0));
    LAUNCH_ON(run->computing, gather, grid, block, run->cells, run->now, run->field[n % 2]);
    CHECK(cudaEventRecord(run->gathered[n % 2], run->computing));
}

// Copies field n to a buffer of the host.
static void copy_field(Run *run, int n)
{
    CHECK(cudaStreamWaitEvent(run->copying, run->gathered[n % 2], 0));
    CHECK(cudaMemcpyAsync(run->arrived[n % 2], run->field[n % 2], bytes_of(run), cudaMemcpyDeviceToHost,
                          run->copying));
    CHECK(cudaEventRecord(run->copied[n % 2], run->copying));
}

// Hands field n to the writer.
static void write_field(Run *run, int n)
{
    CHECK(cudaEventSynchronize(run->copied[n % 2]));
    run->write(run->arrived[n % 2], n);
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
        if (n >= 2)
            write_field(&run, n - 2);
        copy_field(&run, n);
    }

    for (int n = fields > 2 ? fields - 2 : 0; n < fields; n++)
        write_field(&run, n);

    destroy(&run);
}
