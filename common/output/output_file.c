#define _GNU_SOURCE // vasprintf
#include "output_file.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/** The temporary file there is now; "" if none. Read by a signal handler. */
static char pending[PATH_MAX];

void discard_output(void)
{
    if (*pending)
        unlink(pending);
}

NORETURN static void cannot_write(const char *path, const char *reason)
{
    fail(EXIT_MACHINE, "cannot write %s: %s", path, reason);
}

void give_up(OutputFile *o, const char *reason)
{
    if (o->file)
        fclose(o->file);
    discard_output();
    cannot_write(o->path, reason);
}

/** What is there may only be replaced if it is a file of the user's: no directory, no device, no link. */
static void check_target(const char *path)
{
    struct stat status;
    if (*path == '\0')
        cannot_write("''", "the name of a file is needed");
    if (lstat(path, &status) != 0) {
        if (errno != ENOENT)
            cannot_write(path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        cannot_write(path, S_ISDIR(status.st_mode) ? "it is a directory" : "it is not a regular file");
    } else if (access(path, W_OK) != 0) {
        cannot_write(path, strerror(errno));
    }
}

/** Makes the temporary file; no signal comes between that and the note of its name. */
static FILE *open_pending(const char *temporary)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    FILE *file = fopen(temporary, "wbx");
    const int error = errno;
    if (file)
        strcpy(pending, temporary);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return file;
}

const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void begin_file(OutputFile *o, const char *path)
{
    check_target(path);
    const char *name = last_part(path);
    char temporary[PATH_MAX];
    const int length = snprintf(temporary, sizeof temporary, "%.*s.%.200s.%ld", (int)(name - path), path,
                                name, (long)getpid());
    if (length >= (int)sizeof temporary)
        cannot_write(path, strerror(ENAMETOOLONG));
    o->path = path;
    o->checksum = empty_checksum;
    o->file = open_pending(temporary);
    if (!o->file)
        cannot_write(path, strerror(errno));
    struct stat old;
    if (stat(path, &old) == 0 && fchmod(fileno(o->file), old.st_mode & 0777) != 0)
        give_up(o, strerror(errno));
}

void put(OutputFile *o, const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, o->file) != bytes)
        give_up(o, strerror(errno));
    o->checksum = add_to_checksum(o->checksum, data, bytes);
}

void print(OutputFile *o, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text;
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        give_up(o, strerror(errno));
    put(o, text, (size_t)length);
    free(text);
}

void finish_file(OutputFile *o)
{
    if (fflush(o->file) != 0 || fsync(fileno(o->file)) != 0)
        give_up(o, strerror(errno));
    FILE *file = o->file;
    o->file = NULL;
    if (fclose(file) != 0 || rename(pending, o->path) != 0)
        give_up(o, strerror(errno));
    *pending = '\0';
}

void check_writable(const char *path)
{
    OutputFile o;
    begin_file(&o, path);
    fclose(o.file);
    discard_output();
    *pending = '\0';
}
