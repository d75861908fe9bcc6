/**
 * @file fail.h
 * How the program fails: with an exit code and one line.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#define NORETURN [[noreturn]]
#else
#define NORETURN _Noreturn
#endif

/** Exit codes of the program. */
enum {
    EXIT_GOOD = 0,    /**< all is well */
    EXIT_CHECK = 1,   /**< a check failed, or the flow diverged */
    EXIT_USAGE = 2,   /**< bad usage or input */
    EXIT_MACHINE = 3, /**< no device, out of memory, disk full, unwritable file */
};

/** Ends the program with this exit code and one line on standard error, "lbm: ..." (printf-like), after a job
 * of another thread (background.h). */
NORETURN void fail(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** From now on `fail` ends the program from this thread without its exit handlers. */
void fail_at_once(void);

/** Whose fault it is that a file can't be read: the exit code for this errno. */
int exit_code_of_error(int error);

/** Makes one line of text that names may be part of: newlines and other control characters become "?". */
void sanitize(char *text);

/** Has a function called at clean_up, one of eight at most; added again, it is called once. It must be safe
 * in a signal handler. */
void add_cleanup(void (*function)(void));

/** To be called before the program ends abruptly; `fail` does so before it prints its line. */
void clean_up(void);

/** Has `fail` ask, with the exit code, whether to print its line: programs may fail together. */
void fail_together(int (*may_speak)(int exit_code));

/** Adds a name, behind a comma, to the list of what a message says would be accepted. */
void append_name(char *list, size_t size, const char *name);

#ifdef __cplusplus
}
#endif
