#include "gpu_on_cpu.h"

#include "allocate.h"
#include "fail.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 1024, MOST_BLOCKS_Y = 65535 }; // of a block, of a grid along y

dim3 gridDim, blockDim, blockIdx, threadIdx;

typedef enum { FORWARD, REVERSE, SHUFFLE } Order;

static struct {
    Order order;
    uint64_t random;  /**< state of the generator */
    size_t count;     /**< threads of this launch */
    size_t done;      /**< how many have run */
    uint32_t *turn;   /**< shuffle: turn[k] is the number of the k-th thread to run */
    size_t turn_size; /**< threads that `turn` has room for */
} launch;

/** xorshift64* (Vigna 2016, ACM TOMS 42, 30). */
static uint32_t random_below(uint32_t bound)
{
    launch.random ^= launch.random >> 12;
    launch.random ^= launch.random << 25;
    launch.random ^= launch.random >> 27;
    return (uint32_t)((launch.random * 0x2545f4914f6cdd1d >> 32) * bound >> 32);
}

static void shuffle(void)
{
    if (launch.turn_size < launch.count) {
        free(launch.turn);
        launch.turn = allocate(launch.count * sizeof *launch.turn);
        launch.turn_size = launch.count;
    }
    for (size_t k = 0; k < launch.count; k++) {
        const uint32_t other = random_below((uint32_t)k + 1);
        launch.turn[k] = launch.turn[other];
        launch.turn[other] = (uint32_t)k;
    }
}

static int is_seeded_shuffle(const char *name, unsigned *seed)
{
    int end = 0;
    return strncmp(name, "shuffle:", 8) == 0 && isdigit((unsigned char)name[8]) &&
           sscanf(name + 8, "%9u%n", seed, &end) == 1 && name[8 + end] == '\0';
}

/** Reads LBM_THREAD_ORDER; a value that it did not have before starts the generator anew. */
static void choose_order(void)
{
    static char last[32];
    const char *name = getenv("LBM_THREAD_ORDER");
    if (!name)
        name = "forward";
    if (strcmp(name, last) == 0)
        return;
    snprintf(last, sizeof last, "%s", name);

    unsigned seed = 1;
    if (strcmp(name, "forward") == 0)
        launch.order = FORWARD;
    else if (strcmp(name, "reverse") == 0)
        launch.order = REVERSE;
    else if (strcmp(name, "shuffle") == 0 || is_seeded_shuffle(name, &seed))
        launch.order = SHUFFLE;
    else
        fail(EXIT_USAGE, "LBM_THREAD_ORDER is \"%s\"; it takes forward, reverse, shuffle or shuffle:SEED",
             name);
    launch.random = 0x9e3779b97f4a7c15 * (seed + 1ull);
}

static int can_launch(dim3 grid, dim3 block)
{
    return block.x > 0 && block.y > 0 && grid.x > 0 && grid.y > 0 && block.x <= MOST_THREADS &&
           block.y <= MOST_THREADS && block.x * block.y <= MOST_THREADS && grid.x <= INT_MAX &&
           grid.y <= MOST_BLOCKS_Y;
}

cudaError_t launch_begin(dim3 grid, dim3 block)
{
    if (!can_launch(grid, block))
        return cudaErrorInvalidConfiguration;
    gridDim = grid;
    blockDim = block;
    launch.count = (size_t)grid.x * grid.y * block.x * block.y;
    launch.done = 0;
    choose_order();
    if (launch.order == SHUFFLE)
        shuffle();
    return cudaSuccess;
}

int launch_next(void)
{
    if (launch.done == launch.count)
        return 0;
    size_t n = launch.done++;
    if (launch.order == REVERSE)
        n = launch.count - 1 - n;
    else if (launch.order == SHUFFLE)
        n = launch.turn[n];
    else if (n % blockDim.x != 0) { /* forward, the next in the row: no division needed */
        threadIdx.x++;
        return 1;
    }
    threadIdx.x = n % blockDim.x;
    n /= blockDim.x;
    threadIdx.y = n % blockDim.y;
    n /= blockDim.y;
    blockIdx.x = n % gridDim.x;
    blockIdx.y = n / gridDim.x;
    return 1;
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    (void)device;
    *value = attribute == cudaDevAttrMaxGridDimY ? MOST_BLOCKS_Y : MOST_THREADS;
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    *available = *total = free_memory();
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    *memory = malloc(bytes);
    if (!*memory)
        return cudaErrorMemoryAllocation;
    memset(*memory, 0xff, bytes);
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes)
{
    memset(memory, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInvalidConfiguration:
        return "invalid configuration argument"; // CUDA's words
    default:
        return "error";
    }
}
