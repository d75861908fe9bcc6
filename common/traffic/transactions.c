#include "traffic/transactions.h"

static void touch(Units *units, uintptr_t byte, unsigned unit)
{
    int n = units->count - 1;
    while (n >= 0 && units->number[n] != byte / unit)
        n--;
    if (n < 0) {
        n = units->count++;
        units->number[n] = byte / unit;
        units->bytes[n] = 0;
    }
    units->bytes[n] |= 1u << byte % unit;
}

static Units units_of(const Request *request, uint32_t lanes, unsigned size, unsigned unit)
{
    Units units;
    units.count = 0;
    for (int lane = 0; lane < WARP; lane++)
        for (unsigned n = 0; n < size && (lanes >> lane & 1); n++)
            touch(&units, request->address[lane] + n, unit);
    return units;
}

Units sectors_of(const Request *request, unsigned size)
{
    return units_of(request, request->lanes, size, SECTOR);
}

/** Of some lanes that are served at a time. */
static int most_words_in_a_bank(const Request *request, uint32_t lanes, unsigned size)
{
    const Units words = units_of(request, lanes, size, BANK_BYTES);
    int in_bank[BANKS] = {0}, most = 0;
    for (int n = 0; n < words.count; n++)
        if (++in_bank[words.number[n] % BANKS] > most)
            most = in_bank[words.number[n] % BANKS];
    return most;
}

int wavefronts_of(const Request *request, unsigned size)
{
    const int lanes = size > BANK_BYTES ? WARP * BANK_BYTES / (int)size : WARP;
    int sum = 0;
    for (int first = 0; first < WARP; first += lanes)
        sum +=
            most_words_in_a_bank(request, request->lanes & (uint32_t)(((1ull << lanes) - 1) << first), size);
    return sum;
}
