/**
 * @file mask.h
 * Masks as obstacles: PNG files whose dark pixels are solid.
 */
#pragma once

#include "flow/bodies.h"

/** The largest mask, in pixels along either side. */
enum { MASK_LIMIT = 16384 };

/** Whether PNG files can be read: whether libpng was there at build time. */
int can_read_png(void);

/**
 * Reads a mask, one cell a pixel, upright. Pixels darker than middle grey, seen on white paper, are solid.
 * Takes grey, palette and RGB images of up to 8 bits a channel, with or without alpha, not interlaced; chunks
 * that say nothing of the pixels are skipped. Ends the program with exit code 2 and one line if the file is
 * anything else, is damaged, has more than MASK_LIMIT pixels along a side, or takes more bytes than those
 * could need, and with 3 if memory is short.
 */
Mask read_mask(const char *path);

/** Frees what read_mask took. */
void destroy_mask(Mask *mask);
