/**
 * @file text_picture.h
 * Pictures of the flow in a terminal.
 */
#ifndef TEXT_PICTURE_H
#define TEXT_PICTURE_H

#include "output/picture.h"

#include <stdio.h>

/**
 * Draws the field in a slice as coloured half blocks (24-bit ANSI), scaled to fit columns x rows of the
 * terminal: lines of text, each ending with colours reset. Neither moves the cursor nor clears the screen.
 */
void draw(FILE *terminal, int columns, int rows, const Snapshot *result, Field field, Slice slice);

#endif
