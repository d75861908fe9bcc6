#include "gpu/thread_order.h"

#include "host/allocate.h"
#include "host/fail.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state;

/** xorshift64* (Vigna 2016, ACM TOMS 42, 30). */
static uint32_t random_below(uint32_t bound)
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (uint32_t)((random_state * 0x2545f4914f6cdd1d >> 32) * bound >> 32);
}

static void shuffle(Schedule *schedule)
{
    if (schedule->capacity < schedule->count) {
        free(schedule->shuffled);
        schedule->shuffled = allocate(schedule->count * sizeof *schedule->shuffled);
        schedule->capacity = schedule->count;
    }
    for (size_t k = 0; k < schedule->count; k++) {
        const uint32_t other = random_below((uint32_t)k + 1);
        schedule->shuffled[k] = schedule->shuffled[other];
        schedule->shuffled[other] = (uint32_t)k;
    }
}

static int is_seeded_shuffle(const char *name, unsigned *seed)
{
    int end = 0;
    return strncmp(name, "shuffle:", 8) == 0 && isdigit((unsigned char)name[8]) &&
           sscanf(name + 8, "%9u%n", seed, &end) == 1 && name[8 + end] == '\0';
}

/** The order that LBM_THREAD_ORDER names; a value that it did not have before starts the generator anew. */
static int named_order(void)
{
    static char last[32] = "none yet";
    static int order;
    const char *name = getenv("LBM_THREAD_ORDER");
    if (!name || !*name)
        name = "forward";
    if (strcmp(name, last) == 0)
        return order;
    snprintf(last, sizeof last, "%s", name);

    unsigned seed = 1;
    if (strcmp(name, "forward") == 0)
        order = FORWARD;
    else if (strcmp(name, "reverse") == 0)
        order = REVERSE;
    else if (strcmp(name, "shuffle") == 0 || is_seeded_shuffle(name, &seed))
        order = SHUFFLE;
    else
        fail(EXIT_USAGE, "LBM_THREAD_ORDER is \"%s\"; it takes forward, reverse, shuffle or shuffle:SEED",
             name);
    random_state = 0x9e3779b97f4a7c15 * (seed + 1ull);
    return order;
}

void make_schedule(Schedule *schedule, size_t count)
{
    schedule->order = named_order();
    schedule->count = count;
    if (schedule->order == SHUFFLE)
        shuffle(schedule);
}
