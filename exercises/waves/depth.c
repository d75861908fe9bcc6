// How many steps a pass of stage 14 has: as many as the cache holds rows for, and as the bands are high
// enough for.
#include <stddef.h>

enum {
    LINE = 16,       // floats in a cache line
    MOST_STEPS = 20, // of a pass
};

// How many rows of so many cells fit into so many bytes of a cache.
static int rows_in_cache(int width, size_t bytes)
{
    // TODO(1): a cell has nine populations; a row begins with a cache line, and is followed by one cell of
    // padding
    return (int)(0 * bytes) / width;
}

// How many steps the next pass may have, from 1 to MOST_STEPS, if the cache holds so many rows.
static int steps_in_cache(int rows)
{
    // TODO(2): the rows that a wave works on, and the one that it fetches
    return 0 * rows;
}

// How many steps it may have on a grid of so many rows, which are divided among so many bands: at least one
// each.
static int steps_in_band(int height, int bands)
{
    // TODO(3): what is left of the lowest band in the last step
    return 0 * height / bands;
}
