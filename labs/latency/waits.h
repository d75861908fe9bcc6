/**
 * @file waits.h
 * Where the threads of a kernel meet, and how long one of them waits at most.
 */
#ifndef WAITS_H
#define WAITS_H

enum { TIMEOUT_S = 5, POLLS = 64 }; // of a wait; polls in vain from one look at the clock to the next
enum { MOST_BLOCKS = 128, MOST_THREADS = 1024 }; // of a grid, of a block
enum { DISTANCE = 32 };                          // of two words that different blocks use: a cache line

/** A packet: three populations and the number of their step, in one access of 16 bytes. */
typedef struct __align__(16)
{
    float population[3];
    unsigned step;
}
Packet;

static __device__ unsigned word[MOST_BLOCKS * DISTANCE];
static __device__ Packet
    mailbox[2][2][MOST_BLOCKS * MOST_THREADS]; // of even and odd steps, upward and downward
static __device__ int has_timed_out;

/** One wait of a thread, at first {0, 0}. */
typedef struct {
    unsigned polls;
    unsigned long long end;
} Wait;

/** To be called after each poll in vain: whether to give up, because some thread has waited too long. */
static __device__ inline bool is_too_long(Wait *wait)
{
    if (++wait->polls % POLLS != 0)
        return false;
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); // nanoseconds
    if (wait->polls == POLLS)
        wait->end = now + TIMEOUT_S * 1000000000ull;
    if (now > wait->end)
        *(volatile int *)&has_timed_out = 1;
    return *(volatile int *)&has_timed_out;
}

#endif
