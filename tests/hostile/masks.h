/**
 * @file masks.h
 * Damaged masks, some of them with checksums that are right all the same.
 */
#ifndef MASKS_H
#define MASKS_H

#include "broken_lines.h"
#include "flow/bodies.h"
#include "judge.h"

/** Changes, doubles, drops or cuts some bytes; returns how many there are then. */
static inline size_t damage_bytes(unsigned char *bytes, size_t size, size_t room)
{
    for (int n = 1 + random_below(4); n > 0 && size > 1; n--) {
        const size_t at = (size_t)random_below((int)size), rest = size - at;
        const size_t part = (size_t)random_below(rest < 40 ? (int)rest : 40);
        switch (random_below(5)) {
        case 0:
            bytes[at] ^= (unsigned char)(1 << random_below(8));
            break;
        case 1:
            bytes[at] = (unsigned char)(const int[]){0, 255, '\n', '#', ' ', 0x80, '9', '-'}[random_below(8)];
            break;
        case 2:
            memmove(bytes + at, bytes + at + part, rest - part);
            size -= part;
            break;
        case 3:
            if (size + part > room)
                break;
            memmove(bytes + at + part, bytes + at, rest);
            size += part;
            break;
        default:
            if (random_below(4) == 0)
                size = at;
        }
    }
    return size;
}

/** Writes anything into a chunk's data, with the checksum that goes with it. */
static inline void damage_chunk(unsigned char *png, size_t size)
{
    enum { SIGNATURE = 8, AROUND = 12 };
    size_t at = SIGNATURE;
    for (int skip = random_below(2); skip > 0; skip--)
        at += AROUND + get_number(png + at);
    const size_t length = get_number(png + at);
    if (at + AROUND + length > size || length == 0)
        return;
    for (int n = 1 + random_below(3); n > 0; n--) {
        const size_t byte = (size_t)random_below(random_below(2) && length > 16 ? 16 : (int)length);
        png[at + 8 + byte] = (unsigned char)random_below(random_below(2) ? 256 : 17);
    }
    put_number(png + at + 8 + length, crc(png + at + 4, length + 4));
}

static inline void masks_case(Case *c)
{
    unsigned char png[2 * PICTURE_ROOM];
    size_t size = make_picture(png);
    const int kind = random_below(8);
    if (kind > 3)
        damage_chunk(png, size);
    else if (kind > 0)
        size = damage_bytes(png, size, sizeof png);
    write_bytes("mask.png", png, size);
    list_scene();
    Call call;
    parse_call(&call, "run STAGE bodies --mask mask.png --tau 0.8 --steps 1 --quiet --csv a.csv");
    const Outcome o = run_and_judge(c, &call);
    if (!can_read_png() && !(o.code == 2 && strstr(o.err, "this build lacks libpng")))
        complain(c, &call, "libpng is not there, and the refusal does not say so", o.err);
    else if (can_read_png() && kind == 0 && o.code != 0)
        complain(c, &call, "a good mask is refused", o.err);
}

#endif
