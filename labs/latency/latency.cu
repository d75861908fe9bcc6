/**
 * @file latency.cu
 * Measures on this machine's GPU what each way to synchronise costs, with nothing computed.
 * Usage: latency [--csv FILE]
 */
#include "cluster.h"
#include "gpu/gpu.h"
#include "resident.h"
extern "C" {
#include "host/interrupt.h"
#include "host/standard_output.h"
#include "program/measured_table.h"
}

#include <math.h>
#include <string.h>

enum { REPEATS = 5, LAUNCHES = 5000, NODES = 1000, STEPS = 50000 }; // NODES of a graph, STEPS of a launch

static __global__ void empty(int, int)
{
}

static __global__ void dependent(int, int)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion(); // blocks of the next launch may become resident...
    cudaGridDependencySynchronize();           // ...and wait here for the end of this one
#endif
}

// A row of the table: a kernel, how it is launched, and what is timed: launches or steps of one launch.
enum { IN_GRAPH = 1, DEPENDENT = 2, RESIDENT = 4, CLUSTER = 8, STEPS_ARE_TIMED = RESIDENT | CLUSTER };
typedef struct {
    const char *what;
    void (*kernel)(int first, int last);
    int how, blocks, threads;
} Case;

static const Case cases[] = {
    {"launch",               empty,           0,                    128, 256 },
    {"launch_dependent",     dependent,       DEPENDENT,            128, 256 },
    {"graph_node",           empty,           IN_GRAPH,             128, 256 },
    {"graph_node_dependent", dependent,       IN_GRAPH | DEPENDENT, 128, 256 },
    {"grid_sync",            grid_sync,       RESIDENT,             16,  256 },
    {"grid_sync",            grid_sync,       RESIDENT,             128, 256 },
    {"counter_barrier",      counter_barrier, RESIDENT,             16,  256 },
    {"counter_barrier",      counter_barrier, RESIDENT,             128, 256 },
    {"neighbour_flags",      neighbour_flags, RESIDENT,             16,  256 },
    {"neighbour_flags",      neighbour_flags, RESIDENT,             128, 256 },
    {"packets",              packets,         RESIDENT,             16,  256 },
    {"packets",              packets,         RESIDENT,             128, 32  },
    {"packets",              packets,         RESIDENT,             128, 256 },
    {"packets",              packets,         RESIDENT,             128, 1024},
    {"cluster_barrier",      cluster_barrier, CLUSTER,              8,   256 },
    {"cluster_barrier",      cluster_barrier, CLUSTER,              16,  256 },
    {"async_store",          async_store,     CLUSTER,              8,   256 },
    {"async_store",          async_store,     CLUSTER,              16,  256 },
    {"syncthreads",          syncthreads,     RESIDENT,             1,   256 },
    {"syncthreads",          syncthreads,     RESIDENT,             1,   1024},
    {"l2_load",              l2_load,         RESIDENT,             1,   1   },
};

static cudaStream_t stream;

static cudaLaunchAttribute attribute_of(const Case *c)
{
    cudaLaunchAttribute a = {};
    if (c->how & DEPENDENT) {
        a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        a.val.programmaticStreamSerializationAllowed = 1;
    } else if (c->how & RESIDENT) {
        a.id = cudaLaunchAttributeCooperative;
        a.val.cooperative = 1;
    } else if (c->how & CLUSTER) {
        a.id = cudaLaunchAttributeClusterDimension;
        a.val.clusterDim.x = c->blocks;
        a.val.clusterDim.y = a.val.clusterDim.z = 1;
    } else {
        a.id = cudaLaunchAttributeIgnore;
    }
    return a;
}

static cudaError_t launch(const Case *c, int first, int last)
{
    cudaLaunchAttribute attribute = attribute_of(c);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(c->blocks);
    config.blockDim = dim3(c->threads);
    config.attrs = &attribute;
    config.numAttrs = 1;
    config.stream = stream;
    void *arguments[] = {&first, &last};
    return cudaLaunchKernelExC(&config, (const void *)c->kernel, arguments);
}

