/**
 * @file solutions.h
 * Flows at all times: what they start with, and what is known of them. Host and device code.
 */
#pragma once

#include "flow/scenario.h"

#include <math.h>

/** The numbers of a flow that its solutions depend on; small enough to be passed by value. */
typedef struct {
    Physics physics;
    double u, nu; /**< as of Scenario */
} Constants;

static const double pi = 3.14159265358979323846;

/** A flow at one place: density less 1, velocity, and the gradient of the velocity as in Gradient. */
typedef struct {
    double drho, u[3], du[3][3];
} Solved;

/** u(y) = F / (2 nu) (y - 1/2) (H - 3/2 - y): the walls lie half a cell outside the fluid. */
HOST_DEVICE Solved poiseuille_at(const Constants *c, Position at)
{
    const double half = c->physics.force_x / (2.0 * c->nu), below = at.y - 0.5,
                 above = c->physics.height - 1.5 - at.y;
    Solved flow = {.u = {half * below * above}};
    flow.du[0][1] = half * (above - below);
    return flow;
}

/** Krueger et al. 2017, appendix A.3, with the density that belongs to the pressure: 1 + 3 p. */
HOST_DEVICE Solved taylor_green_at(const Constants *c, double t, Position at)
{
    const double kx = 2.0 * pi / c->physics.width, ky = 2.0 * pi / c->physics.height;
    const double u = c->u * exp(-t * c->nu * (kx * kx + ky * ky));
    const double ux = -u * sqrt(ky / kx), uy = u * sqrt(kx / ky);
    const double cx = cos(kx * at.x), sx = sin(kx * at.x), cy = cos(ky * at.y), sy = sin(ky * at.y);
    const double p = -0.25 * u * u * (ky / kx * (cx * cx - sx * sx) + kx / ky * (cy * cy - sy * sy));
    Solved flow = {
        .drho = 3.0 * p, .u = {ux * cx * sy, uy * sx * cy}
    };
    flow.du[0][0] = -kx * ux * sx * sy;
    flow.du[0][1] = ky * ux * cx * cy;
    flow.du[1][0] = kx * uy * cx * cy;
    flow.du[1][1] = -ky * uy * sx * sy;
    return flow;
}

/** The stream, with a slight slant, so that a street of vortices can set in. */
HOST_DEVICE Solved slanted_stream_at(const Constants *c, Position at)
{
    const double kx = 2.0 * pi / c->physics.width, ky = pi / c->physics.height, slant = 0.02 * c->u;
    const double sx = sin(kx * at.x), sy = sin(ky * at.y);
    Solved flow = {
        .u = {c->u, slant * sx * sy}
    };
    flow.du[1][0] = slant * kx * cos(kx * at.x) * sy;
    flow.du[1][1] = slant * ky * sx * cos(ky * at.y);
    return flow;
}

/** The parabola at the inflow, everywhere. */
HOST_DEVICE Solved channel_stream_at(const Constants *c, Position at)
{
    const double d = at.y - c->physics.open_centre, curvature = c->physics.open_curvature;
    const double fastest = c->physics.open_x;
    Solved flow = {.u = {fastest * (1.0 - curvature * d * d)}};
    flow.du[0][1] = -2.0 * fastest * curvature * d;
    return flow;
}

/**
 * The solution of u'' = -1 over a rectangle that reaches from -a to a and from -b to b, 0 on its border: the
 * parabola between two walls less what the other two take (White 2006, Viscous Fluid Flow, eq. 3-48).
 */
HOST_DEVICE double duct_profile(double a, double b, double y, double z)
{
    double u = 0.5 * (a * a - y * y), sign = 1.0;
    const double away = b - fabs(z), scale = 0.5 * pi / a, amount = 16.0 * a * a / (pi * pi * pi);
    for (int n = 1; exp(-n * scale * away) > 1e-9 * n * n * n; n += 2, sign = -sign) {
        const double k = n * scale; // cosh(kz) / cosh(kb), which do not overflow
        const double ratio = exp(-k * away) * (1.0 + exp(-2.0 * k * fabs(z))) / (1.0 + exp(-2.0 * k * b));
        u -= sign * amount * ratio * cos(k * y) / (n * n * n);
    }
    return u;
}

