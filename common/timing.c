#include "timing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24 };

static const double redraw_interval = 0.1; // seconds

static int bar_is_shown;

double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double mlups(int width, int height, double steps, double seconds)
{
    return seconds > 0.0 ? (double)width * height * steps / seconds / 1e6 : 0.0;
}

Statistics statistics(const double *samples, int count)
{
    Statistics s = {0.0, samples[0], samples[0], NAN};
    for (int n = 0; n < count; n++) {
        s.mean += samples[n] / count;
        s.min = fmin(s.min, samples[n]);
        s.max = fmax(s.max, samples[n]);
    }
    double squares = 0.0;
    for (int n = 0; n < count; n++)
        squares += (samples[n] - s.mean) * (samples[n] - s.mean);
    if (count > 1)
        s.variation = sqrt(squares / (count - 1)) / s.mean;
    return s;
}

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

void show_progress(int width, int height, double done, double total, double seconds)
{
    static double shown_at;
    if (!isatty(STDERR_FILENO) || (bar_is_shown && now() - shown_at < redraw_interval))
        return;
    shown_at = now();
    bar_is_shown = 1;

    char bar[BAR_WIDTH + 1] = "", left[TIME_SIZE];
    const double share = total > 0.0 ? done / total : 1.0;
    for (int n = 0; n < BAR_WIDTH; n++)
        bar[n] = n < (int)(share * BAR_WIDTH) ? '#' : '.';
    format_time(left, seconds / done * (total - done));
    fprintf(stderr, "\r\033[K%3d%% [%s] %.1f MLUPS, %s left", (int)(100.0 * share), bar,
            mlups(width, height, done, seconds), left);
    fflush(stderr);
}

void clear_progress(void)
{
    if (bar_is_shown)
        fputs("\r\033[K", stderr);
    bar_is_shown = 0;
}
