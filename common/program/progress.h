/**
 * @file progress.h
 * The progress bar on standard error, and times as a clock shows them.
 */
#pragma once

/** Room for a time as text. */
enum { TIME_SIZE = 32 };

/** Seconds as "m:ss" or "h:mm:ss"; "?" if they are not known (NaN). */
void format_time(char text[TIME_SIZE], double seconds);

/**
 * Draws a progress bar on standard error if that is a terminal, and nothing otherwise: percent, MLUPS and
 * time left. `seconds` is solver time so far; `done` of `total` steps.
 */
void show_progress(double cells, double done, double total, double seconds);

/** Wipes the progress bar, if there is one. */
void clear_progress(void);
