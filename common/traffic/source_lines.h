/**
 * @file source_lines.h
 * Where in the source an instruction of the program comes from.
 */
#pragma once

/** A line of a file; line 0: nobody knows. */
typedef struct {
    char file[4096];
    int line;
} SourceLine;

/** The lines of instructions before these places, by addr2line; fails with exit code 3 without it. */
void find_lines(const void *const *places, int count, SourceLine *lines);

/** Fails with exit code 3 where there is no addr2line. */
void require_addr2line(void);

/** The text of a line, without blanks at its ends; empty if the file is not there. */
void line_text(const SourceLine *line, char *text, int size);
