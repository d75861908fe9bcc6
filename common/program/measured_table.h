/**
 * @file measured_table.h
 * A table of measurements with all that is needed to repeat it: machine, build and command. It appears on
 * standard output line by line and, if a file was asked for, goes there at the end.
 */
#pragma once

#include "speed/machine.h"

#include <stdio.h>

/** A table under way. */
typedef struct {
    const char *path; /**< of the CSV file; "": none */
    FILE *csv;        /**< where rows of the CSV file go; kept in memory until the end */
    char *text;
    size_t size;        /**< of what is kept of it */
    size_t written;     /**< of what was added */
    double device_copy; /**< GB/s, read and written; 0: not measured */
    HostCopy host_copy; /**< all zeros: not measured */
} Record;

/** Text of a call, for the head. */
typedef struct {
    char text[1024];
} Words;

/** Joins a command and its arguments with blanks. To be called before parse_options moves them. */
Words join_words(const char *command, int count, char **arguments);

/** Begins a table; `words` is the call that makes it. Fails with exit code 2 if `path` is an input, with 3 if
 * nothing can be written there. Measures the copies of `device` and `host`, then defers signals. */
void begin_record(Record *record, const char *path, const Words *words, int device, int host);

/** Adds to what goes into the file (printf-like). */
void add_text(Record *record, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Adds a line to the head: "key text" on the screen, "# key: text" in the file (printf-like). */
void note(Record *record, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

/** Ends the table and writes its file, unless no case was measured. If an end was asked for (interrupt.h),
 * the first line of the file says so, and one on standard error. */
void end_record(Record *record, int measured);
