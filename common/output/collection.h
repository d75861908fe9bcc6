/**
 * @file collection.h
 * ParaView's lists of files (.pvd), each with its time: a series of VTK files opens as one.
 */
#ifndef COLLECTION_H
#define COLLECTION_H

#include "output_file.h"

/** The steps of a series, in order. */
typedef struct {
    size_t count, room;
    long *step;
} Steps;

/** Adds a step behind the others. Fails with exit code 3 if memory is short. */
void add_step(Steps *steps, long step);

/** Reads the steps up to `last` out of a list that write_collection wrote; none if there is no such file.
 * Fails with exit code 3 if it can't be read. */
Steps read_collection(const char *path, long last);

/** Writes a list; `name` gives the file of a step, which is in the same folder. On failure: as in
 * output_file.h. */
void write_collection(const char *path, const Steps *steps, const char *(*name)(const void *about, long step),
                      const void *about);

#endif
