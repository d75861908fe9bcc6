#include "gpu/gpu.h"
#include "gpu/unchecked_launch.h"

#include "check.h"
#include "kept_subnormals.h"
#include "refused.h"

enum { BLOCKS = 4, THREADS = 40, COUNT = BLOCKS * THREADS };

static const dim3 grid = {2, 2, 1}, block = {8, 5, 1}; // BLOCKS, THREADS

static int thread_in_block(void)
{
    return threadIdx.y * blockDim.x + threadIdx.x;
}

static int thread_in_grid(void)
{
    return (blockIdx.y * gridDim.x + blockIdx.x) * THREADS + thread_in_block();
}

static int runs, runner[2 * COUNT];

static __global__ void take_two_turns(int *list)
{
    list[runs++] = thread_in_grid();
    __syncthreads();
    list[runs++] = thread_in_grid();
}
BLOCK_KERNEL(take_two_turns, int *);

static void run_in(const char *order)
{
    setenv("LBM_THREAD_ORDER", order, 1);
    runs = 0;
    LAUNCH_BLOCKS(take_two_turns, grid, block, 0, runner);
    EXPECT(runs == 2 * COUNT);
}

TEST(forward_goes_through_a_block_from_barrier_to_barrier)
{
    run_in("forward");
    for (int n = 0; n < 2 * COUNT; n++)
        EXPECT(runner[n] == n / (2 * THREADS) * THREADS + n % THREADS);
}

TEST(reverse_runs_blocks_and_threads_backwards)
{
    run_in("reverse");
    for (int n = 0; n < 2 * COUNT; n++)
        EXPECT(runner[n] == COUNT - 1 - (n / (2 * THREADS) * THREADS + n % THREADS));
}

TEST(shuffle_is_another_order_after_each_barrier)
{
    run_in("shuffle:3");
    int same = 0;
    for (int n = 0; n < 2 * COUNT; n += 2 * THREADS) {
        int seen[COUNT] = {0};
        for (int t = 0; t < 2 * THREADS; t++)
            seen[runner[n + t]]++;
        for (int t = 0; t < THREADS; t++) {
            EXPECT(seen[runner[n] / THREADS * THREADS + t] == 2);
            same += runner[n + t] == runner[n + THREADS + t];
        }
    }
    EXPECT(same < COUNT / 4);
}

