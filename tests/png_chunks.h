/**
 * @file png_chunks.h
 * What a PNG file is made of, for tests that make damaged ones.
 */
#ifndef PNG_CHUNKS_H
#define PNG_CHUNKS_H

#include <stddef.h>

/** Checksum of a chunk (PNG, annex D). */
static inline unsigned crc(const unsigned char *bytes, size_t count)
{
    unsigned c = 0xffffffffu;
    for (size_t n = 0; n < count; n++) {
        c ^= bytes[n];
        for (int bit = 0; bit < 8; bit++)
            c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    }
    return ~c;
}

static inline void put_number(unsigned char *bytes, unsigned number)
{
    for (int n = 0; n < 4; n++)
        bytes[n] = (unsigned char)(number >> (24 - 8 * n));
}

/** The number in the four bytes, the highest first. */
static inline unsigned get_number(const unsigned char *bytes)
{
    unsigned number = 0;
    for (int n = 0; n < 4; n++)
        number = number << 8 | bytes[n];
    return number;
}

#endif
