// Kernels over lanes: on a GPU in threads and shuffles, without one in vectors, here of 16 and of 32 lanes.
#include "device_memory.h"
#include "gpu/lane.h"
#include "host/allocate.h"

#include "check.h"

#include <stdint.h>
#include <stdlib.h>

enum { WARPS = 5 }; // not what a block holds

/** A distinct number in each lane of each warp. */
LANE_FUNCTION LaneInt own_place(void)
{
    return warp_number() * LANES + lane_number();
}

static __global__ void count_warps(float *visits, int warps)
{
    if (warp_number() < warps)
        store(visits, own_place(), own_place() >= 0, load(visits, own_place()) + 1.0f);
}

TEST(each_warp_runs_once)
{
    float visits[WARPS * LANES] = {0};
    float *device = (float *)to_device(visits, sizeof visits);
    LAUNCH_WARPS(count_warps, WARPS, device, WARPS);
    from_device(visits, device, sizeof visits);
    for (int n = 0; n < WARPS * LANES; n++)
        EXPECT(visits[n] == 1.0f);
}

enum { OWN, BELOW, ABOVE, CHOSEN, SAME, NEGATIVE_ZERO, INVERSE, RESULTS };

static __global__ void do_all(const float *numbers, const unsigned *bits, float *results)
{
    const LaneInt lane = lane_number(), everywhere = lane >= 0;
    if (warp_number() > 0)
        return;
    const Lane own = load(numbers, lane);
    store(results + OWN * LANES, lane, everywhere, own);
    store(results + BELOW * LANES, lane, everywhere, shuffle_up(own));
    store(results + ABOVE * LANES, lane, everywhere, shuffle_down(own));
    store(results + CHOSEN * LANES, lane, everywhere,
          blend(load_words(bits, lane) & 1 << 30, own, shuffle_up(own) - own));
    store(results + SAME * LANES, lane, everywhere, broadcast(2.5f));
    store(results + NEGATIVE_ZERO * LANES, lane, everywhere, broadcast(-0.0f));
    store(results + INVERSE * LANES, lane, everywhere, reciprocal(own));
}

TEST(lanes_exchange_and_choose)
{
    float numbers[LANES], results[RESULTS][LANES] = {{0}};
    unsigned bits[LANES];
    for (int k = 0; k < LANES; k++) {
        numbers[k] = 1.0f + (float)(k * k);
        bits[k] = k % 3 == 0 ? 0x40000000u : 0xbfffffffu;
    }
    float *from = (float *)to_device(numbers, sizeof numbers),
          *to = (float *)to_device(results, sizeof results);
    unsigned *device_bits = (unsigned *)to_device(bits, sizeof bits);
    LAUNCH_WARPS(do_all, 1, from, device_bits, to);
    from_device(results, to, sizeof results);
    CHECK(cudaFree(from));
    CHECK(cudaFree(device_bits));
    for (int k = 0; k < LANES; k++) {
        const float below = numbers[k > 0 ? k - 1 : k], above = numbers[k < LANES - 1 ? k + 1 : k];
        EXPECT(results[OWN][k] == numbers[k]);
        EXPECT(results[BELOW][k] == below);
        EXPECT(results[ABOVE][k] == above);
        EXPECT(results[CHOSEN][k] == (k % 3 == 0 ? numbers[k] : below - numbers[k]));
        EXPECT(results[SAME][k] == 2.5f);
        EXPECT(results[NEGATIVE_ZERO][k] == 0.0f && signbit(results[NEGATIVE_ZERO][k]));
        EXPECT_NEAR(results[INVERSE][k] * numbers[k], 1.0, 3e-7);
    }
}

enum { SETS = 4, BUFFERS = 3 };

/** Copies sets of two pairs from memory, one set after another, while the next is on its way; stores them
 * where guard[k] is not 0, twice the first number beside the second. */
