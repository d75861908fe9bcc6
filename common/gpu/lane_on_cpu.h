/**
 * @file lane_on_cpu.h
 * The functions of lane.h, for vectors of gcc and clang. Kernels run as those of LAUNCH, a warp as a thread.
 */
#ifndef LANE_ON_CPU_H
#define LANE_ON_CPU_H

#include "gpu/known_devices.h"

#include <math.h>
#include <string.h>

/** A vector register of AVX-512, and half a warp of a GPU: a kernel must not depend on it. */
#ifndef LANES
#define LANES 16
#endif
enum { THREADS_PER_WARP = 1 };
#define BLOCK_Z WARP_PER_THREAD

typedef float Lane __attribute__((vector_size(LANES * sizeof(float))));
typedef int LaneInt __attribute__((vector_size(LANES * sizeof(int))));

enum { LANES_OF_THREAD = LANES };
#define LANE(value, k) (value)[k]

/** As many lanes as a vector register of AVX2 has: gcc compares and permutes longer vectors element by
 * element.
 */
enum { PIECE = 8 };
_Static_assert(LANES % PIECE == 0, "LANES is a multiple of PIECE");
typedef int PieceInt __attribute__((vector_size(PIECE * sizeof(int))));

LANE_FUNCTION PieceInt get_piece(LaneInt value, int first)
{
    PieceInt piece;
    __builtin_memcpy(&piece, (const char *)&value + first * sizeof(int), sizeof piece);
    return piece;
}

LANE_FUNCTION void set_piece(Lane *value, int first, PieceInt piece)
{
    __builtin_memcpy((char *)value + first * sizeof(int), &piece, sizeof piece);
}

#define FMA(a, b, c) ((a) * (b) + (c))

/** One: the emulator runs warps one after another. If accesses are recorded, 12 on each multiprocessor,
 * because stages choose their chunks by it; of an H200, if no device is named. */
#ifdef RECORD_ACCESSES
#define WARPS_AT_ONCE(kernel) (12 * (*emulated_device()->name ? gpu_multiprocessors() : 132))
#else
#define WARPS_AT_ONCE(kernel) 1
#endif

LANE_FUNCTION Lane broadcast(float value)
{
    return value - (Lane){0.0f};
}

LANE_FUNCTION Lane fma_once(float a, Lane b, Lane c)
{
    Lane result;
    for (int k = 0; k < LANES; k++)
        result[k] = fmaf(a, b[k], c[k]);
    return result;
}

LANE_FUNCTION LaneInt lane_number(void)
{
    LaneInt number;
    for (int k = 0; k < LANES; k++)
        number[k] = k;
    return number;
}

LANE_FUNCTION int uniform(int value)
{
    return value;
}

// Each compiler makes a permutation of one of these two, and of the other a detour through memory.
#ifdef __clang__
LANE_FUNCTION Lane shuffle_up(Lane value)
{
    Lane shifted = value;
    __builtin_memcpy((char *)&shifted + sizeof(float), &value, sizeof value - sizeof(float));
    return shifted;
}

LANE_FUNCTION Lane shuffle_down(Lane value)
{
    Lane shifted = value;
    __builtin_memcpy(&shifted, (const char *)&value + sizeof(float), sizeof value - sizeof(float));
    return shifted;
}
#else
LANE_FUNCTION Lane shuffle_up(Lane value)
{
    Lane shifted;
    PieceInt from, before = {0};
    for (int k = 0; k < PIECE; k++)
        from[k] = PIECE - 1 + k;
    before[PIECE - 1] = ((LaneInt)value)[0];
    for (int first = 0; first < LANES; first += PIECE) {
        const PieceInt own = get_piece((LaneInt)value, first);
        set_piece(&shifted, first, __builtin_shuffle(before, own, from));
        before = own;
    }
    return shifted;
}

LANE_FUNCTION Lane shuffle_down(Lane value)
{
    Lane shifted;
    PieceInt from, after = {0};
    for (int k = 0; k < PIECE; k++)
        from[k] = 1 + k;
    after[0] = ((LaneInt)value)[LANES - 1];
    for (int first = LANES - PIECE; first >= 0; first -= PIECE) {
        const PieceInt own = get_piece((LaneInt)value, first);
        set_piece(&shifted, first, __builtin_shuffle(own, after, from));
        after = own;
    }
    return shifted;
}
#endif

LANE_FUNCTION Lane blend(LaneInt condition, Lane where_it_holds, Lane elsewhere)
{
    Lane blended;
    for (int first = 0; first < LANES; first += PIECE) {
        const PieceInt mask = get_piece(condition, first) != 0;
        set_piece(&blended, first,
                  (mask & get_piece((LaneInt)where_it_holds, first)) |
                      (~mask & get_piece((LaneInt)elsewhere, first)));
    }
    return blended;
}

LANE_FUNCTION int any(LaneInt condition)
{
    const LaneInt none = {0};
    return memcmp(&condition, &none, sizeof none) != 0;
}

