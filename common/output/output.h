/**
 * @file output.h
 * Results for people and other programs: VTK, PNG and CSV files, and the picture in the terminal. All take
 * the populations before the collision, f[9 * cell + i]. Files are written beside their target and renamed
 * into place; whatever goes wrong ends the program with exit code 3, one line, and no half-written file.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include "picture.h"
#include "scenario.h"

#include <stdio.h>

/** Whether PNG files can be written: whether libpng was there at build time. */
int can_write_png(void);

/** Removes what is half written. For signal handlers that end the program. */
void discard_output(void);

/** Fails with exit code 3 unless a regular file could be written there now; leaves nothing behind. */
void check_writable(const char *path);

/**
 * VTK XML ImageData, appended raw: cell data `density` and `velocity` (float32) and `type` (uint8, as in
 * d2q9.h). Cell (x, y) has its centre at the point (x, y, 0).
 */
void write_vtk(const char *path, const Scenario *scenario, const float *f);

/** Columns x,y,rho,ux,uy; one row a cell, x fastest; numbers read back to the same floats. */
void write_csv(const char *path, const Scenario *scenario, const float *f);

/** A line of column names, then the rows: value[row * columns + column], nine digits. */
void write_table(const char *path, const char *names, const double *value, size_t rows, int columns);

/** Any text. */
void write_text(const char *path, const char *text, size_t size);

/** A picture of the field, one pixel a cell, y up, walls grey. Fails with exit code 2 without libpng. */
void write_png(const char *path, const Scenario *scenario, const float *f, Field field);

/**
 * The same as coloured half blocks (24-bit ANSI), scaled to fit columns x rows of the terminal: lines of
 * text, each ending with colours reset. Neither moves the cursor nor clears the screen.
 */
void draw(FILE *terminal, int columns, int rows, const Scenario *scenario, const float *f, Field field);

#endif
