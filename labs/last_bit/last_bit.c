// Prints what the last bit of two constants does to the momentum: 1/3 and 1/12, which it is multiplied by in
// each collision. As in pairs.h, a term of its own holds the momentum, and only that is multiplied by them.
#include "host/allocate.h"
#include "lattice/d2q9.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI  3.14159265358979323846
#define TAU 0.51
enum { SIZE = 256, FIRST = 200, STEPS = 300 };

/** The sine of x cells, of which SIZE are a period. */
static double wave(int x)
{
    static double table[SIZE];
    if (table[1] == 0.0)
        for (int n = 0; n < SIZE; n++)
            table[n] = sin(2.0 * PI * n / SIZE);
    return table[x % SIZE];
}

#define NUMBER double
#include "vortices.h"
#undef NUMBER
#define NUMBER float
#include "vortices.h"

int main(void)
{
    static const struct {
        const char *name;
        float axis, diagonal;
    } forms[] = {
        {"nearest", 1.0f / 3.0f,   1.0f / 12.0f },
        {"sum_1",   0x1.555556p-2, 0x1.555554p-4},
        {"short",   0x1.55554p-2,  0x1.55558p-4 },
    };
    static const double speeds[] = {0.013, 0.02, 0.03};
    puts("# build/last_bit: decaying vortices on 256 x 256 cells at tau 0.51 in float, where they lose "
         "4e-6 of their");
    puts("# momentum in a step. axis, diagonal: 3 w_i; sum: of 3 w_i e_ix e_ix, less 1");
    puts("# growth: what the momentum grows by in a step, relative, beyond the run with 1/3 and 1/12 in "
         "double precision,");
    puts("# where these constants are all that is wrong, and where all numbers are floats");
    puts("form,axis,diagonal,sum,speed,growth_in_double,growth_in_float");
    for (int k = 0; k < 3; k++) {
        const double exact = growth_with_double(speeds[k], 1.0 / 3.0, 1.0 / 12.0);
        for (int n = 0; n < 3; n++) {
            const float axis = forms[n].axis, diagonal = forms[n].diagonal;
            printf("%s,%a,%a,%.1e,%g,%.0e,%.0e\n", forms[n].name, (double)axis, (double)diagonal,
                   2.0 * axis + 4.0 * diagonal - 1.0, speeds[k],
                   growth_with_double(speeds[k], axis, diagonal) - exact,
                   growth_with_float(speeds[k], axis, diagonal) - exact);
        }
    }
    return 0;
}
