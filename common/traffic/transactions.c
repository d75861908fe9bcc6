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

int conflicts_of(const Request *request)
{
    int conflicts = 0;
    for (int lane = 1; lane < WARP; lane++) {
        int earlier = 0;
        while (earlier < lane && !(request->lanes >> earlier & 1 && request->lanes >> lane & 1 &&
                                   request->address[earlier] == request->address[lane]))
            earlier++;
        conflicts += earlier < lane;
    }
    return conflicts;
}

int has_two_addresses(const Request *request)
{
    const int first = __builtin_ctz(request->lanes);
    for (int lane = first + 1; lane < WARP; lane++)
        if (request->lanes >> lane & 1 && request->address[lane] != request->address[first])
            return 1;
    return 0;
}

int is_aligned(const Request *request, unsigned alignment)
{
    for (int lane = 0; lane < WARP; lane++)
        if (request->lanes >> lane & 1 && request->address[lane] % alignment != 0)
            return 0;
    return 1;
}

/** Adds the words of lanes that are served at a time, from a wavefront on. */
static int add_words(const Request *request, uint32_t lanes, unsigned size, int wavefront, Word *words)
{
    const Units units = units_of(request, lanes, size, BANK_BYTES);
    int in_bank[BANKS] = {0};
    for (int n = 0; n < units.count; n++)
        words[n] =
            (Word){units.number[n], units.bytes[n], lanes, wavefront + in_bank[units.number[n] % BANKS]++};
    return units.count;
}

static int count_wavefronts(const Word *words, int count)
{
    int most = 0;
    for (int n = 0; n < count; n++)
        if (words[n].wavefront >= most)
            most = words[n].wavefront + 1;
    return most;
}

int words_of(const Request *request, unsigned size, Word words[MOST_WORDS])
{
    const int lanes = size > BANK_BYTES ? WARP * BANK_BYTES / (int)size : WARP;
    int count = 0;
    for (int first = 0; first < WARP; first += lanes)
        count += add_words(request, request->lanes & (uint32_t)(((1ull << lanes) - 1) << first), size,
                           count_wavefronts(words, count), words + count);
    return count;
}

int wavefronts_of(const Request *request, unsigned size)
{
    Word words[MOST_WORDS];
    return count_wavefronts(words, words_of(request, size, words));
}
