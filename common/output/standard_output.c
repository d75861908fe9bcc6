#include "standard_output.h"

#include "fail.h"
#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void flush_standard_output(void)
{
    const int error = flush();
    if (error == EIO && is_device() && !stop_signal())
        raise(SIGHUP); // that of the shell may still be on its way
    if (error && !stop_signal())
        fail(EXIT_MACHINE, "can't write to standard output: %s", strerror(error));
}
