#include "thread_order.h"

#include "allocate.h"
#include "fail.h"

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

static void shuffle(Turns *turns)
{
    if (turns->room < turns->count) {
        free(turns->shuffled);
        turns->shuffled = allocate(turns->count * sizeof *turns->shuffled);
        turns->room = turns->count;
    }
    for (size_t k = 0; k < turns->count; k++) {
        const uint32_t other = random_below((uint32_t)k + 1);
        turns->shuffled[k] = turns->shuffled[other];
        turns->shuffled[other] = (uint32_t)k;
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

void give_turns(Turns *turns, size_t count)
{
    turns->order = named_order();
    turns->count = count;
    if (turns->order == SHUFFLE)
        shuffle(turns);
}
