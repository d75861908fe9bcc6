#include "interrupt.h"

#include "output_file.h"
#include "screen.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t received;

static void on_signal(int number)
{
    if (received) {
        restore_screen();
        discard_output();
        signal(number, SIG_DFL);
        raise(number);
    }
    received = number;
}

void catch_signals(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (int n = 0; n < 3; n++) {
        struct sigaction action;
        sigaction(numbers[n], NULL, &action);
        if (action.sa_handler == SIG_IGN)
            continue;
        action = (struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigaction(numbers[n], &action, NULL);
    }
}

int stop_signal(void)
{
    return received;
}
