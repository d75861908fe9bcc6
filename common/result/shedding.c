#include "result/shedding.h"

#include <math.h>

static void add(Summary *summary, double value, size_t count)
{
    summary->mean += value / (double)count;
    summary->min = fmin(summary->min, value);
    summary->max = fmax(summary->max, value);
}

/** Sets mean, extrema and limits from the samples first .. last - 1. */
static void sum_up_part(Shedding *s, const Force *sample, size_t first, size_t last)
{
    const Summary empty = {NAN, 0.0, HUGE_VAL, -HUGE_VAL};
    s->drag = s->lift = s->side = empty;
    for (size_t n = first; n < last; n++) {
        add(&s->drag, sample[n].drag, last - first);
        add(&s->lift, sample[n].lift, last - first);
        add(&s->side, sample[n].side, last - first);
    }
    s->from = sample[first].step;
    s->to = sample[last - 1].step;
}

/** Upward crossings of the mean lift, each after a clear low. */
typedef struct {
    size_t first, last;   /**< the samples that follow the first and the last one */
    double begin, end;    /**< their times, linear between two samples */
    int periods;          /**< between them */
    double short_, long_; /**< the shortest and the longest */
} Crossings;

static Crossings find_crossings(const Shedding *s, const Force *sample, size_t first, size_t count)
{
    const double mean = s->lift.mean, low = mean - 0.25 * (s->lift.max - s->lift.min);
    Crossings c = {.periods = -1, .short_ = HUGE_VAL};
    int was_low = 0;
    for (size_t n = first + 1; n < count; n++) {
        was_low = was_low || sample[n - 1].lift < low;
        if (!was_low || sample[n].lift < mean)
            continue;
        const double rise = sample[n].lift - sample[n - 1].lift, over = sample[n].lift - mean;
        const double time = sample[n].step - (sample[n].step - sample[n - 1].step) * over / rise;
        if (++c.periods == 0) {
            c.first = n;
            c.begin = time;
        } else {
            c.short_ = fmin(c.short_, time - c.end);
            c.long_ = fmax(c.long_, time - c.end);
        }
        c.last = n;
        c.end = time;
        was_low = 0;
    }
    return c;
}

Shedding sum_up(const Force *sample, size_t count)
{
    Shedding s = {.period = NAN};
    const size_t half = count / 2;
    sum_up_part(&s, sample, half, count);
    if (s.lift.max - s.lift.min > 2e-3) {
        const Crossings c = find_crossings(&s, sample, half, count);
        if (c.periods >= 2 && c.last - c.first >= 10 * (size_t)c.periods && c.long_ <= 1.1 * c.short_) {
            sum_up_part(&s, sample, c.first, c.last);
            s.periods = c.periods;
            s.period = (c.end - c.begin) / c.periods;
        }
    }
    s.drag.last = sample[count - 1].drag;
    s.lift.last = sample[count - 1].lift;
    s.side.last = sample[count - 1].side;
    return s;
}