static __global__ void pass_on(const float *numbers, const unsigned *index, const unsigned *guard,
                               float *passed)
{
    if (warp_number() > 0)
        return;
    const LaneInt at = load_words(index, lane_number());
    SHARED_BUFFERS(buffers, 2 * BUFFERS);
    for (int n = 0; n <= SETS; n++) {
        for (int k = 0; k < 2 && n < SETS; k++)
            copy_async(buffers + 2 * (n % BUFFERS) + k, numbers + 4 * LANES * n + 2 * LANES * k, at);
        commit();
        if (n == 0)
            continue;
        wait_prior(1);
        for (int k = 0; k < 2; k++) {
            Lane first, second;
            load_shared(buffers + 2 * ((n - 1) % BUFFERS) + k, &first, &second);
            store_two(passed + 4 * LANES * (n - 1) + 2 * LANES * k, at, load_words(guard, lane_number()),
                      FMA(2.0f, first, broadcast(0.0f)), second);
        }
    }
}

TEST(parcels_come_in_their_order)
{
    enum { COUNT = 4 * LANES * SETS };
    float numbers[COUNT], passed[COUNT] = {0};
    unsigned index[LANES], guard[LANES];
    for (int n = 0; n < COUNT; n++)
        numbers[n] = 1.0f + (float)n;
    for (unsigned k = 0; k < LANES; k++) {
        index[k] = (k + 5) % LANES;
        guard[k] = k % 3;
    }
    float *from = (float *)to_device(numbers, sizeof numbers),
          *to = (float *)to_device(passed, sizeof passed);
    unsigned *device_index = (unsigned *)to_device(index, sizeof index);
    unsigned *device_guard = (unsigned *)to_device(guard, sizeof guard);
    LAUNCH_WARPS(pass_on, 1, from, device_index, device_guard, to);
    from_device(passed, to, sizeof passed);
    for (unsigned n = 0; n < COUNT; n += 2) {
        const unsigned k = (n / 2 + LANES - 5) % LANES; // the lane that takes it
        EXPECT(passed[n] == (guard[k] ? 2.0f * numbers[n] : 0.0f));
        EXPECT(passed[n + 1] == (guard[k] ? numbers[n + 1] : 0.0f));
    }
    CHECK(cudaFree(from));
    CHECK(cudaFree(device_index));
    CHECK(cudaFree(device_guard));
}

/** Lane k loads the pair that lies as far from the end as it lies from the beginning, and stores it swapped. */
static __global__ void swap_pairs(const float *numbers, float *swapped)
{
    if (warp_number() > 0)
        return;
    Lane first, second;
    load_two(numbers, LANES - 1 - lane_number(), &first, &second);
    store_two(swapped, lane_number(), lane_number() >= 0, second, first);
}

TEST(two_numbers_are_loaded_at_once)
{
    float numbers[2 * LANES], swapped[2 * LANES] = {0};
    for (int n = 0; n < 2 * LANES; n++)
        numbers[n] = 1.0f + (float)n;
    float *from = (float *)to_device(numbers, sizeof numbers),
          *to = (float *)to_device(swapped, sizeof swapped);
    LAUNCH_WARPS(swap_pairs, 1, from, to);
    from_device(swapped, to, sizeof swapped);
    for (int n = 0; n < 2 * LANES; n++)
        EXPECT(swapped[n] == numbers[2 * LANES - 1 - n]);
    CHECK(cudaFree(from));
}

TEST(a_device_works_on_some_warps_at_a_time)
{
    EXPECT(WARPS_AT_ONCE(pass_on) >= 1);
}

/** Lane k reads element index[k], also as bits, and writes to the same place where guard[k] is not 0. */
static __global__ void pick(const float *numbers, const unsigned *bits, const unsigned *index,
                            const unsigned *guard, float *picked, float *scattered)
{
    if (warp_number() > 0)
        return;
    const LaneInt lane = lane_number(), at = load_words(index, lane);
    const Lane value = load(numbers, at);
    const LaneInt same = load_words(bits, at) == load_words(index, lane);
    store(picked, lane, lane >= 0, blend(same, value, broadcast(-1.0f)));
    store(scattered, at, load_words(guard, lane), value);
}

