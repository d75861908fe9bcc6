/**
 * @file transactions.h
 * What a request of a warp costs: sectors of memory, and wavefronts of shared memory.
 */
#pragma once

#include <stdint.h>

enum { WARP = 32, SECTOR = 32, BANKS = 32, BANK_BYTES = 4 }; /**< threads; bytes */

/** What one warp asked for at once: an address of each lane of the mask. */
typedef struct {
    uintptr_t address[WARP];
    uint32_t lanes;
} Request;

/** Distinct units of some bytes, at most 32, that a request touches. */
typedef struct {
    uintptr_t number[2 * WARP]; /**< address / bytes of a unit */
    uint32_t bytes[2 * WARP];   /**< a bit for each byte that is touched */
    int count;
} Units;

/** The sectors that a request touches, whose lanes access `size` bytes each, at most 32. */
Units sectors_of(const Request *request, unsigned size);

/** Lanes that share their address with an earlier lane: of additions to one number, the second waits for the
 * first. */
int conflicts_of(const Request *request);

/** Whether two of its addresses differ: only then it is no chance that both are aligned. */
int has_two_addresses(const Request *request);

/** Whether all its addresses are multiples of that. */
int is_aligned(const Request *request, unsigned alignment);

/** A word of shared memory, and what brings it. */
typedef struct {
    uintptr_t number; /**< address / BANK_BYTES */
    uint32_t bytes;   /**< a bit for each byte that is touched */
    uint32_t lanes;   /**< that are served at a time */
    int wavefront;    /**< from 0 on */
} Word;

enum { MOST_WORDS = 5 * WARP }; /**< 16 bytes each, wherever they begin */

/** The words that a request touches in shared memory, once for each wavefront. Returns how many there are. */
int words_of(const Request *request, unsigned size, Word words[MOST_WORDS]);

/** In how many parts shared memory answers. Each of its 32 banks, of four bytes in turn, gives one word in a
 * wavefront. Of accesses of 8 or 16 bytes, a half or a quarter of a warp is served at a time. */
int wavefronts_of(const Request *request, unsigned size);
