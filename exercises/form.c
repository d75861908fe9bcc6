#include "form.h"

#include "host/allocate.h"

#include <ctype.h>
#include <errno.h>

enum { LINE_SIZE = 1024, LINES = 64, COLUMNS = 64 };

static struct {
    char folder[LINE_SIZE], name[LINE_SIZE];
    char key[LINES][64], value[LINES][LINE_SIZE];
    int count;
} form;

struct Table {
    char name[LINE_SIZE], key[64]; // the key in the form
    char *text;                    // the whole file, its separators replaced by ends of strings
    char **cell;                   // cell[row * columns + column]; the first row names the columns
    int columns, rows;             // rows without the first
    char *head[LINES];             // the lines that begin with #
    int head_count;
};

/** Cuts off the blanks around a text. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
        *--end = '\0';
    return text;
}

void open_form(const char *path)
{
    const char *slash = strrchr(path, '/');
    snprintf(form.folder, sizeof form.folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    snprintf(form.name, sizeof form.name, "%s", slash ? slash + 1 : path);
    part("TODO(1)", path);
    FILE *file = fopen(path, "r");
    if (!file)
        wrong("can't read %s: %s", path, strerror(errno));
    char line[LINE_SIZE];
    for (int n = 1; fgets(line, sizeof line, file); n++) {
        const int marked = n == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0; // as some editors begin a file
        line[strcspn(line, "#")] = '\0';
        char *key = trim(line + (marked ? 3 : 0)), *equals = strchr(key, '=');
        if (*key == '\0')
            continue;
        if (!equals || form.count == LINES)
            wrong("%s, line %d: expected \"key = value\", got \"%s\"", form.name, n, key);
        *equals = '\0';
        snprintf(form.key[form.count], sizeof form.key[0], "%s", trim(key));
        snprintf(form.value[form.count++], sizeof form.value[0], "%s", trim(equals + 1));
    }
    fclose(file);
}

const char *answer(const char *key)
{
    for (int n = 0; n < form.count; n++)
        if (strcmp(form.key[n], key) == 0) {
            if (strncmp(form.value[n], "TODO", 4) == 0)
                part(form.value[n], form.name);
            else if (form.value[n][0] != '\0')
                return form.value[n];
            wrong("\"%s\" is not filled in", key);
        }
    wrong("%s has no answer \"%s\" any more", form.name, key);
}

double number(const char *key)
{
    const char *text = answer(key);
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value))
        wrong("%s: expected a number, got \"%s\"", key, text);
    return value;
}

void expect_answer(const char *key, double expected, double tolerance)
{
    const double value = number(key);
    if (!(fabs(value - expected) <= tolerance * fabs(expected) + 1e-12))
        wrong("%s: %.6g is not right%s", key, value,
              fabs(value) > fabs(expected) ? ", it is too large" : ", it is too small");
}

void expect_prediction(const char *key, double least, double most)
{
    const double predicted = number(key);
    if (!(predicted >= least && predicted <= most))
        wrong("%s: expected a number from %g to %g, got %g", key, least, most, predicted);
}

/** How many words a text has: what stands between blanks and has a letter in it, of whatever alphabet. */
static int word_count(const char *text)
{
    static const char blanks[] = " \t";
    int words = 0;
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        int letters = 0;
        for (; *text && !strchr(blanks, *text); text++)
            letters += isalpha((unsigned char)*text) || (unsigned char)*text >= 0x80;
        words += letters > 0;
    }
    return words;
}

void expect_sentence(const char *key)
{
    if (word_count(answer(key)) < 3)
        wrong("%s: expected a sentence of three words or more, got \"%s\"", key, answer(key));
}

/** The whole of a file, as text. */
static char *slurp(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        wrong("can't read %s: %s", path, strerror(errno));
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    for (size_t got = 1; text && got > 0; size += got) {
        if (size + 1 == room)
            text = realloc(text, room *= 2);
        got = text ? fread(text + size, 1, room - 1 - size, file) : 0;
    }
    fclose(file);
    if (!text)
        wrong("%s is too large", path);
    text[size] = '\0';
    return text;
}

/** From here on it is about the line of the form that names the table. */
static void part_of_table(const char *key)
{
    char line[80];
    snprintf(line, sizeof line, "the line \"%s\"", key);
    part(line,
         "has the table been measured as the form and the README say? Where that takes a GPU and there is "
         "none, name the reference table that the README gives; its <device> is a folder of labs/results");
}

