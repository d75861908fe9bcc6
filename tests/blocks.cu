// Kernels whose threads work together: on a GPU the hardware's barriers and shuffles, without one the
// emulator's.
#include "device_memory.h"

#include "check.h"

enum { BLOCKS = 6, THREADS = 96, COUNT = BLOCKS * THREADS };

static const dim3 grid = {3, 2, 1}, block = {16, 6, 1}; // BLOCKS, THREADS

static __device__ int thread_in_block(void)
{
    return threadIdx.y * blockDim.x + threadIdx.x;
}

static __device__ int thread_in_grid(void)
{
    return (blockIdx.y * gridDim.x + blockIdx.x) * THREADS + thread_in_block();
}

/** Each block turns its numbers round. */
static __global__ void turn_round(float *numbers, float factor)
{
    SHARED(float, shared);
    const int t = thread_in_block(), n = thread_in_grid();
    shared[t] = factor * numbers[n];
    __syncthreads();
    numbers[n] = shared[THREADS - 1 - t];
}
BLOCK_KERNEL(turn_round, float *, float);

TEST(a_block_shares_dynamic_memory)
{
    float numbers[COUNT];
    for (int n = 0; n < COUNT; n++)
        numbers[n] = n;
    float *device = (float *)to_device(numbers, sizeof numbers);
    LAUNCH_BLOCKS(turn_round, grid, block, THREADS * sizeof(float), device, 2.0f);
    from_device(numbers, device, sizeof numbers);
    for (int n = 0; n < COUNT; n++)
        EXPECT(numbers[n] == 2.0f * (n / THREADS * THREADS + THREADS - 1 - n % THREADS));
}

/** Each block adds up its numbers, by halves: a barrier in a loop. */
static __global__ void add_up(const int *numbers, int *sums)
{
    __shared__ int partial[128];
    const int t = thread_in_block();
    partial[t] = numbers[thread_in_grid()];
    if (t + THREADS < 128)
        partial[t + THREADS] = 0;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            partial[t] += partial[t + half];
    }
    if (t == 0)
        sums[blockIdx.y * gridDim.x + blockIdx.x] = partial[0];
}
BLOCK_KERNEL(add_up, const int *, int *);

TEST(a_block_shares_an_array)
{
    int numbers[COUNT], sums[BLOCKS] = {0};
    for (int n = 0; n < COUNT; n++)
        numbers[n] = n * n % 1009;
    int *device = (int *)to_device(numbers, sizeof numbers),
        *device_sums = (int *)to_device(sums, sizeof sums);
    LAUNCH_BLOCKS(add_up, grid, block, 0, device, device_sums);
    from_device(sums, device_sums, sizeof sums);
    CHECK(cudaFree(device));
    for (int b = 0; b < BLOCKS; b++) {
        int sum = 0;
        for (int t = 0; t < THREADS; t++)
            sum += numbers[b * THREADS + t];
        EXPECT(sums[b] == sum);
    }
}

enum { SHUFFLES = 8 };

/** All shuffles of a number that differs in every thread. */
static __global__ void shuffle_all(const unsigned *numbers, unsigned *results)
{
    const int n = thread_in_grid();
    const unsigned number = numbers[n];
    unsigned *result = results + SHUFFLES * n;
    result[0] = __shfl_sync(~0u, number, 5);
    result[1] = __shfl_sync(~0u, number, (int)(7 * number % 32));
    result[2] = __shfl_up_sync(~0u, number, 1);
    result[3] = __shfl_up_sync(~0u, number, 20);
    result[4] = __shfl_down_sync(~0u, number, 1);
    result[5] = __shfl_down_sync(~0u, number, 20);
    result[6] = __shfl_xor_sync(~0u, number, 1);
    result[7] = __shfl_xor_sync(~0u, number, 21);
}
BLOCK_KERNEL(shuffle_all, const unsigned *, unsigned *);

TEST(shuffles)
{
    static unsigned numbers[COUNT], results[COUNT][SHUFFLES];
    for (unsigned n = 0; n < COUNT; n++)
        numbers[n] = 2654435761u * n;
    unsigned *device = (unsigned *)to_device(numbers, sizeof numbers);
    unsigned *to = (unsigned *)to_device(results, sizeof results);
    LAUNCH_BLOCKS(shuffle_all, grid, block, 0, device, to);
    from_device(results, to, sizeof results);
    CHECK(cudaFree(device));
    for (int n = 0; n < COUNT; n++) {
        const int lane = n % 32;
        const unsigned *warp = numbers + n - lane, *result = results[n];
        EXPECT(result[0] == warp[5]);
        EXPECT(result[1] == warp[7 * numbers[n] % 32]);
        EXPECT(result[2] == warp[lane >= 1 ? lane - 1 : lane]);
        EXPECT(result[3] == warp[lane >= 20 ? lane - 20 : lane]);
        EXPECT(result[4] == warp[lane < 31 ? lane + 1 : lane]);
        EXPECT(result[5] == warp[lane < 12 ? lane + 20 : lane]);
        EXPECT(result[6] == warp[lane ^ 1]);
        EXPECT(result[7] == warp[lane ^ 21]);
    }
}

