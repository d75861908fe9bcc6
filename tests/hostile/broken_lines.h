/**
 * @file broken_lines.h
 * Command lines with mistakes in them, at random but the same for the same seed.
 */
#ifndef BROKEN_LINES_H
#define BROKEN_LINES_H

#include <stdio.h>
#include <string.h>

static unsigned random_state = 42;

static inline int random_below(int limit)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (unsigned)limit);
}

/** Words of a line that is being broken. */
typedef struct {
    char word[40][48];
    int count;
} Words;

static inline void split(Words *words, const char *line)
{
    char text[256];
    snprintf(text, sizeof text, "%s", line);
    words->count = 0;
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        strcpy(words->word[words->count++], word);
}

static inline void join(const Words *words, char *line, size_t size)
{
    line[0] = '\0';
    for (int n = 0; n < words->count; n++)
        snprintf(line + strlen(line), size - strlen(line), "%s%s", n ? " " : "", words->word[n]);
}

static inline void insert(Words *words, int at, const char *word)
{
    memmove(words->word[at + 1], words->word[at], (size_t)(words->count++ - at) * sizeof words->word[0]);
    strcpy(words->word[at], word);
}

static inline void cut(Words *words, int at)
{
    memmove(words->word[at], words->word[at + 1], (size_t)(--words->count - at) * sizeof words->word[0]);
}

/** A random word after the scenario: an option if so asked for, else the value of one. */
static inline int pick(const Words *words, int option)
{
    for (;;) {
        const int n = 3 + random_below(words->count - 3);
        if (strcmp(words->word[n], "--quiet") != 0 && (words->word[n][0] == '-') == option)
            return n;
    }
}

/** Puts a letter into a word, somewhere from `from` on; no valid name becomes another one by that. */
static inline void misspell(char *word, int from)
{
    const int length = (int)strlen(word), at = from + random_below(length - from + 1);
    memmove(word + at + 1, word + at, (size_t)(length - at + 1));
    word[at] = (char)('a' + random_below(26));
}

/** Makes nonsense of a value, whatever its kind. */
static inline void spoil(Words *words)
{
    const char *const nonsense[] = {"''", "--quiet", "''", "--steps"};
    const char *const numeric[] = {"''",  "nan", "inf", "-inf", "-1", "+1",   "1e999",
                                   "1,5", "0x",  "one", "1..5", "%d", "1x1x1"};
    const int n = pick(words, 0);
    const char *option = words->word[n - 1];
    if (strcmp(option, "--csv") == 0 || strcmp(option, "--vtk") == 0 || strcmp(option, "--forces") == 0)
        strcpy(words->word[n], nonsense[random_below(4)]);
    else if (random_below(2))
        strcpy(words->word[n], numeric[random_below(sizeof numeric / sizeof *numeric)]);
    else
        strcat(words->word[n], (const char *[]){"y", "..", "-", "/2", "x", "e", ",", "%"}[random_below(8)]);
}

/** Breaks a line in one way of ten. */
static inline void damage(Words *words)
{
    switch (random_below(10)) {
    case 0:
        misspell(words->word[0], 0);
        break;
    case 1:
        strcat(words->word[1], "_");
        break;
    case 2:
        misspell(words->word[2], 0);
        break;
    case 3:
        cut(words, 1 + random_below(2));
        break;
    case 4:
        insert(words, 1 + random_below(2), "extra");
        break;
    case 5:
        misspell(words->word[pick(words, 1)], 2);
        break;
    case 6:
        words->count = pick(words, 1) + 1; // an option without its value ends the line
        break;
    case 7:
        insert(words, words->count, random_below(2) ? "--tau" : "--re");
        break;
    default:
        spoil(words);
    }
}

#endif
