// Where the kernel of int_overflow looks for populations of grids far larger than this machine's memory: an
// index function needs no memory to be called.
#include SOLVER

#include <stdio.h>

int main(void)
{
    const size_t sides[] = {4096, 16384, 32768};
    int failed = 0;
    for (int n = 0; n < 3; n++) {
        const size_t cells = sides[n] * sides[n], expected = at(cells - 1, 8, cells);
        const long long got = place((int)cells - 1, 8, (int)cells);
        printf("%5zu x %5zu cells, the last population of the last one: expected place %zu, got %lld\n",
               sides[n], sides[n], expected, got);
        failed |= got != (long long)expected;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
