#include "units.h"

#include "scenario.h"

#include <math.h>

double most_cell_re(void)
{
    return find_flow("cavity")->largest_cell_re;
}

double slip_at_walls(double tau, double cells)
{
    return (16.0 / 3.0 * (tau - 0.5) * (tau - 0.5) - 1.0) / (cells * cells);
}

LatticeFlow on_lattice(const MeasuredFlow *flow, double cells, double u)
{
    LatticeFlow l = {.re = flow->speed * flow->length / flow->viscosity, .cells = cells, .u = u};
    l.nu = u * cells / l.re;
    l.tau = 0.5 + 3.0 * l.nu;
    l.mach = sqrt(3.0) * u;
    l.cell_re = l.re / cells;
    l.slip = slip_at_walls(l.tau, cells);
    l.dx = flow->length / cells;
    l.dt = u * l.dx / flow->speed;
    return l;
}

double fewest_cells(double re)
{
    return fmax(ceil(re / most_cell_re()), ceil(sqrt(1.0 / most_slip)));
}

double round_down(double number)
{
    const double unit = pow(10.0, floor(log10(number)) - 2.0);
    return floor(number / unit) * unit;
}

double round_up(double number)
{
    const double unit = pow(10.0, floor(log10(number)) - 2.0);
    return ceil(number / unit) * unit;
}

double slowest_u(double re, double cells)
{
    return round_up((least_tau - 0.5) / 3.0 * re / cells);
}

double fastest_u(double re, double cells)
{
    const double most_tau = 0.5 + sqrt(3.0 / 16.0 * (1.0 + most_slip * cells * cells));
    return round_down(fmin(most_mach / sqrt(3.0), (most_tau - 0.5) / 3.0 * re / cells));
}
