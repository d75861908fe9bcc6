/**
 * @file text.h
 * Text and the numbers along an axis, by Cairo. Only in builds with it: HAVE_CAIRO.
 */
#pragma once

#ifdef HAVE_CAIRO

#include <cairo.h>

/** Heights of letters, and free space, in pixels. */
enum { TITLE = 22, TEXT = 14, MARGIN = 24, GAP = 12 };

/** Ends the program with exit code 3 unless there is memory for Cairo and for the libraries of fonts, some of
 * which crash for want of it. */
void check_room_to_draw(void);

/** Ends the program with exit code 3 where Cairo could not go on. */
void check_cairo(cairo_status_t status, const char *path);

/** Turns to letters for titles. */
void use_title(cairo_t *cr);

/** Turns to letters for all else. */
void use_text(cairo_t *cr);

/** How wide a text would be, in pixels. */
double text_width(cairo_t *cr, const char *text);

/** Makes the page white, and writes title and caption at (x, y) on it; leaves letters of text. */
void begin_page(cairo_t *cr, double x, double y, const char *title, const char *caption);

/** Where a text has the x it is written at. */
typedef enum { LEFT, MIDDLE, RIGHT } Anchor;

/** Writes text with its baseline at y. */
void write_text(cairo_t *cr, double x, double y, Anchor anchor, const char *text);

/** 1, 2 or 5 times a power of ten: parts a span above 0 into four to nine. */
double nice_step(double span);

/** The text of a number on an axis from low to high that has one every `step`. */
void number_text(char text[32], double number, double low, double high, double step);

/** Puts what Cairo writes into an OutputFile. */
cairo_status_t put_bytes(void *output, const unsigned char *bytes, unsigned count);

#endif
