/**
 * @file occurrences.h
 * For tests of what is printed.
 */
#ifndef OCCURRENCES_H
#define OCCURRENCES_H

#include <string.h>

/** How often a text holds another. */
static inline int occurrences(const char *text, const char *part)
{
    int count = 0;
    for (text = strstr(text, part); text; text = strstr(text + 1, part))
        count++;
    return count;
}

#endif
