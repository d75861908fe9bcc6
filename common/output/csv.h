/**
 * @file csv.h
 * Numbers as text: a line of column names, then the rows. Floats read back as they were.
 */
#pragma once

#include "result/snapshot.h"

/** Columns x,y,rho,ux,uy, in space x,y,z,rho,ux,uy,uz; one row a cell, x fastest. A line before, "# ...",
 * says which flow it is, and its step. */
void write_csv(const char *path, const Snapshot *result);

/** Any columns: value[row * stride + column], nine digits. */
void write_table(const char *path, const char *names, const double *value, size_t rows, int columns,
                 size_t stride);
