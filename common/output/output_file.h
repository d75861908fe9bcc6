/**
 * @file output_file.h
 * Files that are there as a whole or not at all: they are written beside their target and renamed into place.
 * To a pipe, a device or an open descriptor the bytes go straight. Whatever goes wrong ends the program with
 * exit code 3, one line, and no half-written file. Several may be on their way at a time.
 */
#pragma once

#include "host/fail.h"
#include "output/checksum.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>

/** A file on its way. */
typedef struct {
    const char *path;
    char target[PATH_MAX]; /**< the file behind a link; "" where the bytes go straight */
    FILE *file;
    Checksum *checksum;      /**< of what put and print add; NULL: it is not needed */
    struct Pending *pending; /**< of output_file.c: its temporary file */
} OutputFile;

/** Where the last part of a path begins. */
const char *last_part(const char *path);

/** Whether a path leads to a pipe, a device, or an open descriptor such as /dev/stderr or standard output. */
int is_stream(const char *path);

/** Begins a file. What is there must be no directory, and the user must be allowed to write it. */
void begin_file(OutputFile *output, const char *path);

/** Adds bytes. */
void put(OutputFile *output, const void *data, size_t bytes);

/** Adds text (printf-like). */
void print(OutputFile *output, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Brings all that was written to the disk, then changes the name. */
void finish_file(OutputFile *output);

/** Gives the file up, for this reason. */
NORETURN void give_up(OutputFile *output, const char *reason);

/** Fails with exit code 3 unless something could be written there now; leaves nothing behind. */
void check_writable(const char *path);
