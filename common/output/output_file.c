#define _GNU_SOURCE // vasprintf
#include "output/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WRITERS = 100, MOST_LINKS = 40 };

enum { MOST_FILES = 4, LARGE = 1 << 20 }; // LARGE: bytes

/** A temporary file. */
struct Pending {
    char name[PATH_MAX]; // "" if there is none; read by a signal handler
    int lock; // keeps it locked, and so tells it from what a program left that was killed: no lock outlives
              // its program
};
static struct Pending pending[MOST_FILES];
static pthread_mutex_t choice = PTHREAD_MUTEX_INITIALIZER; // of a free one

/** Whether an open file is what was looked up. */
static int is_file(int file, const struct stat *status)
{
    struct stat of_file;
    return fstat(file, &of_file) == 0 && of_file.st_dev == status->st_dev && of_file.st_ino == status->st_ino;
}

/** Whether an open file has that name. */
static int is_named(int file, const char *name)
{
    struct stat status;
    return lstat(name, &status) == 0 && is_file(file, &status);
}

static void discard(struct Pending *p)
{
    if (*p->name && is_named(p->lock, p->name)) // not if it was renamed, and another program has the name
        unlink(p->name);
}

/** Removes what is half written as the program ends; no thread begins another file after that. Safe in a
 * signal handler: signals are blocked while the lock is held. */
static void discard_output(void)
{
    static volatile sig_atomic_t is_over;
    const int was_over = is_over;
    is_over = 1; // a signal that comes now does not wait for the lock
    if (!was_over)
        pthread_mutex_lock(&choice);
    for (int n = 0; n < MOST_FILES; n++)
        discard(&pending[n]);
}

NORETURN static void cannot_write(const char *path, const char *reason)
{
    fail(EXIT_MACHINE, "cannot write %s: %s", path, reason);
}

/** Takes leave of the temporary file, which has another name now, or none. */
static void forget(struct Pending *p)
{
    const int lock = p->lock;
    *p->name = '\0';
    close(lock);
}

void give_up(OutputFile *o, const char *reason)
{
    if (o->pending)
        discard(o->pending); // while it is locked: the name may be another program's after that
    if (o->file)
        fclose(o->file);
    cannot_write(o->path, reason);
}

/** The open descriptor to which a path leads, as /dev/stderr, or whose file has that name; -1 if none. */
static int find_descriptor(const char *path)
{
    char descriptors[PATH_MAX], folder[PATH_MAX], name[PATH_MAX], next[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s", path);
    if (!realpath("/proc/self/fd", descriptors))
        *descriptors = '\0';
    for (int links = 0; links < MOST_LINKS && length < PATH_MAX; links++) {
        snprintf(next, sizeof next, "%.*s.", (int)(last_part(name) - name), name);
        const ssize_t end = realpath(next, folder) ? readlink(name, next, sizeof next - 1) : -1;
        if (end < 0)
            break;
        if (strcmp(folder, descriptors) == 0)
            return atoi(last_part(name));
        next[end] = '\0';
        length = snprintf(name, sizeof name, "%s/%s", *next == '/' ? "" : folder, next);
    }
    struct stat status;
    return stat(path, &status) == 0 && is_file(STDOUT_FILENO, &status) ? STDOUT_FILENO : -1;
}

static void check_target(const char *path)
{
    struct stat status;
    if (*path == '\0')
        cannot_write("''", "the name of a file is needed");
    if (stat(path, &status) != 0) {
        if (errno != ENOENT)
            cannot_write(path, strerror(errno));
        if (lstat(path, &status) == 0)
            cannot_write(path, "it is a link to a file that is not there");
    } else if (S_ISDIR(status.st_mode)) {
        cannot_write(path, "it is a directory");
    } else {
        const int descriptor = find_descriptor(path);
        if (descriptor < 0 && access(path, W_OK) != 0)
            cannot_write(path, strerror(errno));
        if (descriptor >= 0 && (fcntl(descriptor, F_GETFL) & O_ACCMODE) == O_RDONLY)
            cannot_write(path, "it is open for reading only");
    }
}

int is_stream(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) &&
           (!S_ISREG(status.st_mode) || find_descriptor(path) >= 0);
}

/** Opens a stream: a descriptor behind what was printed there. */
static FILE *open_stream(const char *path)
{
    const int descriptor = find_descriptor(path);
    if (descriptor < 0)
        return fopen(path, "wb");
    fflush(stdout);
    const int file = dup(descriptor);
    return file < 0 ? NULL : fdopen(file, "wb");
}