/** Whether the lanes' indices follow each other. */
LANE_FUNCTION int in_a_row(LaneInt index)
{
    const LaneInt row = index[0] + lane_number();
    return memcmp(&row, &index, sizeof row) == 0;
}

#ifdef RECORD_ACCESSES
#include "gpu/accesses.h"
#define MEMORY_FUNCTION static __attribute__((noinline, unused, no_sanitize("thread")))
#define RECORD(access, memory, bytes, index, condition)                                                      \
    record_lanes(__builtin_return_address(0), access, memory, bytes, (const int *)(const LaneInt[]){index},  \
                 (const int *)(condition))
#else
#define MEMORY_FUNCTION                                 LANE_FUNCTION
#define RECORD(access, memory, bytes, index, condition) ((void)0)
#endif

MEMORY_FUNCTION Lane load(const float *memory, LaneInt index)
{
    RECORD(LOAD, memory, sizeof *memory, index, NULL);
    Lane value;
    if (in_a_row(index))
        __builtin_memcpy(&value, memory + index[0], sizeof value);
    else
        for (int k = 0; k < LANES; k++)
            value[k] = memory[index[k]];
    return value;
}

MEMORY_FUNCTION LaneInt load_words(const unsigned *memory, LaneInt index)
{
    RECORD(LOAD, memory, sizeof *memory, index, NULL);
    LaneInt bits;
    if (in_a_row(index))
        __builtin_memcpy(&bits, memory + index[0], sizeof bits);
    else
        for (int k = 0; k < LANES; k++)
            bits[k] = (int)memory[index[k]];
    return bits;
}

LANE_FUNCTION void prefetch_l2(const unsigned *memory, LaneInt index)
{
    (void)memory;
    (void)index;
}

MEMORY_FUNCTION void store(float *memory, LaneInt index, LaneInt condition, Lane value)
{
    RECORD(STORE, memory, sizeof *memory, index, &condition);
    for (int k = 0; k < LANES; k++)
        if (condition[k])
            memory[index[k]] = value[k];
}

MEMORY_FUNCTION void store_words(unsigned *memory, LaneInt index, LaneInt condition, LaneInt bits)
{
    RECORD(STORE, memory, sizeof *memory, index, &condition);
    for (int k = 0; k < LANES; k++)
        if (condition[k])
            memory[index[k]] = (unsigned)bits[k];
}

MEMORY_FUNCTION void store_halves(uint16_t *memory, LaneInt index, LaneInt condition, LaneInt bits)
{
    RECORD(STORE, memory, sizeof *memory, index, &condition);
    for (int k = 0; k < LANES; k++)
        if (condition[k])
            memory[index[k]] = (uint16_t)bits[k];
}

typedef struct {
    Lane first, second;
} AsyncPair;

#define SHARED_BUFFERS(name, count) AsyncPair name[count]

MEMORY_FUNCTION void copy_async(AsyncPair *buffer, const float *memory, LaneInt index)
{
    RECORD(LOAD, memory, 2 * sizeof *memory, index, NULL);
    RECORD(SHARED_STORE, buffer, 2 * sizeof *memory, lane_number(), NULL);
    for (int k = 0; k < LANES; k++) {
        buffer->first[k] = memory[2 * (ptrdiff_t)index[k]];
        buffer->second[k] = memory[2 * (ptrdiff_t)index[k] + 1];
    }
}

MEMORY_FUNCTION void copy_async_word(void *place, const void *memory, LaneInt index)
{
    RECORD(LOAD, memory, sizeof(unsigned), index, NULL);
    RECORD(STORE, place, sizeof(unsigned), lane_number(), NULL);
    for (int k = 0; k < LANES; k++)
        ((unsigned *)place)[k] = ((const unsigned *)memory)[index[k]];
}

LANE_FUNCTION void commit(void)
{
}

LANE_FUNCTION void wait_prior(int newest)
{
    (void)newest;
}

MEMORY_FUNCTION void load_shared(const AsyncPair *buffer, Lane *first, Lane *second)
{
    RECORD(SHARED_LOAD, buffer, 2 * sizeof(float), lane_number(), NULL);
    *first = buffer->first;
    *second = buffer->second;
}

MEMORY_FUNCTION void load_two(const float *memory, LaneInt index, Lane *first, Lane *second)
{
    RECORD(LOAD, memory, 2 * sizeof *memory, index, NULL);
    for (int k = 0; k < LANES; k++) {
        (*first)[k] = memory[2 * (ptrdiff_t)index[k]];
        (*second)[k] = memory[2 * (ptrdiff_t)index[k] + 1];
    }
}

MEMORY_FUNCTION void store_two(float *memory, LaneInt index, LaneInt condition, Lane first, Lane second)
{
    RECORD(STORE, memory, 2 * sizeof *memory, index, &condition);
    for (int k = 0; k < LANES; k++)
        if (condition[k]) {
            memory[2 * (ptrdiff_t)index[k]] = first[k];
            memory[2 * (ptrdiff_t)index[k] + 1] = second[k];
        }
}

LANE_FUNCTION Lane reciprocal(Lane value)
{
    return 1.0f / value;
}

#endif
