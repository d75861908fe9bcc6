/**
 * @file screen.h
 * Pictures of the flow in a terminal, and a live one that fills the terminal on standard output.
 */
#pragma once

#include "output/picture.h"

#include <stdio.h>

/** Turns to the terminal's other screen and hides the cursor. Both are restored by restore_screen, at exit,
 * and while the program is stopped (Ctrl-Z). */
void open_screen(void);

/** Undoes open_screen, if it was called. Safe in a signal handler. */
void restore_screen(void);

/** Shows the field in a slice as large as the terminal is now, and a line of text below it. */
void show_frame(const Snapshot *result, Field field, Slice slice, const char *text);

/** Draws the field in a slice as coloured half blocks (24-bit ANSI), scaled to fit columns x rows of the
 * terminal: lines of text, each ending with colours reset. */
void draw(FILE *terminal, int columns, int rows, const Snapshot *result, Field field, Slice slice);
