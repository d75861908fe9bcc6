/**
 * @file option_files.h
 * Damaged option files.
 */
#ifndef OPTION_FILES_H
#define OPTION_FILES_H

#include "masks.h"

static inline void option_files_case(Case *c)
{
    const char *const texts[] = {
        "# a scene\n--size 40x30   # the size\n--circle 20,15,4\n\n--box 5,5,2,2\n--tau 0.8\n",
        "--re 100\r\n--u 0.05\r\n--field vorticity\r\n--block 16x4\r\n",
        "\t--probe 2,2\n--sample 1\n--quiet\n--every 1\n--mask in.png",
    };
    unsigned char text[1024];
    size_t size = 0;
    for (int n = 1 + random_below(2); n > 0; n--) {
        const char *part = texts[random_below(3)];
        memcpy(text + size, part, strlen(part));
        size += strlen(part);
    }
    size = damage_bytes(text, size, sizeof text);
    write_bytes("damaged", text, size);
    list_scene();
    Call call; // what stands behind the file keeps the run short
    parse_call(&call,
               "run STAGE bodies @damaged --size 40x30 --steps 2 --csv a.csv --png a.png --probes p.csv "
               "--probe 3,3 --sample 1");
    run_and_judge(c, &call);
}

#endif
