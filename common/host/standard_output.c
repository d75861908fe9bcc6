#include "host/standard_output.h"

#include "host/fail.h"
#include "host/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char cannot_write[] = "can't write to standard output";
static int failure; // errno of what asked for an end

int is_terminal(int descriptor)
{
    const char *type = getenv("TERM");
    return isatty(descriptor) && !(type && strcmp(type, "dumb") == 0);
}

/** Flushes; returns the errno of what went wrong, or 0. */
static int flush(void)
{
    if (fflush(stdout) != 0)
        return errno;
    if (!ferror(stdout))
        return 0;
    // a printf failed, and its reason is lost: another write tells it
    return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EAGAIN;
}

/** isatty says no of a terminal that hung up. */
static int is_device(void)
{
    struct stat status;
    return fstat(STDOUT_FILENO, &status) == 0 && S_ISCHR(status.st_mode);
}

/** Flushes; returns the errno of what went wrong, or 0, also where a signal asked for an end. */
static int flush_unless_stopped(void)
{
    const int error = flush();
    if (error == EIO && is_device() && !stop_code())
        raise(SIGHUP); // that of the shell may still be on its way
    return stop_code() > 128 && stop_code() != 128 + SIGPIPE ? 0 : error;
}

void flush_standard_output(void)
{
    const int error = flush_unless_stopped();
    if (error && signals_are_deferred()) {
        failure = error;
        ask_for_end(EXIT_MACHINE);
    } else if (error) {
        fail(EXIT_MACHINE, "%s: %s", cannot_write, strerror(error));
    }
}

void check_standard_output(void)
{
    const int error = flush_unless_stopped();
    if (error && stop_code() == 128 + SIGPIPE)
        end_by_signal(SIGPIPE);
    if (error)
        fail(EXIT_MACHINE, "%s: %s", cannot_write, strerror(error));
}

const char *stop_reason(void)
{
    static char text[256];
    if (failure)
        snprintf(text, sizeof text, "%s: %s", cannot_write, strerror(failure));
    else
        snprintf(text, sizeof text, "signal %d", stop_code() - 128);
    return text;
}
