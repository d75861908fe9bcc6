/**
 * @file csv_text.h
 * For tests of tables that the program writes: the rows and values of a CSV file.
 */
#ifndef CSV_TEXT_H
#define CSV_TEXT_H

#include "run_lbm.h"

#include <math.h>

/** What a file holds. */
static inline const char *contents(const char *path)
{
    static char text[16384];
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    if (file) {
        read_stream(file, text, sizeof text);
        fclose(file);
    }
    return text;
}

/** The n-th line of a text that is no comment, from 0 on; "" if there are fewer. */
static inline const char *row(const char *text, int n)
{
    static char line[1024];
    for (; *text; text += strcspn(text, "\n") + 1) {
        if (*text != '#' && n-- == 0) {
            snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
            return line;
        }
    }
    return "";
}

/** The value in a column of a row of a CSV text; NaN if there is none. */
static inline double value(const char *text, const char *column, int n)
{
    char names[1024], values[1024];
    snprintf(names, sizeof names, "%s", row(text, 0));
    snprintf(values, sizeof values, "%s", row(text, n));
    char *name = names, *field = values;
    while (name && field) {
        char *const name_end = strchr(name, ','), *const field_end = strchr(field, ',');
        if (strcspn(name, ",") == strlen(column) && strncmp(name, column, strlen(column)) == 0)
            return *field && *field != ',' ? atof(field) : NAN;
        name = name_end ? name_end + 1 : NULL;
        field = field_end ? field_end + 1 : NULL;
    }
    return NAN;
}

#endif
