/**
 * @file faults.h
 * The system fails: each function that a call makes use of in its turn, until the call gets through. The
 * build defines FAULT_LIBRARY, which sees to that.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "gpu/device.h"
#include "judge.h"
#include "output/png_picture.h"

#include <fcntl.h>
#include <sys/socket.h>

/** Whether a function writes: no program may go on as if nothing had happened where that fails. */
static inline int is_of_output(const char *function)
{
    const char *const names[] = {"fwrite", "vfprintf", "fflush", "fsync", "fclose", "rename"};
    int found = 0;
    for (int n = 0; n < 6; n++)
        found |= strcmp(names[n], function) == 0;
    return found;
}

static inline int is_of_memory(const char *function)
{
    const char *const names[] = {"malloc", "calloc", "realloc", "open_memstream"};
    int found = 0;
    for (int n = 0; n < 4; n++)
        found |= strcmp(names[n], function) == 0;
    return found;
}

/** A call that waits before main: for each fault a copy of it goes on, so that its libraries are loaded once.
 */
typedef struct {
    Running running;
    FILE *told;
    int faults;
} Waiting;

static inline void set_number(const char *name, int number)
{
    char text[32];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

static inline Waiting wait_before_main(const Call *call, int error)
{
    int ends[2];
    Waiting waiting = {.told = tmpfile()};
    if (!waiting.told || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        perror("socketpair");
        exit(1);
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    set_number("LBM_FAULT_TELL", fileno(waiting.told));
    set_number("LBM_FAULT_ERROR", error);
    set_number("LBM_FAULTS", ends[1]);
    setenv("OMP_NUM_THREADS", "1", 1); // nor are threads that OpenMP can not start
    setenv("LD_PRELOAD", FAULT_LIBRARY, 1);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1); // or a sanitizer wants to be the first library
    waiting.running = start(call);
    unsetenv("LD_PRELOAD");
    close(ends[1]);
    waiting.faults = ends[0];
    return waiting;
}

static inline void wait_no_more(Waiting *waiting)
{
    close(waiting->faults);
    finish(waiting->running);
    fclose(waiting->told);
}

static inline void empty_stream(FILE *stream)
{
    if (ftruncate(fileno(stream), 0) != 0 || lseek(fileno(stream), 0, SEEK_SET) != 0)
        exit(1);
}

/** Has the n-th function of a call fail; returns the function's name, "" if there are fewer. */
static inline const char *run_with_fault(Case *c, const Call *call, Waiting *waiting, int n)
{
    static char function[64];
    int status;
    empty_stream(waiting->running.out);
    empty_stream(waiting->running.err);
    empty_stream(waiting->told);
    if (write(waiting->faults, &n, sizeof n) != sizeof n ||
        read(waiting->faults, &status, sizeof status) != sizeof status) {
        complain(c, call, "faults", "it does not wait before main");
        return "";
    }
    const Outcome o = outcome_of(&waiting->running, status);
    read_stream(waiting->told, function, sizeof function);
    const long complaints = c->complaints;
    judge(c, call, &o, 0);
    if (o.code == 0 && is_of_output(function))
        complain(c, call, function, "it failed, and that was not noticed");
    if (o.code == 2 && is_of_memory(function))
        complain(c, call, function, "a lack of memory is taken for bad input");
    if (c->complaints > complaints)
        printf("  (call %d of those that can fail, %s, did)\n", n, function);
    return function;
}

static inline void faults_case(Case *c)
{
    const int png = can_write_png(); // without libpng these options are bad input, whatever fails
    const char *const lines[] = {
        png ? "run STAGE bodies @options --mask in.png --forces f.csv --probes p.csv --probe 2,2 --sample 1 "
              "--steps 3"
            : "run STAGE bodies @options --forces f.csv --probes p.csv --probe 2,2 --sample 1 --steps 3",
        "run STAGE cavity --size 5 --tau 0.8 --steps 2 --every 1 --csv old.csv --vtk v --checkpoint c --save "
        "1 --quiet",
        "run STAGE bodies --size 40x30 --restart state.vti --steps 2 --forces f.csv --sample 1 --quiet",
        png ? "run GPU poiseuille --size 4x6 --steps 3 --vtk a.vti --pixels a.png"
            : "run GPU poiseuille --size 4x6 --steps 3 --vtk a.vti",
        "list",
        "run STAGE taylor_green --size 4 --steps 1000 --steady 9 --csv folder/old.csv",
        "bench STAGE --sizes 8 --repeat 1 --csv a.csv",
        "bench GPU --phases --sizes 8 --repeat 1 --csv a.csv",
    };
    const int count = sizeof lines / sizeof *lines;
    int last = 0; // what CUDA does without memory is not our concern
    for (int n = 0; n < stage_count && gpu_is_emulated; n++)
        last = stage_info[n].on_gpu && !stages[n]->unsupported ? n : last;
    Call call;
    parse_call(&call, lines[c->number % count]);
    for (int n = 1; n < call.count; n++)
        if (strcmp(call.argument[n], "GPU") == 0)
            call.argument[n] = (char *)stages[last]->name;
    const int error = c->number / count % 2 ? EIO : ENOSPC;
#ifdef __SANITIZE_ADDRESS__
    const int stride = 7; // each copy takes a sanitizer a hundredth of a second
#else
    const int stride = 1;
#endif
    Waiting waiting = wait_before_main(&call, error);
    for (int n = 1 + c->number % stride; *run_with_fault(c, &call, &waiting, n);)
        n += stride;
    wait_no_more(&waiting);
}

#endif
