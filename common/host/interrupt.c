#include "host/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t deferred, received, asked;
static pthread_t main_thread;

void end_by_signal(int number)
{
    sigset_t this_one;
    clean_up();
    signal(number, SIG_DFL);
    sigemptyset(&this_one);
    sigaddset(&this_one, number);
    pthread_sigmask(SIG_UNBLOCK, &this_one, NULL);
    raise(number);
    _exit(128 + number); // process 1, as in a container, is not ended by what a signal does by default
}

static void on_signal(int number)
{
    if (!pthread_equal(pthread_self(), main_thread)) { // one of CUDA's: only the main one blocks signals
        pthread_kill(main_thread, number);
        return;
    }
    if (deferred && number == SIGPIPE) {
        ask_for_end(128 + number);
        return;
    }
    if (received && number == SIGHUP)
        return;
    if (deferred && !received && (number == SIGINT || number == SIGTERM || number == SIGHUP)) {
        received = number;
        ask_for_end(128 + number);
        return;
    }
    end_by_signal(number);
}

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

int signals_are_deferred(void)
{
    return deferred;
}

void ask_for_end(int exit_code)
{
    if (!asked)
        asked = exit_code;
}

void pass_on_signal(int number)
{
    if (deferred)
        ask_for_end(128 + number);
    else
        end_by_signal(number);
}

int stop_code(void)
{
    return asked;
}
