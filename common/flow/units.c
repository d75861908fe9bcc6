#include "flow/units.h"

#include <limits.h>
#include <math.h>

static const double tolerance = 1e-9; // of a limit, relative
static const double roundoff = 1e-12; // less than that, and more than all that rounding adds up to

double most_cell_re(void)
{
    return find_flow("cavity")->largest_cell_re;
}

int exceeds(double number, double limit)
{
    return !(number <= limit * (1.0 + tolerance));
}

double slip_at_walls(double tau, double cells)
{
    return (16.0 / 3.0 * (tau - 0.5) * (tau - 0.5) - 1.0) / (cells * cells);
}

LatticeFlow on_lattice(const MeasuredFlow *flow, double cells, double u)
{
    LatticeFlow l = {.re = flow->speed * flow->length / flow->viscosity, .cells = cells, .u = u};
    l.nu = u * cells / l.re;
    l.tau = relaxation_time(u, cells, l.re);
    l.mach = sqrt(3.0) * u;
    l.cell_re = l.re / cells;
    l.slip = slip_at_walls(l.tau, cells);
    l.dx = flow->length / cells;
    l.dt = u * l.dx / flow->speed;
    return l;
}

/* ---- Limits ---- */

Limit limit_of(const LatticeFlow *l, LimitedNumber number)
{
    const Limit limits[LIMIT_COUNT] = {
        {"cells",   l->cells,   least_cells,    1},
        {"u",       l->u,       most_u,         0},
        {"tau",     l->tau,     least_tau,      1},
        {"cell Re", l->cell_re, most_cell_re(), 0},
        {"slip",    l->slip,    most_slip,      0},
    };
    return limits[number];
}

int is_kept(const Limit *limit)
{
    return limit->is_least ? !exceeds(limit->limit, limit->number) : !exceeds(limit->number, limit->limit);
}

int fits_a_run(const LatticeFlow *l, char reason[REASON_SIZE])
{
    const int side = (int)fmin(l->cells, INT_MAX - 2) + 2; // of which two are walls
    return can_run(find_flow("cavity"), (Parameters){.width = side, .height = side, .re = l->re, .u = l->u},
                   reason);
}

int is_good_for_a_run(const LatticeFlow *l)
{
    char reason[REASON_SIZE];
    for (LimitedNumber n = 0; n < LIMIT_COUNT; n++) {
        const Limit limit = limit_of(l, n);
        if (!is_kept(&limit))
            return 0;
    }
    return fits_a_run(l, reason);
}

/* ---- Numbers that are good ---- */

/** The smallest integer that is not below a number, but for roundoff. */
static double integer_from(double number)
{
    return ceil(number * (1.0 - roundoff));
}

double round_down(double number)
{
    const double unit = pow(10.0, floor(log10(number)) - 2.0);
    return floor(number / unit * (1.0 + roundoff)) * unit;
}

double round_up(double number)
{
    const double unit = pow(10.0, floor(log10(number)) - 2.0);
    return integer_from(number / unit) * unit;
}

double most_cells_a_side(void)
{
    return floor(sqrt((double)most_cells)) - 2.0;
}

double fewest_cells(double re)
{
    return fmax(integer_from(re / most_cell_re()), least_cells);
}

double fewest_cells_for_tau(double re, double u)
{
    return integer_from((least_tau - 0.5) / 3.0 * re / u);
}

double slowest_u(double re, double cells)
{
    return round_up(fmax((least_tau - 0.5) / 3.0 * re / cells, least_speed()));
}

double fastest_u(double re, double cells)
{
    const double most_tau = 0.5 + sqrt(3.0 / 16.0 * (1.0 + most_slip * cells * cells));
    return round_down(fmin(most_u, (most_tau - 0.5) / 3.0 * re / cells));
}
