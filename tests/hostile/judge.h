/**
 * @file judge.h
 * What must hold whatever the program is given: it neither crashes nor hangs, says what is wrong in one line,
 * and leaves nothing behind but the files that were asked for, whole.
 */
#ifndef JUDGE_H
#define JUDGE_H

#include "scene.h"

#include <errno.h>

/** What a part is told about one of its cases, and what it counts. */
typedef struct {
    int number;      /**< of this case, from 0 on */
    long calls;      /**< so far */
    long refused;    /**< of them with exit code 2 */
    long complaints; /**< so far */
} Case;

static inline void complain(Case *c, const Call *call, const char *about, const char *what)
{
    printf("%s: %s\n  lbm", about, what);
    for (int n = 1; n < call->count; n++)
        printf(" %.80s", *call->argument[n] ? call->argument[n] : "''");
    printf("\n");
    c->complaints++;
}

/* ---- What it said ---- */

/** Counts the lines of a text that begin so, and no warnings; -1 if there are any other lines. */
static inline int count_errors(const char *text)
{
    int errors = 0;
    for (const char *end; *text; text = end + 1) {
        end = strchr(text, '\n');
        if (!end || strncmp(text, "lbm: ", 5) != 0)
            return -1;
        errors += strncmp(text, "lbm: warning: ", 14) != 0;
    }
    return errors;
}

/** `signals` is the set of those that were sent, 1 << N each. */
static inline void judge_words(Case *c, const Call *call, const Outcome *o, unsigned long signals)
{
    const int sent = o->code > 128 && o->code < 128 + 64 && (signals >> (o->code - 128)) & 1;
    if (o->killed ? !sent : !(sent || (o->code >= 0 && o->code <= 3)))
        complain(c, call, "exit code or signal that must not be", o->err);
    else if (o->killed
                 ? count_errors(o->err) < 0 || count_errors(o->err) > 1 // a second signal may come after it
                 : count_errors(o->err) != (o->code != 0))
        complain(c, call, o->code ? "not one line that says why" : "it ended well and complained", o->err);
    if (o->code == 2 && *o->out)
        complain(c, call, "refused after it had begun", o->out);
}

/* ---- What it left behind ---- */

/** Whether a table ends with a whole row, has as many columns everywhere, and numbers in them. */
static inline int is_whole_table(const char *text, size_t size)
{
    if (strncmp(text, "# ", 2) == 0 && strchr(text, '\n')) { // which flow it is
        size -= (size_t)(strchr(text, '\n') + 1 - text);
        text = strchr(text, '\n') + 1;
    }
    const char *names_end = strchr(text, '\n');
    const int in_space = strncmp(text, "x,y,z,", 6) == 0;
    int wanted = 1, rows = 0, x = -1, y = -1, z = 0;
    if (!names_end || text[size - 1] != '\n' || strlen(text) != size)
        return 0;
    for (const char *s = text; s < names_end; s++)
        wanted += *s == ',';
    for (const char *row = names_end + 1; *row; row = strchr(row, '\n') + 1, rows++) {
        int found = 1;
        for (const char *s = row; *s != '\n'; s++)
            found += *s == ',';
        if (found != wanted || strcspn(row, "in") < strcspn(row, "\n"))
            return 0;
        if (strncmp(text, "x,y,", 4) == 0 && sscanf(row, "%d,%d", &x, &y) != 2)
            return 0;
        if (in_space && sscanf(row, "%*d,%*d,%d", &z) != 1)
            return 0;
    }
    return strncmp(text, "x,y,", 4) != 0 || rows == (x + 1) * (y + 1) * (z + 1);
}

static inline int ends_with(const Contents *c, const char *end, size_t length)
{
    return c->size >= length && memcmp(c->bytes + c->size - length, end, length) == 0;
}

/** Whether the last line of a checkpoint is the checksum of all before it. */
static inline int is_whole_checkpoint(const Contents *c)
{
    const char *const end = "</VTKFile>\n<!-- 8-lane checksum of all bytes above: 0123456789abcdef -->\n";
    const size_t length = strlen(strchr(end, '\n') + 1);
    char line[128];
    if (c->size < strlen(end) || memcmp(c->bytes + c->size - strlen(end), end, strcspn(end, "0")) != 0)
        return 0;
    Checksum checksum = begin_checksum();
    extend_checksum(&checksum, c->bytes, c->size - length);
    snprintf(line, sizeof line, " %016llx -->\n", (unsigned long long)value_of_checksum(&checksum));
    return ends_with(c, line, strlen(line));
}

