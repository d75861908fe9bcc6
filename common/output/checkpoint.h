/**
 * @file checkpoint.h
 * Files that a run can go on from: those of vtk.h with the populations as one more array. The second line
 * names format, flow and step, the last line is a checksum. The formats 1 and 2 can still be read.
 */
#pragma once

#include "result/snapshot.h"

/** Reads the populations of the cells first, first + 1, ... before the collision: f[directions * n + i]. */
typedef void ReadPopulations(const void *source, size_t first, size_t count, Real *f);

/** Writes the moments and nodes of a result, and the populations that `read` gives of `source`, some at a time. On
 * failure: exit code 3, one line, no half-written file. */
void write_checkpoint(const char *path, const Snapshot *result, ReadPopulations *read, const void *source);

/**
 * Reads the populations of all cells, f[directions * cell + i], as they were written, and the nodes of a membrane
 * into that of the scenario; returns the step. Ends
 * the program with exit code 2 and one line if the file is no checkpoint, is damaged, or is of another flow
 * than the scenario: of another kind or size, with another tau or u, or with other cells.
 */
long read_checkpoint(const char *path, const Scenario *scenario, Real *f);
