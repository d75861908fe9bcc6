#include "output/checksum.h"

#include <string.h>

static const uint64_t prime = 0x100000001b3;

static uint64_t mix(uint64_t lane, uint64_t word)
{
    lane ^= word;
    return (lane << 29 | lane >> 35) * prime;
}

Checksum begin_checksum(void)
{
    Checksum c = {.bytes = 0};
    for (int n = 0; n < CHECKSUM_LANES; n++)
        c.lane[n] = empty_checksum;
    return c;
}

static void mix_block(uint64_t lane[CHECKSUM_LANES], const unsigned char *block)
{
    uint64_t word[CHECKSUM_LANES];
    memcpy(word, block, sizeof word);
    for (int n = 0; n < CHECKSUM_LANES; n++)
        lane[n] = mix(lane[n], word[n]);
}

void extend_checksum(Checksum *c, const void *data, size_t bytes)
{
    const unsigned char *next = data, *const end = next + bytes;
    size_t waiting = c->bytes % CHECKSUM_BLOCK;
    c->bytes += bytes;
    while (next < end) {
        if (waiting == 0 && end - next >= CHECKSUM_BLOCK) {
            mix_block(c->lane, next);
            next += CHECKSUM_BLOCK;
            continue;
        }
        const size_t left = (size_t)(end - next), room = CHECKSUM_BLOCK - waiting;
        const size_t more = left < room ? left : room;
        memcpy(c->rest + waiting, next, more);
        next += more;
        waiting = (waiting + more) % CHECKSUM_BLOCK;
        if (waiting == 0)
            mix_block(c->lane, c->rest);
    }
}

uint64_t value_of_checksum(const Checksum *c)
{
    Checksum last = *c;
    uint64_t sum = empty_checksum;
    const size_t waiting = c->bytes % CHECKSUM_BLOCK;
    if (waiting) {
        memset(last.rest + waiting, 0, CHECKSUM_BLOCK - waiting);
        mix_block(last.lane, last.rest);
    }
    for (int n = 0; n < CHECKSUM_LANES; n++)
        sum = mix(sum, last.lane[n]);
    return mix(sum, c->bytes);
}

uint64_t add_to_checksum(uint64_t checksum, const void *data, size_t bytes)
{
    const unsigned char *byte = data, *end = byte + bytes;
    for (; byte < end; byte++)
        checksum = (checksum ^ *byte) * prime;
    return checksum;
}
