/**
 * @file refused.h
 * For tests of what ends the program: runs a function in a process of its own.
 */
#ifndef REFUSED_H
#define REFUSED_H

#include "host/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** Runs `call` in a child. Returns its exit code, -1 for a crash; `text` is what it said on standard error.
 */
static inline int exit_code_of(void (*call)(void), char *text, size_t size)
{
    FILE *errors = tmpfile();
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        dup2(fileno(errors), STDERR_FILENO);
        call();
        exit(EXIT_GOOD);
    }
    int status = -1;
    waitpid(child, &status, 0);
    const ssize_t length = pread(fileno(errors), text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    fclose(errors);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/** Whether `call` ends with EXIT_USAGE and one line that holds `reason`. */
static inline int refuses(void (*call)(void), const char *reason)
{
    char text[4096];
    const int code = exit_code_of(call, text, sizeof text);
    const char *end = strchr(text, '\n');
    const int good = code == EXIT_USAGE && end && end[1] == '\0' && strstr(text, reason);
    if (!good)
        printf("exit code %d, expected \"%s\": %s\n", code, reason, text);
    return good;
}

#endif
