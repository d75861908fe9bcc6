#include "output/screen.h"

#include "host/fail.h"
#include "host/standard_output.h"
#include "output/text_picture.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static volatile sig_atomic_t is_open;

/** Past stdio, which no signal handler may use. */
static void send(const char *sequence)
{
    const ssize_t sent = write(STDOUT_FILENO, sequence, strlen(sequence));
    (void)sent; // a terminal that has gone away needs no care
}

static void enter(void)
{
    send("\033[?1049h\033[?25l\033[2J"); // other screen, no cursor, blank
}

static void leave(void)
{
    send("\033[0m\033[?25h\033[?1049l");
}

static void on_stop(int number)
{
    (void)number;
    const int error = errno;
    if (is_open)
        leave();
    raise(SIGSTOP);
    if (is_open)
        enter();
    errno = error;
}

void open_screen(void)
{
    add_cleanup(restore_screen);
    atexit(restore_screen);
    sigaction(SIGTSTP, &(struct sigaction){.sa_handler = on_stop, .sa_flags = SA_RESTART}, NULL);
    flush_standard_output();
    is_open = 1;
    enter();
}

void restore_screen(void)
{
    if (is_open)
        leave();
    is_open = 0;
}

void show_frame(const Snapshot *result, Field field, Slice slice, const char *text)
{
    struct winsize window;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col < 1 || window.ws_row < 2)
        window = (struct winsize){.ws_col = 80, .ws_row = 24};
    printf("\033[H");
    draw(stdout, window.ws_col, window.ws_row - 1, result, field, slice);
    printf("\033[J\033[%d;1H%.*s", window.ws_row, window.ws_col, text); // blank below, then the last row
    flush_standard_output();
}
