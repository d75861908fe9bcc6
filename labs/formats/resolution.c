// Prints what the formats can represent, from their definitions: how much they round a number at most, power
// of two by power of two. Or, with the word `populations`, how large populations are.
#include "definitions.h"

#include "host/fail.h"
#include "lattice/d2q9.h"
#include "simulation/simulation.h"
#include "stage/stages.h"

enum { LEAST = -20, MOST = 1, FORMATS = sizeof definitions / sizeof *definitions };

/** The binary digits that a format has between 2^exponent and twice that: minus the logarithm of the largest
 * relative error of rounding; with stochastic rounding a format errs twice as much. */
static double digits_at(const Definition *d, int exponent)
{
    const long double value = ldexpl(1.0L, exponent);
    const uint32_t code = code_below(d, value);
    if (code >= d->largest)
        return NAN;
    const long double above = value_by_digits(d, code + 1, d->bits),
                      below = value_by_digits(d, code, d->bits);
    const double digits = (double)log2l(2.0L * value / (above - below)) - (d->halves == AT_RANDOM);
    return digits > 0.0 ? digits : 0.0;
}

static void print_resolution(void)
{
    printf("# build/formats_resolution: minus the logarithm to base 2 of the largest relative error of "
           "rounding a\n"
           "# number from 2^exponent to twice that; 0: less than a digit is left; out: too large\nexponent");
    for (int n = 0; n < FORMATS; n++)
        printf(",%s", definitions[n].name);
    printf("\n");
    for (int exponent = LEAST; exponent <= MOST; exponent++) {
        printf("%d", exponent);
        for (int n = 0; n < FORMATS; n++) {
            const double digits = digits_at(&definitions[n], exponent);
            if (isnan(digits))
                printf(",out");
            else
                printf(",%g", digits);
        }
        printf("\n");
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { MOST_NUMBERS = 8 * 130 * 130, FLOWS = 3 };

static const struct {
    const char *name;
    Parameters parameters;
    int steps;
} flows_shown[FLOWS] = {
    {"cavity",       {.width = 130, .height = 130, .re = 1000.0, .u = 0.1}, 4000},
    {"taylor_green", {.width = 64, .height = 64, .tau = 1.0, .u = 0.25},    300 },
    {"poiseuille",   {.width = 1, .height = 64, .re = 10.0, .u = 0.1},      8000}
};

/** Magnitudes of all populations of fluid, the resting ones apart. */
static void print_populations(const Snapshot *r, int steps, int shifted)
{
    static double magnitude[MOST_NUMBERS];
    const Scenario *s = r->scenario;
    size_t count = 0;
    for (size_t cell = 0; cell < cell_count(s); cell++)
        for (int i = 1; i < DIRECTIONS && !is_wall(s->type[cell]); i++)
            magnitude[count++] = fabs((double)r->f[DIRECTIONS * cell + i] + (shifted ? 0.0 : weight(i)));
    qsort(magnitude, count, sizeof *magnitude, ascending);
    printf("%s,%s,%d,%.2f,%.2f,%.2f,%.2f\n", s->flow->name, shifted ? "yes" : "no", steps,
           log2(magnitude[count / 100]), log2(magnitude[count / 2]), log2(magnitude[count - 1 - count / 100]),
           log2(magnitude[count - 1]));
}

static void print_all_populations(void)
{
    const Stage *stage = parse_stage("fp32");
    Scenario s[FLOWS];
    Snapshot r[FLOWS];
    printf("# build/formats_resolution populations: how large populations 1 to 8 are, logarithms to base 2\n"
           "# percent_N: N of a hundred are smaller\n"
           "flow,shift,steps,percent_1,percent_50,percent_99,largest\n");
    for (int n = 0; n < FLOWS; n++) {
        s[n] = create_scenario(find_flow(flows_shown[n].name), flows_shown[n].parameters);
        r[n] = create_snapshot(&s[n]);
        Simulation *solver = begin_simulation(stage, &s[n], (Block){32, 8});
        advance_simulation(solver, flows_shown[n].steps);
        read_snapshot(&r[n], solver);
        end_simulation(solver);
    }
    for (int shifted = 1; shifted >= 0; shifted--)
        for (int n = 0; n < FLOWS; n++)
            print_populations(&r[n], flows_shown[n].steps, shifted);
    for (int n = 0; n < FLOWS; n++) {
        destroy_snapshot(&r[n]);
        destroy_scenario(&s[n]);
    }
}

int main(int argc, char **argv)
{
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "populations") != 0))
        fail(EXIT_USAGE, "\"%s\" is unknown; usage: formats_resolution [populations]", argv[argc - 1]);
    if (argc == 2)
        print_all_populations();
    else
        print_resolution();
    return EXIT_GOOD;
}