// Why the device can't do it; NULL if a launch without steps succeeds.
static const char *lack_of(const Case *c)
{
    cudaFuncAttributes code;
    CHECK(cudaFuncGetAttributes(&code, (const void *)c->kernel));
    if (c->how & (DEPENDENT | CLUSTER) && code.ptxVersion < 90)
        return "it takes compute capability 9.0, and code for it";
    if (c->how & CLUSTER) // allows more than 8 blocks, where the device does
        cudaFuncSetAttribute(c->kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    const cudaError_t error = launch(c, 0, 0);
    cudaGetLastError(); // forgets it
    CHECK(cudaDeviceSynchronize());
    return error == cudaSuccess ? NULL : cudaGetErrorString(error);
}

static cudaGraphExec_t capture(const Case *c)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int n = 0; n < NODES; n++)
        CHECK(launch(c, 0, 0));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    return executable;
}

// Puts into the stream what is timed at once. Steps go on from one launch to the next.
static void enqueue(const Case *c, cudaGraphExec_t graph, int first)
{
    if (c->how & STEPS_ARE_TIMED)
        CHECK(launch(c, first, first + STEPS));
    else if (graph)
        for (int n = 0; n < LAUNCHES / NODES; n++)
            CHECK(cudaGraphLaunch(graph, stream));
    else
        for (int n = 0; n < LAUNCHES; n++)
            CHECK(launch(c, 0, 0));
}

// Microseconds of one launch or step: the least of several series, after one that is not counted.
static double measure(const Case *c)
{
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    const cudaGraphExec_t graph = c->how & IN_GRAPH ? capture(c) : NULL;
    float least = INFINITY, ms;
    for (int n = 0; n <= REPEATS; n++) {
        CHECK(cudaEventRecord(begin, stream));
        enqueue(c, graph, n * STEPS);
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        if (n > 0)
            least = fminf(least, ms);
    }
    if (graph)
        CHECK(cudaGraphExecDestroy(graph));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    return 1e3 * least / (c->how & STEPS_ARE_TIMED ? STEPS : LAUNCHES);
}

// Clears the memory in which the blocks meet.
static void clear(void)
{
    void *memory;
    CHECK(cudaGetSymbolAddress(&memory, word));
    CHECK(cudaMemset(memory, 0, sizeof word));
    CHECK(cudaGetSymbolAddress(&memory, mailbox));
    CHECK(cudaMemset(memory, 0, sizeof mailbox));
    CHECK(cudaDeviceSynchronize());
}

static void add_row(Record *record, const Case *c)
{
    const char *lack = lack_of(c);
    char us[32] = "";
    int failed = 0;
    if (!lack) {
        clear();
        snprintf(us, sizeof us, "%.3f", measure(c));
        CHECK(cudaMemcpyFromSymbol(&failed, has_timed_out, sizeof failed));
    }
    if (failed)
        fail(EXIT_MACHINE, "%s, %d blocks of %d threads: a thread waited more than %d s for another block",
             c->what, c->blocks, c->threads, TIMEOUT_S);
    printf("%-21s %6d %7d %8s%s%s\n", c->what, c->blocks, c->threads, lack ? "-" : us, lack ? "  " : "",
           lack ? lack : "");
    add_text(record, "%s,%d,%d,%s\n", c->what, c->blocks, c->threads, us);
    flush_standard_output();
}

int main(int argc, char **argv)
{
    catch_signals();
    if (argc != 1 && (argc != 3 || strcmp(argv[1], "--csv") != 0 || !*argv[2]))
        fail(EXIT_USAGE, "latency does not take \"%s\"; it takes nothing, or --csv FILE", argv[argc - 1]);
    const char *csv = argc == 3 ? argv[2] : "";
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0)
        fail(EXIT_MACHINE, "no CUDA device, and latency measures one: %s", cudaGetErrorString(error));
    Words words;
    snprintf(words.text, sizeof words.text, "latency%s%.900s", *csv ? " --csv " : "", csv);
    sanitize(words.text);

    Record record;
    begin_record(&record, csv, &words, 1, 0);
    note(&record, "us", "microseconds of one launch, barrier, exchange or load, the least of %d series",
         REPEATS);
    CHECK(cudaStreamCreate(&stream));
    printf("\n%-21s %6s %7s %8s\n", "what", "blocks", "threads", "us");
    add_text(&record, "what,blocks,threads,us\n");
    int measured = 0;
    while (measured < (int)(sizeof cases / sizeof *cases) && !stop_code())
        add_row(&record, &cases[measured++]);
    end_record(&record, measured);
    check_standard_output();
    return stop_code();
}
