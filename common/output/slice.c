#include "output/slice.h"

#include <stdio.h>

Slice middle_slice(const Scenario *s)
{
    return (Slice){2, s->depth / 2};
}

int slice_width(const Scenario *s, Slice slice)
{
    return side_of(s, slice.axis == 0);
}

int slice_height(const Scenario *s, Slice slice)
{
    return side_of(s, slice.axis == 2 ? 1 : 2);
}

Position in_slice(Slice slice, int x, int y)
{
    const int n = slice.at;
    return slice.axis == 0   ? (Position){n, x, y}
           : slice.axis == 1 ? (Position){x, n, y}
                             : (Position){x, y, n};
}

void describe_slice(const Scenario *s, Slice slice, char text[SLICE_TEXT])
{
    *text = '\0';
    if (is_in_space(s))
        snprintf(text, SLICE_TEXT, "%c = %d, %s", "xyz"[slice.axis], slice.at,
                 slice.axis == 0   ? "z over y"
                 : slice.axis == 1 ? "z over x"
                                   : "y over x");
}
