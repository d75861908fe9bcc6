#include "program/progress.h"

#include "host/clock.h"
#include "host/fail.h"
#include "host/standard_output.h"
#include "speed/speed.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };

static const double redraw_interval = 0.1; // seconds

static volatile sig_atomic_t bar_is_shown;

void format_time(char text[TIME_SIZE], double seconds)
{
    if (!(seconds >= 0.0 && seconds < 3.6e8)) {
        strcpy(text, "?");
        return;
    }
    const int s = (int)(seconds + 0.5);
    if (s < 3600)
        snprintf(text, TIME_SIZE, "%d:%02d", s / 60, s % 60);
    else
        snprintf(text, TIME_SIZE, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
}

void show_progress(double cells, double done, double total, double seconds)
{
    static double shown_at;
    if (!is_terminal(STDERR_FILENO) || (bar_is_shown && now() - shown_at < redraw_interval))
        return;
    shown_at = now();
    add_cleanup(clear_progress);
    bar_is_shown = 1;

    char bar[BAR_WIDTH + 1] = "", left[TIME_SIZE];
    const double share = total > 0.0 ? done / total : 1.0;
    for (int n = 0; n < BAR_WIDTH; n++)
        bar[n] = n < (int)(share * BAR_WIDTH) ? '#' : '.';
    format_time(left, seconds / done * (total - done));
    fprintf(stderr, "\r\033[K%3d%% [%s] %.1f MLUPS, %s left", (int)(100.0 * share), bar,
            mlups(cells, done, seconds), left);
    fflush(stderr);
}

void clear_progress(void)
{
    if (bar_is_shown && write(STDERR_FILENO, "\r\033[K", 4) < 0)
        return; // nobody sees it
    bar_is_shown = 0;
}
