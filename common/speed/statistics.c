#include "speed/statistics.h"

#include <math.h>

double mlups(double cells, double steps, double seconds)
{
    return seconds > 0.0 ? cells * steps / seconds / 1e6 : 0.0;
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