/** The flow in a duct, without its gradient: none starts with it. */
HOST_DEVICE Solved duct_at(const Constants *c, Position at)
{
    const double a = 0.5 * (c->physics.height - 2), b = 0.5 * (c->physics.depth - 2);
    const double y = at.y - 0.5 * (c->physics.height - 1), z = at.z - 0.5 * (c->physics.depth - 1);
    const Solved flow = {.u = {c->physics.force_x / c->nu * duct_profile(a, b, y, z)}};
    return flow;
}

/** Vorticity is k times velocity, so that the waves only decay, and the pressure balances the kinetic energy
 * (Dombre et al. 1986, J. Fluid Mech. 167, 353): an exact solution in space. */
HOST_DEVICE Solved abc_at(const Constants *c, double t, Position at)
{
    const double k = 2.0 * pi / c->physics.width, fastest = c->u * exp(-t * c->nu * k * k);
    const double u = fastest / sqrt(6.0); // of one wave: at best both terms of all components are sqrt(1/2)
    const double sx = u * sin(k * at.x), sy = u * sin(k * at.y), sz = u * sin(k * at.z);
    const double cx = u * cos(k * at.x), cy = u * cos(k * at.y), cz = u * cos(k * at.z);
    const double ux = sz + cy, uy = sx + cz, uz = sy + cx;
    Solved flow = {
        .drho = 4.5 * u * u - 1.5 * (ux * ux + uy * uy + uz * uz), .u = {ux, uy, uz}
    };
    flow.du[0][1] = -k * sy;
    flow.du[0][2] = k * cz;
    flow.du[1][0] = k * cx;
    flow.du[1][2] = -k * sz;
    flow.du[2][0] = -k * sx;
    flow.du[2][1] = k * cy;
    return flow;
}

/** Brachet et al. 1983, J. Fluid Mech. 130, 411, with the pressure of that velocity. */
HOST_DEVICE Solved vortices_at(const Constants *c, Position at)
{
    const double k = 2.0 * pi / c->physics.width, u = c->u;
    const double sx = sin(k * at.x), sy = sin(k * at.y), sz = sin(k * at.z);
    const double cx = cos(k * at.x), cy = cos(k * at.y), cz = cos(k * at.z);
    const double p = u * u / 16.0 * (cx * cx - sx * sx + cy * cy - sy * sy) * (cz * cz - sz * sz + 2.0);
    Solved flow = {
        .drho = 3.0 * p, .u = {u * sx * cy * cz, -u * cx * sy * cz}
    };
    flow.du[0][0] = k * u * cx * cy * cz;
    flow.du[0][1] = -k * u * sx * sy * cz;
    flow.du[0][2] = -k * u * sx * cy * sz;
    flow.du[1][0] = k * u * sx * sy * cz;
    flow.du[1][1] = -k * u * cx * cy * cz;
    flow.du[1][2] = k * u * cx * sy * sz;
    return flow;
}

/** Between two walls that move opposite ways, half a cell outside the fluid. */
HOST_DEVICE Solved shear_at(const Constants *c, Position at)
{
    const double rate = 2.0 * c->u / (c->physics.height - 2);
    Solved flow = {.u = {rate * (at.y - 0.5 * (c->physics.height - 1))}};
    flow.du[0][1] = rate;
    return flow;
}

/** The flow of a solution; NONE is at rest. */
HOST_DEVICE Solved solve_at(Solution solution, const Constants *c, double t, Position at)
{
    const Solved rest = {.drho = 0.0};
    switch (solution) {
    case PARABOLA:
        return poiseuille_at(c, at);
    case DECAYING_VORTICES:
        return taylor_green_at(c, t, at);
    case SLANTED_STREAM:
        return slanted_stream_at(c, at);
    case CHANNEL_STREAM:
        return channel_stream_at(c, at);
    case DUCT_PROFILE:
        return duct_at(c, at);
    case ABC_WAVES:
        return abc_at(c, t, at);
    case VORTICES_IN_SPACE:
        return vortices_at(c, at);
    case SHEAR:
        return shear_at(c, at);
    default:
        return rest;
    }
}

/** Its density and velocity. */
HOST_DEVICE Moments moments_of(const Solved *flow)
{
    const Moments m = {(Real)flow->drho, (Real)flow->u[0], (Real)flow->u[1], (Real)flow->u[2]};
    return m;
}

/** The gradient of its velocity. */
HOST_DEVICE Gradient gradient_of(const Solved *flow)
{
    Gradient g;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            g.u[a][b] = (Real)flow->du[a][b];
    return g;
}
