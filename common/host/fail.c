#include "host/fail.h"

#include "host/background.h"

#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CLEANUPS = 8 };

static void (*cleanups[MOST_CLEANUPS + 1])(void); // the last one is NULL
static int (*may_speak)(int exit_code);
static _Thread_local int at_once, speaks;
static pthread_mutex_t speaking = PTHREAD_MUTEX_INITIALIZER;

void add_cleanup(void (*function)(void))
{
    int n = 0;
    while (cleanups[n] && cleanups[n] != function)
        n++;
    if (n == MOST_CLEANUPS)
        fail(EXIT_MACHINE, "a function to clean up is one too many: there may be %d", MOST_CLEANUPS);
    cleanups[n] = function;
}

void clean_up(void)
{
    for (int n = 0; cleanups[n]; n++)
        cleanups[n]();
}

void fail_together(int (*function)(int exit_code))
{
    may_speak = function;
}

void fail_at_once(void)
{
    at_once = 1;
}

void fail(int exit_code, const char *format, ...)
{
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sanitize(line);
    if (!at_once)
        finish_job(); // what another thread writes makes sense
    if (!speaks)
        pthread_mutex_lock(&speaking); // for ever: another thread that fails, too, says nothing
    speaks = 1;
    fflush(stdout);
    clean_up();
    if (!may_speak || may_speak(exit_code))
        fprintf(stderr, "lbm: %s\n", line);
    if (at_once)
        _exit(exit_code);
    exit(exit_code);
}

int exit_code_of_error(int error)
{
    static const int of_the_name[] = {ENOENT, EACCES, EPERM, EISDIR, ENOTDIR, ELOOP, ENAMETOOLONG, ENXIO};
    for (size_t n = 0; n < sizeof of_the_name / sizeof *of_the_name; n++)
        if (error == of_the_name[n])
            return EXIT_USAGE;
    return EXIT_MACHINE;
}

void sanitize(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (iscntrl(*c))
            *c = '?';
        else if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0) // U+0080 to U+009F in UTF-8
            c[0] = c[1] = '?';
}

void append_name(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}
