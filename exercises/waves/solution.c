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
    const int pitch = (width + 1 + LINE - 1) / LINE * LINE;
    return (int)(bytes / (9 * sizeof(float) * pitch));
}

// How many steps the next pass may have, from 1 to MOST_STEPS, if the cache holds so many rows.
static int steps_in_cache(int rows)
{
    const int steps = rows - 1;
    return steps < 1 ? 1 : steps > MOST_STEPS ? MOST_STEPS : steps;
}

// How many steps it may have on a grid of so many rows, which are divided among so many bands: at least one
// each.
static int steps_in_band(int height, int bands)
{
    const int lowest = height / bands;
    return (lowest + 1) / 2;
}
