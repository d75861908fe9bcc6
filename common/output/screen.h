/**
 * @file screen.h
 * The flow as a live picture that fills the terminal on standard output.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "output/picture.h"

/**
 * Turns to the terminal's other screen and hides the cursor. Both are restored by restore_screen, at exit,
 * and while the program is stopped (Ctrl-Z). Errors show once the screen is restored.
 */
void open_screen(void);

/** Undoes open_screen, if it was called. Safe in a signal handler. */
void restore_screen(void);

/** Shows the field in a slice as large as the terminal is now, and a line of text below it. */
void show_frame(const Snapshot *result, Field field, Slice slice, const char *text);

#endif