/** Sums of floats, doubles and signed integers over a warp; two shuffles in one line. */
static __global__ void add_up_warps(float *floats, double *doubles, int *integers)
{
    const int n = thread_in_grid();
    float sum = floats[n];
    double long_sum = doubles[n];
    int whole = integers[n];
    for (int bit = 1; bit < 32; bit *= 2) {
        sum += __shfl_xor_sync(~0u, sum, bit), whole += __shfl_xor_sync(~0u, whole, bit);
        long_sum += __shfl_xor_sync(~0u, long_sum, bit);
        __syncwarp();
    }
    floats[n] = sum;
    doubles[n] = long_sum;
    integers[n] = whole;
}
BLOCK_KERNEL(add_up_warps, float *, double *, int *);

TEST(shuffles_take_floats_doubles_and_signed_integers)
{
    float floats[COUNT];
    double doubles[COUNT];
    int integers[COUNT];
    for (int n = 0; n < COUNT; n++) {
        floats[n] = 0.5f - n;
        doubles[n] = 0x1p-40 + n; // in both halves of the bits
        integers[n] = 7 - n;
    }
    float *device_floats = (float *)to_device(floats, sizeof floats);
    double *device_doubles = (double *)to_device(doubles, sizeof doubles);
    int *device_integers = (int *)to_device(integers, sizeof integers);
    LAUNCH_BLOCKS(add_up_warps, grid, block, 0, device_floats, device_doubles, device_integers);
    from_device(floats, device_floats, sizeof floats);
    from_device(doubles, device_doubles, sizeof doubles);
    from_device(integers, device_integers, sizeof integers);
    for (int n = 0; n < COUNT; n++) {
        const int sum = 32 * (n / 32 * 32) + 31 * 16;
        EXPECT(floats[n] == 16.0f - sum);
        EXPECT(doubles[n] == 0x1p-35 + sum);
        EXPECT(integers[n] == 7 * 32 - sum);
    }
}

/** Each thread adds its number, and keeps the sum that it found. */
static __global__ void add_atomically(float *sum, double *long_sum, float *found)
{
    const int n = thread_in_grid();
    found[n] = atomicAdd(sum, n + 1.0f);
    atomicAdd(long_sum, n + 0x1p-30);
}
BLOCK_KERNEL(add_atomically, float *, double *, float *);

TEST(atomic_additions)
{
    float sum = 0.0f, found[COUNT] = {0.0f}, next[COUNT];
    double long_sum = 0.0;
    float *device_sum = (float *)to_device(&sum, sizeof sum), *to = (float *)to_device(found, sizeof found);
    double *device_long_sum = (double *)to_device(&long_sum, sizeof long_sum);
    LAUNCH_BLOCKS(add_atomically, grid, block, 0, device_sum, device_long_sum, to);
    from_device(&sum, device_sum, sizeof sum);
    from_device(&long_sum, device_long_sum, sizeof long_sum);
    from_device(found, to, sizeof found);
    EXPECT(sum == COUNT * (COUNT + 1) / 2);
    EXPECT(long_sum == COUNT * (COUNT - 1) / 2 + COUNT * 0x1p-30);
    for (int n = 0; n < COUNT; n++)
        next[n] = found[n] + n + 1.0f;
    for (int n = 0; n < COUNT; n++) { // each sum but the last was found by one thread
        int finders = 0;
        for (int other = 0; other < COUNT; other++)
            finders += found[other] == next[n];
        EXPECT(finders == (next[n] != sum));
    }
}

enum { VOTES = 6 };

static __global__ void vote_all(unsigned *results)
{
    const int n = thread_in_grid();
    unsigned *result = results + VOTES * n;
    result[0] = __ballot_sync(~0u, n % 3 == 0);
    result[1] = __any_sync(~0u, n == 40) != 0;
    result[2] = __all_sync(~0u, n != 40) != 0;
    result[3] = __any_sync(~0u, n < 0) != 0;
    result[4] = __all_sync(~0u, 2) != 0; // anything but 0 holds
    result[5] = __ballot_sync(n % 32 < 16 ? 0x0000ffffu : 0xffff0000u, n % 2);
}
BLOCK_KERNEL(vote_all, unsigned *);

