/**
 * @file inputs.h
 * The files that the program reads, option files and masks, which no output may replace; and whether two
 * names are those of one file.
 */
#ifndef INPUTS_H
#define INPUTS_H

/** Adds a file that is read; its name must stay where it is. */
void add_input(const char *path);

/** The name of the n-th input, from 0 on; NULL if there are fewer. */
const char *input(int n);

/** Refuses, with exit code 2, an output that would replace an input. */
void check_output(const char *path);

/**
 * Whether two names are those of one file: by device and inode, links followed. If neither file is there yet,
 * the folder counts, and the last part of the name.
 */
int is_same_file(const char *a, const char *b);

#endif
