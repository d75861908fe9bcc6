// How long a launch takes whose blocks are pieces of different cost, as stage 55 simulates it.

enum {
    MOST_AT_ONCE = 256, // pieces that may run at a time
    EXTRA = 7,          // planes that a piece takes in addition to its own
};

// When the last of `count` pieces ends, in planes, if a GPU runs `at_once` pieces at a time, from 1 to
// MOST_AT_ONCE. Piece n has the cost own[n] without the extra planes.
static float time_of(const float *own, int count, int at_once)
{
    float ends[MOST_AT_ONCE] = {0.0f}; // when each multiprocessor has ended its last piece so far
    float last = 0.0f;
    for (int n = 0; n < count; n++) {
        int first = 0;
        for (int k = 1; k < at_once; k++)
            if (ends[k] < ends[first])
                first = k;
        ends[first] += own[n] + EXTRA;
        last = ends[first] > last ? ends[first] : last;
    }
    return last;
}
