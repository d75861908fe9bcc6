/**
 * @file png_picture.h
 * Pictures of the flow as PNG files.
 */
#ifndef PNG_PICTURE_H
#define PNG_PICTURE_H

#include "picture.h"

/** Whether PNG files can be written: whether libpng was there at build time. */
int can_write_png(void);

/** A picture of the field, one pixel a cell, y up, walls grey. Fails with exit code 2 without libpng. */
void write_png(const char *path, const Result *result, Field field);

#endif
