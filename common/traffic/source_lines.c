#define _GNU_SOURCE
#include "traffic/source_lines.h"

#include "host/allocate.h"
#include "host/fail.h"

#include <ctype.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** The program itself comes first: by how much it was moved when it was loaded. */
static int find_shift(struct dl_phdr_info *info, size_t size, void *shift)
{
    (void)size;
    *(uintptr_t *)shift = info->dlpi_addr;
    return 1;
}

static FILE *ask_addr2line(const void *const *places, int count)
{
    enum { DIGITS = 20 };
    uintptr_t shift = 0;
    dl_iterate_phdr(find_shift, &shift);
    char *command = allocate(64 + (size_t)count * DIGITS);
    int length = sprintf(command, "addr2line 2>/dev/null -e /proc/%d/exe", (int)getpid());
    for (int n = 0; n < count; n++)
        length += sprintf(command + length, " %#lx", (unsigned long)((uintptr_t)places[n] - 1 - shift));
    FILE *answers = popen(command, "r");
    free(command);
    return answers;
}

void find_lines(const void *const *places, int count, SourceLine *lines)
{
    char answer[sizeof lines->file + 64];
    FILE *answers = ask_addr2line(places, count);
    for (int n = 0; answers && n < count && fgets(answer, sizeof answer, answers); n++) {
        char *colon = strrchr(answer, ':');
        lines[n].line = colon ? atoi(colon + 1) : 0;
        snprintf(lines[n].file, sizeof lines[n].file, "%.*s", colon ? (int)(colon - answer) : 0, answer);
    }
    int known = 0;
    for (int n = 0; n < count; n++)
        known += lines[n].line > 0;
    if (!answers || pclose(answers) != 0)
        fail(EXIT_MACHINE, "lines of the source need addr2line (Debian: apt install binutils)");
    if (known == 0 && count > 0)
        fail(EXIT_MACHINE, "addr2line finds no lines of the source in this program: was it stripped?");
}

void require_addr2line(void)
{
    if (system("addr2line --version >/dev/null 2>&1") != 0)
        fail(EXIT_MACHINE, "lines of the source need addr2line (Debian: apt install binutils)");
}

void line_text(const SourceLine *line, char *text, int size)
{
    FILE *file = line->line > 0 ? fopen(line->file, "r") : NULL;
    text[0] = '\0';
    int n = 0;
    for (; file && n < line->line && fgets(text, size, file); n++)
        for (int c = strchr(text, '\n') ? '\n' : 0; c != '\n' && c != EOF;)
            c = getc(file); // the end of a longer line
    if (file)
        fclose(file);
    if (n < line->line)
        text[0] = '\0';
    size_t length = strlen(text), blanks = strspn(text, " \t");
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    if (blanks > 0 && blanks <= length)
        memmove(text, text + blanks, length - blanks + 1);
    sanitize(text);
}
