/**
 * @file collection.h
 * ParaView's lists of files (.pvd), each with its time: a series of VTK files opens as one.
 */
#pragma once

#include "flow/scenario.h"
#include "output/output_file.h"

/** The steps of a series, in order. */
typedef struct {
    size_t count, capacity;
    long *step;
} Steps;

/** File number `part` of a step, from 0 on; NULL: it has no more. */
typedef const char *NameOfPart(const void *about, long step, int part);

/** Adds a step behind the others, unless it is the last one. Fails with exit code 3 if memory is short. */
void add_step(Steps *steps, long step);

/** Reads the steps up to `last` out of a list that write_collection wrote, of those whose first files are of
 * this scenario; none if there is no such list. Fails with exit code 3 if it can't be read. */
Steps read_collection(const char *path, long last, const Scenario *scenario, NameOfPart *name,
                      const void *about);

/** Whether XML has a way to write a name: not for most control characters and what is no UTF-8. */
int is_xml_text(const char *name);

/** Writes a list, in whose folder the files are. On failure: as in output_file.h. */
void write_collection(const char *path, const Steps *steps, NameOfPart *name, const void *about);
