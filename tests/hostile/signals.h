/**
 * @file signals.h
 * Signals at random moments, one or two of them.
 */
#ifndef SIGNALS_H
#define SIGNALS_H

#include "broken_lines.h"
#include "judge.h"

#include <signal.h>

static inline int some_signal(void)
{
    return (const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}[random_below(random_below(4) ? 3 : 5)];
}

static inline void signals_case(Case *c)
{
    const char *const lines[] = {
        "run STAGE cavity --size 60x40 --tau 0.8 --steps 999999999 --every 1 --csv a.csv",
        "run STAGE bodies --size 60x40 --tau 0.8 --steps 999999999 --forces f.csv --vtk a.vti --csv old.csv",
        "run STAGE cavity --size 120 --tau 0.8 --steps 999999999 --every 2 --png a.png --vtk a.vti --quiet",
        "run STAGE bodies --size 40x30 --steps 999999999 --restart state.vti --checkpoint state.vti --save 1",
        "bench STAGE --sizes 8 --repeat 1000 --csv a.csv",
    };
    Call call;
    parse_call(&call, lines[random_below(5)]);
    Running running = start(&call);
    unsigned long sent = 0;
    for (int n = 1 + random_below(2); n > 0; n--) {
        const int number = some_signal();
        nanosleep(&(struct timespec){.tv_nsec = 1000L * random_below(random_below(2) ? 60000 : 3000)}, NULL);
        kill(running.pid, number);
        sent |= 1ul << number;
    }
    const Outcome o = finish(running);
    judge(c, &call, &o, sent);
}

#endif
