#include "interrupt.h"

#include "fail.h"
#include "output_file.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>

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
    prepare_for_the_end();
    discard_output();
    signal(number, SIG_DFL);
    raise(number); // is blocked until this handler returns
}

/** Whether a signal does not end a program by default. */
static int is_harmless(int number)
{
    const int harmless[] = {SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH};
    int found = 0;
    for (size_t n = 0; n < sizeof harmless / sizeof *harmless; n++)
        found |= harmless[n] == number;
    return found;
}

void catch_signals(void)
{
    main_thread = pthread_self();
    signal(SIGXFSZ, SIG_IGN); // a file over the user's limit is to be an error, not the end
    for (int number = 1; number <= SIGRTMAX; number++) {
        struct sigaction action;
        if (is_harmless(number) || sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
            continue;
        action = (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigfillset(&action.sa_mask);
        sigaction(number, &action, NULL);
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
