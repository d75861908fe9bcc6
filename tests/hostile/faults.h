/**
 * @file faults.h
 * The system fails: each function that a call makes use of in its turn, until the call gets through. The
 * build defines FAULT_LIBRARY, which sees to that.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "gpu/device.h"
#include "judge.h"

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

/** Runs a call whose n-th function fails; returns the function's name, "" if there are fewer. */
static inline const char *run_with_fault(Case *c, const Call *call, int n, int error)
{
    static char function[64];
    char number[32];
    FILE *told = tmpfile();
    const int tell = dup(fileno(told)); // which a call keeps
    snprintf(number, sizeof number, "%d", tell);
    setenv("LBM_FAULT_TELL", number, 1);
    snprintf(number, sizeof number, "%d", error);
    setenv("LBM_FAULT_ERROR", number, 1);
    snprintf(number, sizeof number, "%d", n);
    setenv("LBM_FAULT", number, 1);
    setenv("OMP_NUM_THREADS", "1", 1); // nor are threads that OpenMP can not start
    setenv("LD_PRELOAD", FAULT_LIBRARY, 1);
    setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1); // or a sanitizer wants to be the first library
    const Running running = start(call);
    unsetenv("LD_PRELOAD");
    const Outcome o = finish(running);
    read_stream(told, function, sizeof function);
    close(tell);
    fclose(told);
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
    const char *const lines[] = {
        "run STAGE bodies @options --mask in.png --forces f.csv --probes p.csv --probe 2,2 --sample 1 "
        "--steps 3",
        "run STAGE cavity --size 5 --tau 0.8 --steps 2 --every 1 --csv old.csv --vtk v --checkpoint c --save "
        "1 --quiet",
        "run STAGE bodies --size 40x30 --restart state.vti --steps 2 --forces f.csv --sample 1 --quiet",
        "run GPU poiseuille --size 4x6 --steps 3 --vtk a.vti --pixels a.png",
        "list",
        "run STAGE taylor_green --size 4 --steps 1000 --steady 9 --csv folder/old.csv",
        "bench STAGE --sizes 8 --repeat 1 --csv a.csv",
        "bench GPU --phases --sizes 8 --repeat 1 --csv a.csv",
    };
    const int count = sizeof lines / sizeof *lines;
    int last = 0; // what CUDA does without memory is not our concern
    for (int n = 0; n < stage_count && gpu_is_emulated; n++)
        last = places[n].on_gpu ? n : last;
    Call call;
    parse_call(&call, lines[c->number % count]);
    for (int n = 1; n < call.count; n++)
        if (strcmp(call.argument[n], "GPU") == 0)
            call.argument[n] = (char *)stages[last]->name;
    const int error = c->number / count % 2 ? EIO : ENOSPC;
#ifdef __SANITIZE_ADDRESS__
    const int stride = 7; // each process takes a sanitizer a tenth of a second
#else
    const int stride = 1;
#endif
    for (int n = 1 + c->number % stride; *run_with_fault(c, &call, n, error);)
        n += stride;
}

#endif
