#include "interrupt.h"

#include "output_file.h"
#include "screen.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

/** What ends a program by default: sent from outside, or for its own mistakes. */
static const int deadly[] = {SIGHUP,  SIGINT,  SIGTERM, SIGQUIT, SIGPIPE,   SIGALRM,
                             SIGUSR1, SIGUSR2, SIGXCPU, SIGPROF, SIGVTALRM, SIGABRT,
                             SIGBUS,  SIGFPE,  SIGILL,  SIGSEGV, SIGSYS,    SIGTRAP};

static volatile sig_atomic_t deferred, received;
static pthread_t main_thread;

static void on_signal(int number)
{
    if (!pthread_equal(pthread_self(), main_thread)) { // one of CUDA's: only the main one blocks signals
        pthread_kill(main_thread, number);
        return;
    }
    if (received && (number == SIGHUP || number == SIGPIPE))
        return;
    if (deferred && !received && (number == SIGINT || number == SIGTERM || number == SIGHUP)) {
        received = number;
        return;
    }
    restore_screen();
    discard_output();
    signal(number, SIG_DFL);
    raise(number); // is blocked until this handler returns
}

void catch_signals(void)
{
    main_thread = pthread_self();
    for (size_t n = 0; n < sizeof deadly / sizeof *deadly; n++) {
        struct sigaction action;
        sigaction(deadly[n], NULL, &action);
        if (action.sa_handler != SIG_DFL)
            continue;
        action = (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigfillset(&action.sa_mask);
        sigaction(deadly[n], &action, NULL);
    }
}

void defer_signals(void)
{
    deferred = 1;
}

int stop_signal(void)
{
    return received;
}