static void expect_picked(const unsigned *index, const unsigned *guard)
{
    enum { COUNT = 2 * LANES };
    float numbers[COUNT], picked[LANES] = {0}, scattered[COUNT] = {0};
    unsigned bits[COUNT];
    for (int n = 0; n < COUNT; n++) {
        numbers[n] = 3.0f + (float)n;
        bits[n] = (unsigned)n;
    }
    float *from = (float *)to_device(numbers, sizeof numbers);
    float *to = (float *)to_device(picked, sizeof picked),
          *all = (float *)to_device(scattered, sizeof scattered);
    unsigned *device_bits = (unsigned *)to_device(bits, sizeof bits);
    unsigned *device_index = (unsigned *)to_device(index, LANES * sizeof *index);
    unsigned *device_guard = (unsigned *)to_device(guard, LANES * sizeof *guard);
    LAUNCH_WARPS(pick, 1, from, device_bits, device_index, device_guard, to, all);
    from_device(picked, to, sizeof picked);
    from_device(scattered, all, sizeof scattered);
    float expected[COUNT] = {0};
    for (int k = 0; k < LANES; k++) {
        EXPECT(picked[k] == numbers[index[k]]);
        if (guard[k])
            expected[index[k]] = numbers[index[k]];
    }
    EXPECT(memcmp(scattered, expected, sizeof expected) == 0);
    CHECK(cudaFree(from));
    CHECK(cudaFree(device_bits));
    CHECK(cudaFree(device_index));
    CHECK(cudaFree(device_guard));
}

TEST(each_lane_has_its_index_and_its_guard)
{
    unsigned index[LANES], guard[LANES];
    for (unsigned kind = 0; kind < 4; kind++) {
        for (unsigned k = 0; k < LANES; k++) {
            const unsigned in_a_row = k + 7, wrapped = (k + 20) % LANES, strided = 2 * LANES - 1 - 2 * k;
            const unsigned swapped = k == 3 ? 5 : k == 5 ? 3 : k; // the first and the last as in a row
            index[k] = kind == 0 ? in_a_row : kind == 1 ? wrapped : kind == 2 ? strided : swapped;
            guard[k] = (k * 7 + kind) % 3;
        }
        expect_picked(index, guard);
    }
}

static __global__ void ask_any(const unsigned *bits, float *answers)
{
    const LaneInt lane = lane_number();
    const int answer = any(load_words(bits, own_place()) & 4);
    store(answers, own_place(), lane >= 0, broadcast((float)answer));
}

TEST(a_vote_is_heard_in_all_lanes_of_a_warp)
{
    enum { ALL = (LANES + 1 + WARPS_PER_BLOCK) / WARPS_PER_BLOCK * WARPS_PER_BLOCK };
    static unsigned bits[ALL * LANES];
    static float answers[ALL * LANES];
    for (int n = 0; n < ALL * LANES; n++)
        bits[n] = 3;
    for (int warp = 0; warp < LANES; warp++) // one lane each; the last warps have none
        bits[warp * LANES + warp] = 4;
    unsigned *device_bits = (unsigned *)to_device(bits, sizeof bits);
    float *device = (float *)to_device(answers, sizeof answers);
    LAUNCH_WARPS(ask_any, ALL, device_bits, device);
    from_device(answers, device, sizeof answers);
    CHECK(cudaFree(device_bits));
    for (int n = 0; n < ALL * LANES; n++)
        EXPECT(answers[n] == (n / LANES < LANES ? 1.0f : 0.0f));
}

enum { TIMES = 3, FIXED = 1 << 5, HEIGHT = 3 }; // a strip has TIMES halo lanes at each side

/**
 * Smooths each row TIMES times, except where a cell is fixed. A warp takes a strip of a row, and computes
 * what it needs of its neighbours itself. The rows are periodic.
 */
static __global__ void smooth(int width, const unsigned *bits, const float *from, float *to)
{
    const int span = LANES - 2 * TIMES, strips = (width + span - 1) / span;
    const int strip = warp_number() % strips, row = warp_number() / strips;
    if (row >= HEIGHT)
        return;
    const LaneInt lane = lane_number(), x = strip * span - TIMES + lane;
    const LaneInt column = (x % width + width) % width;
    const LaneInt fixed = load_words(bits + row * width, column) & FIXED;
    Lane value = load(from + row * width, column);
    for (int t = 0; t < TIMES; t++) {
        const Lane smoothed = 0.5f * value + 0.25f * (shuffle_up(value) + shuffle_down(value));
        value = any(fixed) ? blend(fixed, value, smoothed) : smoothed;
    }
    store(to + row * width, column, (lane >= TIMES) & (lane < LANES - TIMES) & (x < width), value);
}

