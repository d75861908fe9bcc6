/**
 * @file png_picture.h
 * Plain pictures of the flow: PNG files of its cells with nothing around them.
 */
#pragma once

#include "output/picture.h"

/** Whether PNG files can be written: whether libpng was there at build time. */
int can_write_png(void);

/** A picture of the field in a slice, one pixel a cell, walls grey. Its scale goes to `largest` (fix_scale);
 * 0: to where the field goes. Fails with exit code 2 without libpng. */
void write_png(const char *path, const Snapshot *result, Field field, Slice slice, double largest);
