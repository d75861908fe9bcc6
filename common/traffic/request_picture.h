/**
 * @file request_picture.h
 * A warp's request as a picture, SVG: its lanes, the memory that serves it, and which bytes each lane uses.
 */
#pragma once

#include "traffic/report.h"

/** Draws the sample of each of these lines, one below the other. */
void draw_requests(const char *path, const LineSums *lines, int count);