/** Makes a file and locks it, unless there is one of that name. */
static FILE *make_locked(const char *name, int *lock)
{
    FILE *file = fopen(name, "wbx");
    if (!file)
        return NULL;
    *lock = dup(fileno(file));
    const int error = *lock < 0 ? errno : EEXIST;
    const int locked =
        flock(fileno(file), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; // or can't be locked
    if (*lock >= 0 && locked && is_named(*lock, name))
        return file;
    if (*lock < 0) // too many files are open; or else another program takes it for a leftover
        unlink(name);
    else
        close(*lock);
    fclose(file);
    errno = error;
    return NULL;
}

/** Removes a file that is not locked; anything else but a file stays. */
static void remove_leftover(const char *name)
{
    const int file = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK); // NFS locks only what can be written
    if (file < 0)
        return;
    struct stat status;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0 &&
        is_named(file, name))
        unlink(name);
    close(file);
}

/**
 * Makes the temporary file of a target; no signal comes between that and the note of its name. Each number in
 * its name is free, or that of a program that writes the same target now, or of one that was killed.
 */
static FILE *open_pending(const char *path, struct Pending **taken)
{
    const char *name = last_part(path);
    char temporary[PATH_MAX];
    sigset_t all, before;
    FILE *file = NULL;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_mutex_lock(&choice);
    struct Pending *p = pending;
    while (p < pending + MOST_FILES - 1 && *p->name)
        p++;
    for (int n = 0; n < MOST_WRITERS && !file && (n == 0 || errno == EEXIST); n++) {
        if (snprintf(temporary, sizeof temporary, "%.*s.%.200s.unfinished-%d", (int)(name - path), path, name,
                     n) >= (int)sizeof temporary) {
            errno = ENAMETOOLONG;
            break;
        }
        remove_leftover(temporary);
        file = make_locked(temporary, &p->lock);
    }
    const int error = errno;
    if (file)
        strcpy(p->name, temporary);
    *taken = p;
    pthread_mutex_unlock(&choice);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return file;
}

const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/** The file itself, where a path is a link to it. */
static void follow_links(char target[PATH_MAX], const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0 || !S_ISLNK(status.st_mode))
        snprintf(target, PATH_MAX, "%s", path);
    else if (!realpath(path, target))
        cannot_write(path, strerror(errno));
}

void begin_file(OutputFile *o, const char *path)
{
    o->path = path;
    o->target[0] = '\0';
    o->checksum = NULL;
    o->pending = NULL;
    check_target(path);
    add_cleanup(discard_output);
    if (is_stream(path)) {
        o->file = open_stream(path);
        if (!o->file)
            cannot_write(path, strerror(errno));
        return;
    }
    follow_links(o->target, path);
    o->file = open_pending(o->target, &o->pending);
    if (!o->file && errno == EEXIST)
        fail(EXIT_MACHINE,
             "cannot write %s: the %d names of its temporary file are in use, %.*s.%.200s.unfinished-0 "
             "and so on: delete what no program writes",
             path, MOST_WRITERS, (int)(last_part(o->target) - o->target), o->target, last_part(o->target));
    if (!o->file)
        cannot_write(path, strerror(errno));
    struct stat old;
    if (stat(o->target, &old) == 0 && fchmod(fileno(o->file), old.st_mode & 0777) != 0)
        give_up(o, strerror(errno));
}

/** Has the disk begin with what was put, so that finish_file waits for less (0.28, not 0.35 s, for 419 MB). */
static void begin_writing(const OutputFile *o)
{
#ifdef SYNC_FILE_RANGE_WRITE // Linux
    if (o->pending)
        sync_file_range(fileno(o->file), 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    (void)o;
#endif
}

void put(OutputFile *o, const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, o->file) != bytes)
        give_up(o, strerror(errno));
    if (bytes >= LARGE)
        begin_writing(o);
    if (o->checksum)
        extend_checksum(o->checksum, data, bytes);
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
    const int is_direct = o->target[0] == '\0';
    if (fflush(o->file) != 0 || (!is_direct && fsync(fileno(o->file)) != 0))
        give_up(o, strerror(errno));
    FILE *file = o->file;
    o->file = NULL;
    if (fclose(file) != 0 || (!is_direct && rename(o->pending->name, o->target) != 0))
        give_up(o, strerror(errno));
    if (!is_direct)
        forget(o->pending);
}

void check_writable(const char *path)
{
    OutputFile o;
    if (is_stream(path)) { // a pipe that is opened and closed would end for its reader
        check_target(path);
        return;
    }
    begin_file(&o, path);
    discard(o.pending);
    fclose(o.file);
    forget(o.pending);
}
