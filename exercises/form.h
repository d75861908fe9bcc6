/**
 * @file form.h
 * What the check of an experiment adds to check_exercise.h: the form that the student fills in, lines
 * "key = value # comment", and the tables that were measured. What is missing or wrong ends the check; if it
 * is a table or something in it, the check points to the line that names the table.
 */
#ifndef FORM_H
#define FORM_H

#include "check_exercise.h"
#include "own_lines.h"

/** Reads the form. File names in it are relative to its folder. */
void open_form(const char *path);

/** The text of an answer; ends the check, naming the TODO, if it is not filled in. */
const char *answer(const char *key);

/** The number of an answer. */
double number(const char *key);

/** Ends the check unless the answer is a number within `tolerance`, a share, of what is expected. */
void expect_answer(const char *key, double expected, double tolerance);

/** Ends the check unless the prediction is a number that could come out. */
void expect_prediction(const char *key, double least, double most);

/** Ends the check unless the answer is a sentence: at least three words. What it says a teacher judges. */
void expect_sentence(const char *key);

/** A measured table: a CSV file; lines that begin with # are skipped, the first other line names the columns.
 */
typedef struct Table Table;

/** Reads the table whose file name the form gives under this key; what the emulator measured is none. */
Table *open_table(const char *key);

/** Number of rows. */
int row_count(const Table *table);

/** The text in a row of a column; ends the check if there is no such column. */
const char *cell_text(const Table *table, int row, const char *column);

/** The number there. */
double cell_number(const Table *table, int row, const char *column);

/** The row where column `key` says `value`, and `second` says `other` (NULL: whatever); ends the check if
 * none. */
int find_row(const Table *table, const char *key, const char *value, const char *second, const char *other);

/** What the table's head has for a key, "# key: ..."; NULL if nothing. */
const char *head_text(const Table *table, const char *key);

/** The same, in the first of its lines that has `part` in it. */
const char *head_text_with(const Table *table, const char *key, const char *part);

/** The number that the table's head has for a key, "# key: number ..."; NaN if it has none. */
double head_number(const Table *table, const char *key);

/** Mean MLUPS of a stage at a size, in a table of `lbm bench`. */
double bench_mlups(const Table *bench, const char *stage, const char *size);

/** Says what was predicted, and what came out. */
void compare_prediction(const char *key, double measured);

/** Frees a table. */
void close_table(Table *table);

#endif
