#include "own_lines.h"

#include "check_exercise.h"

#include <ctype.h>
#include <limits.h>

/** The line of a source file that the preprocessor writes next. */
typedef struct {
    char file[PATH_MAX];
    long line;
} LinePosition;

/** The path below the project's folder, if the file belongs to a stage or is a solution; else NULL. */
static const char *taken_over(const char *file)
{
    static char path[PATH_MAX];
    if (!realpath(file, path) || strncmp(path, PROJECT "/", sizeof PROJECT) != 0)
        return NULL;
    const char *below = path + sizeof PROJECT, *name = strrchr(path, '/');
    const int stage = strncmp(below, "stages/", strlen("stages/")) == 0,
              exercise = strncmp(below, "exercises/", strlen("exercises/")) == 0;
    return stage || (exercise && strncmp(name, "/solution.", strlen("/solution.")) == 0) ? below : NULL;
}

/** The first name of a stage, such as stage_00_cpu_aos, outside of a string; NULL if there is none. */
static const char *find_stage(const char *text)
{
    int quoted = 0;
    for (const char *c = text; *c; c++) {
        if (strncmp(c, "'\"'", 3) == 0)
            c += 2;
        else if (*c == '\\' && c[1])
            c++;
        else if (*c == '"')
            quoted = !quoted;
        else if (!quoted && strncmp(c, "stage_", 6) == 0 && isdigit((unsigned char)c[6]) &&
                 isdigit((unsigned char)c[7]) && c[8] == '_')
            return c;
    }
    return NULL;
}

static size_t name_length(const char *name)
{
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    return length;
}

/** Ends the check if the preprocessor enters, at this position, a file that is not the student's own. */
static void expect_own_include(const char *file, const LinePosition *from)
{
    const char *other = strcmp(file, exercise_file) == 0 ? NULL : taken_over(file);
    if (other)
        wrong("line %ld of %s includes %s; what the task asks for belongs in your own file", from->line,
              strrchr(from->file, '/') + 1, other);
}

void expect_own_lines(void)
{
    if (!preprocessed_file)
        return;
    FILE *file = fopen(preprocessed_file, "r");
    if (!file)
        fail(EXIT_MACHINE, "can't read %s; build the exercise again", preprocessed_file);
    LinePosition at = {"/", 0}, next = at;
    char *text = NULL;
    size_t room = 0;
    for (int enters = 0; getline(&text, &room, file) >= 0;) {
        const int words = sscanf(text, "# %ld \"%4095[^\"]\" %d", &next.line, next.file, &enters);
        if (words == 3 && enters == 1)
            expect_own_include(next.file, &at);
        if (words >= 2) {
            at = next;
            continue;
        }
        const char *name = strcmp(at.file, exercise_file) == 0 ? find_stage(text) : NULL;
        if (name)
            wrong("line %ld of %s names %.*s; what the task asks for belongs in your own file", at.line,
                  strrchr(at.file, '/') + 1, (int)name_length(name), name);
        at.line++;
    }
    free(text);
    fclose(file);
}