TEST(votes)
{
    static unsigned results[COUNT][VOTES];
    unsigned *device = (unsigned *)to_device(results, sizeof results);
    LAUNCH_BLOCKS(vote_all, grid, block, 0, device);
    from_device(results, device, sizeof results);
    for (int n = 0; n < COUNT; n++) {
        unsigned ballot = 0;
        for (int lane = 0; lane < 32; lane++)
            ballot |= (n / 32 * 32 + lane) % 3 == 0 ? 1u << lane : 0u;
        EXPECT(results[n][0] == ballot);
        EXPECT(results[n][1] == (n / 32 == 1));
        EXPECT(results[n][2] == (n / 32 != 1));
        EXPECT(results[n][3] == 0);
        EXPECT(results[n][4] == 1);
        EXPECT(results[n][5] == (n % 32 < 16 ? 0x0000aaaau : 0xaaaa0000u));
    }
}

/** Lanes below 16 and the others go separate ways; those of a third kind have returned. */
static __global__ void part(int *numbers)
{
    const int t = threadIdx.x, lane = t % 32;
    if (lane >= 28)
        return;
    if (lane < 16)
        numbers[t] = __shfl_down_sync(0x0000ffffu, t, 3);
    else
        numbers[t] = (int)__ballot_sync(0x0fff0000u, lane % 2);
    numbers[t] += 100 * __shfl_sync(~0u, t, 27);
}
BLOCK_KERNEL(part, int *);

TEST(parts_of_a_warp_work_together)
{
    int numbers[64] = {0};
    const dim3 one = {1, 1, 1}, two_warps = {64, 1, 1};
    int *device = (int *)to_device(numbers, sizeof numbers);
    LAUNCH_BLOCKS(part, one, two_warps, 0, device);
    from_device(numbers, device, sizeof numbers);
    for (int t = 0; t < 64; t++) {
        const int lane = t % 32, last = 100 * (t - lane + 27);
        if (lane < 13)
            EXPECT(numbers[t] == t + 3 + last);
        else if (lane >= 16 && lane < 28)
            EXPECT(numbers[t] == 0x0aaa0000 + last);
        else if (lane >= 28)
            EXPECT(numbers[t] == 0);
    }
}

/** A block of one warp and a half: the lanes that are not there are not waited for. */
static __global__ void add_to_the_right(int *numbers, int count)
{
    const int t = threadIdx.x;
    int sum = numbers[t];
    for (int step = 1; step < 32; step *= 2) {
        const int left = __shfl_up_sync(~0u, sum, step);
        sum += t % 32 >= step ? left : 0;
    }
    if (t < count)
        numbers[t] = sum;
}
BLOCK_KERNEL(add_to_the_right, int *, int);

TEST(a_warp_may_be_cut_short)
{
    int numbers[48];
    for (int t = 0; t < 48; t++)
        numbers[t] = t + 1;
    const dim3 one = {1, 1, 1}, warp_and_a_half = {48, 1, 1};
    int *device = (int *)to_device(numbers, sizeof numbers);
    LAUNCH_BLOCKS(add_to_the_right, one, warp_and_a_half, 0, device, 48);
    from_device(numbers, device, sizeof numbers);
    for (int t = 0, sum = 0; t < 48; t++) {
        sum = (t % 32 == 0 ? 0 : sum) + t + 1;
        EXPECT(numbers[t] == sum);
    }
}

/** The most threads that a block takes, each with an array of its own. */
static __global__ void keep_own(int *sums, int seed)
{
    const int t = thread_in_block();
    int own[200];
    for (int n = 0; n < 200; n++)
        own[n] = seed * t + n;
    __syncthreads();
    int sum = 0;
    for (int n = 0; n < 200; n++)
        sum += own[(n * 7 + seed) % 200];
    sums[t] = sum;
}
BLOCK_KERNEL(keep_own, int *, int);

TEST(full_blocks_keep_what_is_local)
{
    static int sums[1024];
    const dim3 one = {1, 1, 1}, full = {32, 32, 1};
    int *device = (int *)to_device(sums, sizeof sums);
    LAUNCH_BLOCKS(keep_own, one, full, 0, device, 3);
    from_device(sums, device, sizeof sums);
    for (int t = 0; t < 1024; t++)
        EXPECT(sums[t] == 200 * 3 * t + 199 * 100);
}