static __global__ void count_deep(int *list)
{
    const int number = (int)((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x);
    list[number]++;
    __syncthreads();
    list[number]++;
}
BLOCK_KERNEL(count_deep, int *);

TEST(grids_of_blocks_have_three_dimensions_in_any_order)
{
    const char *const orders[] = {"forward", "reverse", "shuffle:5"};
    const dim3 deep = {2, 3, 4};
    for (int n = 0; n < 3; n++) {
        int list[2 * 3 * 4] = {0};
        setenv("LBM_THREAD_ORDER", orders[n], 1);
        LAUNCH_BLOCKS(count_deep, deep, block, 0, list);
        for (int k = 0; k < 2 * 3 * 4; k++)
            EXPECT(list[k] == 2 * THREADS);
    }
}

enum { NONE, OF_WARP, OF_BLOCK };

static __global__ void pass_to_the_right(float *numbers, int barrier)
{
    __shared__ float all[THREADS];
    const int t = thread_in_block();
    all[t] = numbers[thread_in_grid()];
    if (barrier == OF_WARP)
        __syncwarp();
    if (barrier == OF_BLOCK)
        __syncthreads();
    numbers[thread_in_grid()] = all[t == 0 ? THREADS - 1 : t - 1];
}
BLOCK_KERNEL(pass_to_the_right, float *, int);

/** Whether the threads in all orders give what they give forwards, bit by bit. */
static int all_orders_agree(int barrier)
{
    const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
    float results[4][COUNT];
    int agree = 1;
    for (int k = 0; k < 4; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        for (int n = 0; n < COUNT; n++)
            results[k][n] = n;
        LAUNCH_BLOCKS(pass_to_the_right, grid, block, 0, results[k], barrier);
        agree &= memcmp(results[k], results[0], sizeof results[0]) == 0;
    }
    return agree;
}

TEST(the_thread_order_shows_a_missing_barrier)
{
    EXPECT(all_orders_agree(OF_BLOCK));
    EXPECT(!all_orders_agree(NONE));
    EXPECT(!all_orders_agree(OF_WARP)); // a warp does not wait for the other
}

static __global__ void count_numbers(int *numbers)
{
    __shared__ float own[3];
    SHARED(float, dynamic);
    for (int n = 0; n < 3; n++) {
        *numbers += !isnan(own[n]) + !isnan(dynamic[n]);
        own[n] = dynamic[n] = 1.0f;
    }
}
BLOCK_KERNEL(count_numbers, int *);

TEST(shared_memory_starts_as_nan_in_each_block)
{
    int numbers = 0;
    const dim3 one = {1, 1, 1};
    LAUNCH_BLOCKS(count_numbers, grid, one, 3 * sizeof(float), &numbers);
    EXPECT(numbers == 0);
}

static __global__ void ask_who_returned(float *answer)
{
    if (threadIdx.x == 1)
        return;
    answer[threadIdx.x] = __shfl_xor_sync(~0u, 1.0f, 1);
}
BLOCK_KERNEL(ask_who_returned, float *);

TEST(who_returned_answers_nan)
{
    float answer[4] = {0};
    const dim3 one = {1, 1, 1}, four = {4, 1, 1};
    LAUNCH_BLOCKS(ask_who_returned, one, four, 0, answer);
    EXPECT(isnan(answer[0]) && answer[1] == 0.0f && answer[2] == 1.0f && answer[3] == 1.0f);
}

static __global__ void wait_alone(int *waited, unsigned thread)
{
    if (threadIdx.x != thread)
        return;
    __syncwarp();
    *waited += 1;
}
BLOCK_KERNEL(wait_alone, int *, unsigned);

TEST(the_last_lane_of_a_warp_waits_for_nobody)
{
    int waited = 0;
    const dim3 one = {1, 1, 1}, three_warps = {96, 1, 1};
    setenv("LBM_THREAD_ORDER", "forward", 1);
    LAUNCH_BLOCKS(wait_alone, one, three_warps, 0, &waited, 63);
    setenv("LBM_THREAD_ORDER", "reverse", 1);
    LAUNCH_BLOCKS(wait_alone, one, three_warps, 0, &waited, 32);
    EXPECT(waited == 2);
}

static __global__ void print_own_number(char (*texts)[32])
{
    __syncthreads();
    snprintf(texts[thread_in_grid()], 32, "%.3f", thread_in_grid() / 8.0);
}
BLOCK_KERNEL(print_own_number, char (*)[32]);

TEST(a_kernel_has_stack_enough_to_print)
{
    static char texts[COUNT][32];
    LAUNCH_BLOCKS(print_own_number, grid, block, 0, texts);
    EXPECT(strcmp(texts[COUNT - 1], "19.875") == 0);
}

enum { EARLY_RETURN, TWO_BARRIERS, PART_OF_A_WARP, NOT_IN_ITS_MASK, BOTH_KINDS };

static __global__ void miss(int how)
{
    const int t = thread_in_block();
    if (how == EARLY_RETURN && (blockIdx.y == 0 || t < 37))
        __syncthreads();
    else if (how == TWO_BARRIERS && t >= 30)
        __syncthreads();
    else if (how == TWO_BARRIERS)
        __syncthreads();
    else if (how == PART_OF_A_WARP && t % 32 < 5)
        __syncwarp();
    else if (how == PART_OF_A_WARP)
        __syncthreads();
    else if (how == NOT_IN_ITS_MASK)
        (void)__any_sync(0x0000fffeu, 1);
    else if (how == BOTH_KINDS)
        t == 0 ? __shfl_sync(~0u, t, 1) : __shfl_up_sync(~0u, t, 1);
}
BLOCK_KERNEL(miss, int);

static int miss_how;

static void launch_miss(void)
{
    setenv("LBM_THREAD_ORDER", "forward", 1);
    LAUNCH_BLOCKS(miss, grid, block, 0, miss_how);
}

/** Whether a call ends with EXIT_MACHINE and one line that holds these words. */
static int ends(void (*call)(void), const char *words)
{
    char text[4096];
    const int code = exit_code_of(call, text, sizeof text);
    const char *end = strchr(text, '\n');
    const int good = code == EXIT_MACHINE && end && end[1] == '\0' && strstr(text, words);
    if (!good)
        printf("exit code %d, expected \"%s\": %s\n", code, words, text);
    return good;
}

static int miss_ends(int how, const char *words)
{
    miss_how = how;
    return ends(launch_miss, words);
}

TEST(a_barrier_that_not_all_reach_ends_the_program)
{
    EXPECT(miss_ends(EARLY_RETURN, "blocks_on_cpu.c:"));
    EXPECT(miss_ends(EARLY_RETURN, ": 37 of 40 threads reach __syncthreads in block (0, 1)"));
    EXPECT(miss_ends(TWO_BARRIERS, ": 30 of 40 threads reach __syncthreads in block (0, 0)"));
    EXPECT(miss_ends(PART_OF_A_WARP, ": 5 of 32 threads reach __syncwarp in block (0, 0)"));
    EXPECT(miss_ends(NOT_IN_ITS_MASK, "lane 0 calls __any_sync with the mask 0xfffe, which lacks it"));
    EXPECT(miss_ends(BOTH_KINDS, ": 1 of 32 threads reach __shfl_sync in block (0, 0)"));
}

static __global__ void use_shared_memory(int count)
{
    SHARED(int, all);
    all[thread_in_block() % count] = 1;
}
BLOCK_KERNEL(use_shared_memory, int);

static void launch_alone(void)
{
    LAUNCH(miss, grid, block, EARLY_RETURN);
}

static void launch_alone_after_a_block(void)
{
    LAUNCH_BLOCKS(use_shared_memory, grid, block, 4 * sizeof(int), 4);
    LAUNCH(miss, grid, block, BOTH_KINDS);
}

static void launch_alone_with_shared_memory(void)
{
    LAUNCH(use_shared_memory, grid, block, 1);
}

static void launch_without_shared_memory(void)
{
    LAUNCH_BLOCKS(use_shared_memory, grid, block, 0, 1);
}

static void launch_with_the_most_shared_memory(void)
{
    LAUNCH_BLOCKS(use_shared_memory, grid, block, 227 << 10, 227 << 8);
}

static void launch_with_too_much_shared_memory(void)
{
    LAUNCH_BLOCKS(use_shared_memory, grid, block, (227 << 10) + 4, 1);
}

static void launch_with_too_many_threads(void)
{
    const dim3 too_many = {33, 32, 1};
    LAUNCH_BLOCKS(use_shared_memory, grid, too_many, 4, 1);
}

TEST(what_can_not_be_launched_ends_the_program)
{
    EXPECT(ends(launch_alone, "__syncthreads in a kernel launched by LAUNCH;"));
    EXPECT(ends(launch_alone_after_a_block, "_sync in a kernel launched by LAUNCH;"));
    EXPECT(ends(launch_alone_with_shared_memory, "SHARED in a kernel launched by LAUNCH;"));
    EXPECT(ends(launch_without_shared_memory, "SHARED in a kernel launched with 0 bytes"));
    char text[4096];
    EXPECT(exit_code_of(launch_with_the_most_shared_memory, text, sizeof text) == EXIT_GOOD);
    EXPECT(ends(launch_with_too_much_shared_memory, "invalid argument"));
    EXPECT(ends(launch_with_too_many_threads, "invalid configuration argument"));
}

static __global__ void halve(volatile float *number)
{
    *number *= 0.5f;
    __syncthreads();
    *number *= 0.5f;
}
BLOCK_KERNEL(halve, volatile float *);

static void halve_in_a_block(float *number)
{
    const dim3 one = {1, 1, 1};
    LAUNCH_BLOCKS(halve, one, one, 0, number);
}

static void halve_after_a_refusal(float *number)
{
    const dim3 one = {1, 1, 1};
    UNCHECKED_LAUNCH_BLOCKS(halve, one, one, (227 << 10) + 4, number);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    halve_in_a_block(number);
}

TEST(blocks_keep_subnormal_numbers_that_the_host_may_flush)
{
    EXPECT(keeps_subnormals(halve_in_a_block, 0x1p-128f));
    EXPECT(keeps_subnormals(halve_after_a_refusal, 0x1p-128f));
}
