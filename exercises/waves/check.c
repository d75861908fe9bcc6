#include "check_exercise.h"

#include EXERCISE

/** A cell has nine floats. */
enum { CELL_BYTES = 36 };

static void expect_rows(int width, size_t bytes, int expected)
{
    const int got = rows_in_cache(width, bytes);
    if (got != expected)
        wrong("rows of %d cells in %zu bytes: expected %d, got %d", width, bytes, expected, got);
}

static void expect_steps_in_cache(int rows, int expected)
{
    const int got = steps_in_cache(rows);
    if (got != expected)
        wrong("steps for which a cache of %d rows is large enough: expected %d, got %d", rows, expected, got);
}

static void expect_steps_in_band(int height, int bands, int expected)
{
    const int got = steps_in_band(height, bands);
    if (got != expected)
        wrong("steps for which bands are high enough, %d rows in %d bands: expected %d, got %d", height,
              bands, expected, got);
}

void check(void)
{
    part("TODO(1)",
         "nine floats for each cell of a row and its padding; what does not fit whole does not count");
    expect_rows(15, 10 * 16 * CELL_BYTES, 10);
    expect_rows(15, 10 * 16 * CELL_BYTES - 1, 9);
    expect_rows(4096, 100, 0);
    part("TODO(1)", "how many floats lie between the beginnings of two rows, if each begins with a line?");
    expect_rows(10, 10 * 16 * CELL_BYTES, 10);
    expect_rows(1000, (size_t)1 << 20, 28);
    part("TODO(1)", "does the cell of padding still fit into the last line?");
    expect_rows(16, 10 * 32 * CELL_BYTES, 10);
    expect_rows(4096, (size_t)3 << 19, 10);
    expect_rows(8000, (size_t)1 << 31, 7441);

    part("TODO(2)", "in a wave of n steps, n rows are at work, and a row before them is fetched");
    expect_steps_in_cache(10, 9);
    expect_steps_in_cache(3, 2);
    part("TODO(2)", "a pass has at least one step, in whatever cache, and never more than MOST_STEPS");
    expect_steps_in_cache(1, 1);
    expect_steps_in_cache(0, 1);
    expect_steps_in_cache(MOST_STEPS + 1, MOST_STEPS);
    expect_steps_in_cache(7441, MOST_STEPS);

    part("TODO(3)",
         "each step but the first one leaves out a row more at either end, and a row must be left");
    expect_steps_in_band(9, 1, 5);
    expect_steps_in_band(10, 1, 5);
    expect_steps_in_band(1, 1, 1);
    expect_steps_in_band(4096, 2, 1024);
    part("TODO(3)", "if bands differ by a row, the lowest one decides");
    expect_steps_in_band(300, 64, 2);
    expect_steps_in_band(19, 10, 1);
}
