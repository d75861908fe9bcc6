/**
 * @file report.h
 * Tables of what was recorded: for people, and as CSV.
 */
#pragma once

#include "traffic/recorder.h"

#include "output/output_file.h"

/** What all launches of a kernel did at one line of the source. */
typedef struct {
    const char *kernel;
    char file[128]; /**< with its folder */
    int line;
    char text[256]; /**< of the line */
    Access access;
    unsigned size; /**< bytes of a thread's access */
    Sums sums;
    Sample sample;
} LineSums;

/** Prints a table of a kernel's requests, with a row for each kind of access, and for each of the lines. */
void print_kernel(const Kernel *kernel, const LineSums *lines, int count);

/** The lines of a kernel, in their order in the source. Sets `count`; the caller frees them. */
LineSums *lines_of(const Kernel *kernel, int *count);

/** The sums of all instructions of a kernel with that access. */
Sums sum_of(const Kernel *kernel, Access access);

/** "load", "store", "shared load" or "shared store". */
const char *access_name(Access access);

/** Writes the names of the columns, then the kernels' rows. */
void write_rows(OutputFile *file, const Recording *recording, int with_lines);

/** Draws the samples of these lines as an SVG file: the lanes of a warp, the memory that serves them, and the
 * bytes that each lane uses. */
void draw_requests(const char *path, const LineSums *lines, int count);