static void smooth_in_a_loop(int width, const unsigned *bits, float *row)
{
    float *before = (float *)allocate((size_t)width * sizeof *before);
    for (int t = 0; t < TIMES; t++) {
        memcpy(before, row, (size_t)width * sizeof *before);
        for (int x = 0; x < width; x++)
            if (!(bits[x] & FIXED))
                row[x] =
                    0.5f * before[x] + 0.25f * (before[(x + width - 1) % width] + before[(x + 1) % width]);
    }
    free(before);
}

static void expect_smooth(int width)
{
    const int span = LANES - 2 * TIMES, strips = (width + span - 1) / span, count = HEIGHT * width;
    float *rows = (float *)allocate((size_t)count * sizeof *rows),
          *result = (float *)allocate((size_t)count * sizeof *rows);
    unsigned *bits = (unsigned *)allocate((size_t)count * sizeof *bits);
    for (int n = 0; n < count; n++) {
        rows[n] = (float)(n * n % 17) - 0.3f;
        bits[n] = n / width > 0 && n % 7 == 0 ? ~0u : ~(unsigned)FIXED; // none in the first row
    }
    float *from = (float *)to_device(rows, (size_t)count * sizeof *rows);
    float *to = (float *)to_device(result, (size_t)count * sizeof *rows);
    unsigned *device_bits = (unsigned *)to_device(bits, (size_t)count * sizeof *bits);
    LAUNCH_WARPS(smooth, strips * HEIGHT, width, device_bits, from, to);
    from_device(result, to, (size_t)count * sizeof *rows);
    CHECK(cudaFree(from));
    CHECK(cudaFree(device_bits));
    for (int y = 0; y < HEIGHT; y++)
        smooth_in_a_loop(width, bits + y * width, rows + y * width);
    const int same = memcmp(result, rows, (size_t)count * sizeof *rows) == 0;
    EXPECT(same);
    if (!same)
        printf("width %d\n", width);
    free(rows);
    free(result);
    free(bits);
}

TEST(strips_give_what_a_loop_gives)
{
    for (int width = 1; width <= 3 * LANES + 1; width++)
        expect_smooth(width);
}

/** Each warp of a block copies a row into shared memory, turned round, and hands on that of the next warp. */
static __global__ void hand_on(const float *rows, float *result)
{
    SHARED(float, shared);
    const int warp = threadIdx.x / THREADS_PER_WARP;
    copy_async_word(shared + warp * LANES, rows + warp * LANES, LANES - 1 - lane_number());
    commit();
    wait_prior(0);
    __syncthreads();
    store(result + warp * LANES, lane_number(), lane_number() >= 0,
          load(shared + (warp + 1) % WARPS * LANES, lane_number()));
}
BLOCK_KERNEL(hand_on, const float *, float *);

TEST(warps_of_a_block_share_memory)
{
    float rows[WARPS][LANES], result[WARPS][LANES] = {{0}};
    for (int warp = 0; warp < WARPS; warp++)
        for (int k = 0; k < LANES; k++)
            rows[warp][k] = (float)(100 * warp + k);
    float *from = (float *)to_device(rows, sizeof rows), *to = (float *)to_device(result, sizeof result);
    const dim3 one = {1, 1, 1}, warps = {WARPS * THREADS_PER_WARP, 1, BLOCK_Z};
    LAUNCH_BLOCKS(hand_on, one, warps, sizeof rows, from, to);
    from_device(result, to, sizeof result);
    CHECK(cudaFree(from));
    for (int warp = 0; warp < WARPS; warp++)
        for (int k = 0; k < LANES; k++)
            EXPECT(result[warp][k] == rows[(warp + 1) % WARPS][LANES - 1 - k]);
}

TEST(shared_memory_is_refused_as_for_the_lanes_of_a_gpu)
{
#ifdef __CUDACC__
    SKIP("this device has the lanes that it has");
#else
    const size_t lane_bytes = (64 << 10) / 32; // of the 64 KiB that a block of this device may have
    setenv("LBM_DEVICE", "rtx2080", 1);
    EXPECT(!lane_shared_shortage(LANES * lane_bytes));
    const char *reason = lane_shared_shortage(LANES * (lane_bytes + 4));
    EXPECT(reason && strcmp(reason, "a block takes 65 KiB of shared memory, of 64 on this device") == 0);
    unsetenv("LBM_DEVICE");
#endif
}
