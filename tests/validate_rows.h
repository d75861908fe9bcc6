/**
 * @file validate_rows.h
 * What validate prints of a stage, for tests to count.
 */
#ifndef VALIDATE_ROWS_H
#define VALIDATE_ROWS_H

#include "studies/validate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** A flow's rows; a fast stage may begin for it (validate_flow). The caller closes the file. */
static inline FILE *rows_after(const Stage *quick, const Stage *stage, KnownFlow flow)
{
    const Block block = {32, 8};
    fflush(stdout);
    FILE *table = tmpfile();
    const int terminal = dup(STDOUT_FILENO);
    dup2(fileno(table), STDOUT_FILENO);
    validate_flow(stage, quick, block, flow);
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    return table;
}

/** How many of these rows name the quantity and have the verdict, " ok" or " FAIL". */
static inline int count_in(FILE *table, const char *quantity, const char *verdict)
{
    rewind(table);
    int count = 0;
    for (char line[256]; fgets(line, sizeof line, table);)
        count += strstr(line, quantity) && strstr(line, verdict);
    return count;
}

static inline int count_rows_after(const Stage *quick, const Stage *stage, KnownFlow flow,
                                   const char *quantity, const char *verdict)
{
    FILE *table = rows_after(quick, stage, flow);
    const int count = count_in(table, quantity, verdict);
    fclose(table);
    return count;
}

static inline int count_rows(const Stage *stage, KnownFlow flow, const char *quantity, const char *verdict)
{
    return count_rows_after(NULL, stage, flow, quantity, verdict);
}

#endif
