#include "check_exercise.h"

#include EXERCISE

static void expect_time(const char *pieces, const float *own, int count, int at_once, double expected)
{
    const double got = time_of(own, count, at_once);
    if (!(fabs(got - expected) <= 1e-3))
        wrong("%s, %d at a time: expected %g planes, got %g", pieces, at_once, expected, got);
}

void check(void)
{
    static const float falling[] = {20, 12, 10, 8, 8, 6, 4, 4}, rising[] = {4, 4, 6, 8, 8, 10, 12, 20};
    static const float first_long[] = {13, 1, 1, 1}, last_short[] = {9, 30, 2}, one[] = {100.5};
    static float many[400];
    for (int n = 0; n < 400; n++)
        many[n] = (float)(n % 5);

    part("TODO(1)", "a piece takes its own planes and the extra ones");
    expect_time("one piece of 100.5", one, 1, 1, 107.5);
    expect_time("one piece of 100.5", one, 1, 3, 107.5);
    expect_time("no piece", one, 0, 3, 0.0);
    part("TODO(1)",
         "a piece begins where a multiprocessor is free first, not where it is the next one's turn");
    expect_time("pieces of 13, 1, 1 and 1", first_long, 4, 2, 24.0);
    expect_time("eight pieces from 20 down to 4", falling, 8, 3, 45.0);
    part("TODO(1)",
         "the launch ends with the piece that ends last, which need not be the last one of the list");
    expect_time("pieces of 9, 30 and 2", last_short, 3, 3, 37.0);
    part("TODO(1)", "pieces begin in the order of the list");
    expect_time("eight pieces from 4 up to 20", rising, 8, 3, 53.0);
    expect_time("eight pieces from 4 up to 20", rising, 8, 1, 128.0);
    part("TODO(1)", "all multiprocessors take part, and no others");
    expect_time("400 pieces of 0 to 4", many, 400, 132, 33.0);
    expect_time("400 pieces of 0 to 4", many, 400, MOST_AT_ONCE, 20.0);
}