static inline int is_whole(const char *path)
{
    const Contents *c = contents_of(path);
    if (strstr(c->bytes, "<!-- lbm-stages checkpoint"))
        return is_whole_checkpoint(c);
    if (strncmp(c->bytes, "<?xml", 5) == 0)
        return ends_with(c, "</VTKFile>\n", 11) || ends_with(c, "</svg>\n", 7);
    if (memcmp(c->bytes, "\x89PNG", 4) == 0)
        return ends_with(c, "\0\0\0\0IEND\xae\x42\x60\x82", 12);
    const int is_interrupted = strncmp(c->bytes, "# interrupted: ", 15) == 0; // says so before its head
    const char *head = is_interrupted ? c->bytes + strcspn(c->bytes, "\n") : c->bytes;
    if (strncmp(head + is_interrupted, "# command: ", 11) == 0)
        return ends_with(c, "\n", 1);
    return is_whole_table(c->bytes, c->size);
}

/** Whether two paths lead to the same file. */
static inline int is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_ino == second.st_ino &&
           first.st_dev == second.st_dev;
}

/** Whether a file is that of an output, or one that --every has numbered, NAME_12345678.END, or the list of
 * those for ParaView, NAME.pvd. */
static inline int is_output(const char *file, const char *output)
{
    char path[8192];
    if (is_same_file(file, output))
        return 1;
    const char *number = strrchr(file, '_'), *slash = strrchr(output, '/');
    const char *dot = strrchr(slash ? slash : output, '.');
    if (!dot || dot == output || (slash && dot == slash + 1))
        dot = output + strlen(output);
    snprintf(path, sizeof path, "%.*s.pvd", (int)(dot - output), output);
    if (is_same_file(file, path))
        return 1;
    if (!number || strspn(number + 1, "0123456789") < 8)
        return 0;
    snprintf(path, sizeof path, "%.*s%.*s%s", (int)(dot - output), output,
             1 + (int)strspn(number + 1, "0123456789"), number, dot);
    return is_same_file(file, path);
}

/** Whether a call writes its checkpoint to a file. */
static inline int saves_to(const Call *call, const char *file)
{
    int found = 0;
    for (int n = 1; n + 1 < call->count; n++)
        found |= strcmp(call->argument[n], "--checkpoint") == 0 && is_same_file(file, call->argument[n + 1]);
    return found;
}

/** Whether a call names the file as one of its outputs, or else as one of its inputs. */
static inline int names(const Call *call, const char *file, int as_output)
{
    const char *const outputs[] = {"--csv",  "--vtk",    "--png",    "--pixels",
                                   "--plot", "--forces", "--probes", "--checkpoint"};
    for (int n = 1; n < call->count; n++) {
        const char *word = call->argument[n], *value = n + 1 < call->count ? call->argument[n + 1] : "";
        for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
            if (as_output && strcmp(word, outputs[k]) == 0 && is_output(file, value))
                return 1;
        if (!as_output &&
            ((word[0] == '@' && is_same_file(file, word + 1)) ||
             (strcmp(word, "--mask") == 0 && is_same_file(file, value)) ||
             (strcmp(word, "--restart") == 0 && is_same_file(file, value) && !saves_to(call, file))))
            return 1;
    }
    return 0;
}

/** Judges the files in the folder, and restores it. */
static inline void judge_files(Case *c, const Call *call, const Outcome *o)
{
    static Listing now;
    char about[ENTRY_SIZE + 32];
    now.count = 0;
    list_folder(&now, ".");
    for (int n = 0; n < before.count; n++)
        if (!find_entry(&now, before.entry[n].name))
            complain(c, call, before.entry[n].name, "it is gone");
    for (int n = 0; n < now.count; n++) {
        const char *name = now.entry[n].name;
        if (is_same(&now.entry[n], find_entry(&before, name)))
            continue;
        snprintf(about, sizeof about, "exit code %d, %s", o->code, name);
        if (o->code == 2)
            complain(c, call, about, "a refused call leaves a file, or changes one");
        else if (!names(call, name, 1))
            complain(c, call, about, "this file was not asked for");
        else if (names(call, name, 0))
            complain(c, call, about, "an input was overwritten");
        else if (!is_whole(name))
            complain(c, call, about, "it is not whole, or holds what is no number");
    }
    restore_scene(&now);
}

static inline void judge(Case *c, const Call *call, const Outcome *o, unsigned long signals)
{
    c->calls++;
    c->refused += o->code == 2;
    judge_words(c, call, o, signals);
    judge_files(c, call, o);
}

static inline Outcome run_and_judge(Case *c, const Call *call)
{
    const Outcome o = finish(start(call));
    judge(c, call, &o, 0);
    return o;
}

/* ---- Calls ---- */

/** Adds a word to a call; its text must outlive the call. */
static inline void add_word(Call *call, const char *word)
{
    const int most = sizeof call->argument / sizeof *call->argument - 1;
    if (call->count < most)
        call->argument[call->count++] = (char *)word;
    call->argument[call->count] = NULL;
}

#endif