/** Adds the cells of one line to a table. */
static void add_line(Table *table, char *line)
{
    char *cells[COLUMNS] = {NULL};
    int count = 0;
    for (char *rest = line; rest && count < COLUMNS; count++) {
        char *comma = strchr(rest, ',');
        if (comma)
            *comma = '\0';
        cells[count] = trim(rest);
        rest = comma ? comma + 1 : NULL;
    }
    if (table->columns == 0) {
        table->columns = count;
        table->rows = -1;
    }
    if (count != table->columns)
        wrong("%s: a row of %d cells under %d columns", table->name, count, table->columns);
    const size_t used = (size_t)(table->rows + 1) * table->columns;
    table->cell = realloc(table->cell, (used + count) * sizeof *table->cell);
    memcpy(table->cell + used, cells, count * sizeof *cells);
    table->rows++;
}

const char *head_text_with(const Table *table, const char *key, const char *part)
{
    const size_t length = strlen(key);
    for (int n = 0; n < table->head_count; n++)
        if (strncmp(table->head[n], "# ", 2) == 0 && strncmp(table->head[n] + 2, key, length) == 0 &&
            strncmp(table->head[n] + 2 + length, ": ", 2) == 0 && strstr(table->head[n], part))
            return table->head[n] + 4 + length;
    return NULL;
}

const char *head_text(const Table *table, const char *key)
{
    return head_text_with(table, key, "");
}

/** Ends the check if no GPU ran what the table is about. */
static void refuse_emulator(const Table *table)
{
    const char *backend = head_text(table, "backend");
    if (backend && strncmp(backend, "cpu", 3) == 0)
        wrong("%s was measured on the emulator, whose speed means nothing: expected a table of a GPU",
              table->name);
}

Table *open_table(const char *key)
{
    Table *table = allocate(sizeof *table);
    part_of_table(key);
    const char *name = answer(key);
    snprintf(table->name, sizeof table->name, "%s", name);
    snprintf(table->key, sizeof table->key, "%s", key);
    char path[2 * LINE_SIZE];
    snprintf(path, sizeof path, "%s%s%s", *name == '/' ? "" : form.folder, *name == '/' ? "" : "/", name);
    table->text = slurp(path);
    char *next = table->text;
    while (next && *next) {
        char *line = next, *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        next = end ? end + 1 : NULL;
        if (*line == '#' && table->head_count < LINES)
            table->head[table->head_count++] = line;
        else if (*line != '#' && *line != '\0' && *line != '\r')
            add_line(table, line);
    }
    if (table->rows <= 0)
        wrong("%s holds no rows", name);
    refuse_emulator(table);
    return table;
}

int row_count(const Table *table)
{
    return table->rows;
}

const char *cell_text(const Table *table, int row, const char *column)
{
    for (int n = 0; n < table->columns; n++)
        if (strcmp(table->cell[n], column) == 0)
            return table->cell[(row + 1) * table->columns + n];
    part_of_table(table->key);
    wrong("%s has no column \"%s\"", table->name, column);
}

double cell_number(const Table *table, int row, const char *column)
{
    char *end;
    const char *text = cell_text(table, row, column);
    const double value = strtod(text, &end);
    if (end == text || *end != '\0') {
        part_of_table(table->key);
        wrong("%s: expected a number under \"%s\", got \"%s\"", table->name, column, text);
    }
    return value;
}

int find_row(const Table *table, const char *key, const char *value, const char *second, const char *other)
{
    for (int row = 0; row < table->rows; row++)
        if (strcmp(cell_text(table, row, key), value) == 0 &&
            (!second || strcmp(cell_text(table, row, second), other) == 0))
            return row;
    part_of_table(table->key);
    wrong("%s has no row with %s = %s%s%s%s%s", table->name, key, value, second ? " and " : "",
          second ? second : "", second ? " = " : "", second ? other : "");
}

double head_number(const Table *table, const char *key)
{
    const char *text = head_text(table, key);
    return text ? strtod(text, NULL) : NAN;
}

double bench_mlups(const Table *bench, const char *stage, const char *size)
{
    return cell_number(bench, find_row(bench, "stage", stage, "size", size), "mlups_mean");
}

void compare_prediction(const char *key, double measured)
{
    printf("%s: you said %.4g, measured was %.4g\n", key, number(key), measured);
}

void close_table(Table *table)
{
    free(table->cell);
    free(table->text);
    free(table);
}
