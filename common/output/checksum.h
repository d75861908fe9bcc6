/**
 * @file checksum.h
 * Sums of bytes that a change of any one byte changes for certain, and a change of several almost for
 * certain.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_LANES = 8, CHECKSUM_BLOCK = 8 * CHECKSUM_LANES };

/**
 * A checksum of 64 bits, as fast as memory. Words of 8 bytes go to eight lanes in turn: lane =
 * rotate_left(lane ^ word, 29) * prime. All lanes begin with empty_checksum; the prime is that of FNV-1a.
 * Zeros fill up the last eight words. The sum is one more lane, to which the others and the number of bytes
 * go in the same way.
 */
typedef struct {
    uint64_t lane[CHECKSUM_LANES], bytes;
    unsigned char rest[CHECKSUM_BLOCK]; /**< bytes % CHECKSUM_BLOCK of them, which wait for more */
} Checksum;

/** The checksum of no bytes. */
Checksum begin_checksum(void);

/** Goes on with some bytes. */
void extend_checksum(Checksum *checksum, const void *data, size_t bytes);

/** The sum of all bytes so far. */
uint64_t value_of_checksum(const Checksum *checksum);

/** FNV-1a with 64 bits (Fowler, Noll & Vo), in older checkpoints: that of no bytes. */
static const uint64_t empty_checksum = 0xcbf29ce484222325;

/** That of some bytes and those that follow them, given that of the first ones. */
uint64_t add_to_checksum(uint64_t checksum, const void *data, size_t bytes);
