/**
 * @file fault_library.c
 * To be preloaded: counts the calls of some functions of the C library, and has one of them fail. Which one,
 * from 1 on, comes from the socket LBM_FAULTS: for each number a copy of the process goes on to main, and its
 * status is sent back. LBM_FAULT_ERROR is the error where it is not of memory; the function's name goes to
 * the file descriptor LBM_FAULT_TELL.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static long until_fault;
static int error, tell;

/** Where OpenMP's library lies: what that says without memory is not our concern. */
static uintptr_t openmp, openmp_end;

static int find_openmp(struct dl_phdr_info *library, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!strstr(library->dlpi_name, "libgomp") && !strstr(library->dlpi_name, "libomp"))
        return 0;
    openmp = library->dlpi_addr;
    for (int n = 0; n < library->dlpi_phnum; n++) {
        const uintptr_t end = openmp + library->dlpi_phdr[n].p_vaddr + library->dlpi_phdr[n].p_memsz;
        if (library->dlpi_phdr[n].p_type == PT_LOAD && end > openmp_end)
            openmp_end = end;
    }
    return 1;
}

/** Returns in copies of the process only, one for each number that comes. */
static void wait_for_faults(int faults)
{
    int number, status;
    alarm(0); // the copies have a minute each
    while (read(faults, &number, sizeof number) == sizeof number) {
        const pid_t copy = fork();
        if (copy == 0) {
            close(faults);
            alarm(60);
            until_fault = number;
            return;
        }
        if (copy < 0 || waitpid(copy, &status, 0) < 0 || write(faults, &status, sizeof status) < 0)
            _exit(1);
    }
    _exit(0);
}

__attribute__((constructor)) static void arm(void)
{
    error = getenv("LBM_FAULT_ERROR") ? atoi(getenv("LBM_FAULT_ERROR")) : EIO;
    tell = getenv("LBM_FAULT_TELL") ? atoi(getenv("LBM_FAULT_TELL")) : -1;
    dl_iterate_phdr(find_openmp, NULL);
    if (getenv("LBM_FAULTS"))
        wait_for_faults(atoi(getenv("LBM_FAULTS")));
}

/** Whether this call is the one to fail. */
static int is_the_one(const char *function, int number)
{
    if (until_fault == 0 || --until_fault > 0)
        return 0;
    const ssize_t told = write(tell, function, strlen(function));
    errno = number;
    return told >= 0;
}

/** The function of that name in the library. */
#define REAL_ONE(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

/** A function that fails by returning `failed`. */
#define FAULTY(type, function, parameters, arguments, number, failed)                                        \
    type function parameters                                                                                 \
    {                                                                                                        \
        static __typeof__(&function) real;                                                                   \
        if (!real)                                                                                           \
            real = REAL_ONE(function);                                                                       \
        return is_the_one(#function, number) ? (failed) : real arguments;                                    \
    }

/** What the C library notes in a stream that has failed. */
static int fail_stream(FILE *stream, int result)
{
    if (stream)
        stream->_flags |= 0x20; // _IO_ERR_SEEN
    return result;
}

FAULTY(FILE *, open_memstream, (char **text, size_t *size), (text, size), ENOMEM, NULL)
FAULTY(size_t, fwrite, (const void *data, size_t size, size_t count, FILE *stream),
       (data, size, count, stream), error, (size_t)fail_stream(stream, 0))
FAULTY(size_t, fread, (void *data, size_t size, size_t count, FILE *stream), (data, size, count, stream),
       error, (size_t)fail_stream(stream, 0))
FAULTY(int, getc, (FILE * stream), (stream), error, fail_stream(stream, EOF))
FAULTY(int, vfprintf, (FILE * stream, const char *format, va_list arguments), (stream, format, arguments),
       error, fail_stream(stream, -1))
FAULTY(int, fflush, (FILE * stream), (stream), error, fail_stream(stream, EOF))
FAULTY(int, fsync, (int file), (file), error, -1)
FAULTY(int, rename, (const char *from, const char *to), (from, to), error, -1)
FAULTY(int, fchmod, (int file, mode_t mode), (file, mode), EPERM, -1)

/** A machine with little memory makes short work of copying it. */
FILE *fopen(const char *path, const char *mode)
{
    static char memory[] = "MemAvailable: 16384 kB\n";
    if (is_the_one("fopen", error))
        return NULL;
    return strcmp(path, "/proc/meminfo") == 0 ? fmemopen(memory, strlen(memory), mode)
                                              : REAL_ONE(fopen)(path, mode);
}

/** The stream is gone even so. What was only read, or never written to, is closed without a fault. */
int fclose(FILE *stream)
{
    const int written = !(stream->_flags & 0x08) && ftell(stream) != 0; // _IO_NO_WRITES
    const int result = REAL_ONE(fclose)(stream);
    return written && is_the_one("fclose", error) ? EOF : result;
}

#ifdef FAULTY_MEMORY // a sanitizer brings its own, of which dlsym takes some itself
extern void *__libc_malloc(size_t bytes), *__libc_calloc(size_t count, size_t bytes),
    *__libc_realloc(void *memory, size_t bytes);

/** Whether OpenMP's library calls. */
static int is_openmp(void *caller)
{
    return (uintptr_t)caller >= openmp && (uintptr_t)caller < openmp_end;
}

/** Whether this call of a function for memory, from where it was called, is the one to fail. */
#define IS_THE_ONE(function)                                                                                 \
    (until_fault > 0 && !is_openmp(__builtin_return_address(0)) && is_the_one(function, ENOMEM))

void *malloc(size_t bytes)
{
    return IS_THE_ONE("malloc") ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    return IS_THE_ONE("calloc") ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
    return IS_THE_ONE("realloc") ? NULL : __libc_realloc(memory, bytes);
}
#endif
