/**
 * @file solutions.h
 * Flows at all times: what they start with, and what is known of them. Host and device code.
 */
#ifndef SOLUTIONS_H
#define SOLUTIONS_H

#include "flow/scenario.h"

#include <math.h>

/** The numbers of a flow that its solutions depend on; small enough to be passed by value. */
typedef struct {
    Physics physics;
    double u, nu; /**< as of Scenario */
} Constants;

static const double pi = 3.14159265358979323846;

/** u(y) = F / (2 nu) (y - 1/2) (H - 3/2 - y): the walls lie half a cell outside the fluid. */
HOST_DEVICE Moments poiseuille_at(const Constants *c, Position at)
{
    const double u = c->physics.force_x / (2.0 * c->nu) * (at.y - 0.5) * (c->physics.height - 1.5 - at.y);
    const Moments m = {1.0f, (Real)u, 0.0f, 0.0f};
    return m;
}

/** Krueger et al. 2017, appendix A.3, with the density that belongs to the pressure: 1 + 3 p. */
HOST_DEVICE Moments taylor_green_at(const Constants *c, double t, Position at)
{
    const double kx = 2.0 * pi / c->physics.width, ky = 2.0 * pi / c->physics.height;
    const double u = c->u * exp(-t * c->nu * (kx * kx + ky * ky));
    const double p = -0.25 * u * u * (ky / kx * cos(2.0 * kx * at.x) + kx / ky * cos(2.0 * ky * at.y));
    const Moments m = {
        (Real)(1.0 + 3.0 * p),
        (Real)(-u * sqrt(ky / kx) * cos(kx * at.x) * sin(ky * at.y)),
        (Real)(u * sqrt(kx / ky) * sin(kx * at.x) * cos(ky * at.y)),
        0.0f,
    };
    return m;
}

/** The stream, with a slight slant, so that a street of vortices can set in. */
HOST_DEVICE Moments slanted_stream_at(const Constants *c, Position at)
{
    const double slant = 0.02 * sin(2.0 * pi * at.x / c->physics.width) * sin(pi * at.y / c->physics.height);
    const Moments m = {1.0f, (Real)c->u, (Real)(slant * c->u), 0.0f};
    return m;
}

/** The parabola at the inflow, everywhere. */
HOST_DEVICE Moments channel_stream_at(const Constants *c, Position at)
{
    const double d = at.y - c->physics.open_centre;
    const double u = c->physics.open_x * (1.0 - c->physics.open_curvature * d * d);
    const Moments m = {1.0f, (Real)u, 0.0f, 0.0f};
    return m;
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

/** Density and velocity of the flow in a duct. */
HOST_DEVICE Moments duct_at(const Constants *c, Position at)
{
    const double a = 0.5 * (c->physics.height - 2), b = 0.5 * (c->physics.depth - 2);
    const double y = at.y - 0.5 * (c->physics.height - 1), z = at.z - 0.5 * (c->physics.depth - 1);
    const Moments m = {1.0f, (Real)(c->physics.force_x / c->nu * duct_profile(a, b, y, z)), 0.0f, 0.0f};
    return m;
}

/**
 * Vorticity is k times velocity, so that the waves only decay, and the pressure balances the kinetic energy
 * (Dombre et al. 1986, J. Fluid Mech. 167, 353): an exact solution of the Navier-Stokes equations in space.
 */
HOST_DEVICE Moments abc_at(const Constants *c, double t, Position at)
{
    const double k = 2.0 * pi / c->physics.width, fastest = c->u * exp(-t * c->nu * k * k);
    const double u = fastest / sqrt(6.0); // of one wave: at best both terms of all components are sqrt(1/2)
    const double ux = u * (sin(k * at.z) + cos(k * at.y)), uy = u * (sin(k * at.x) + cos(k * at.z)),
                 uz = u * (sin(k * at.y) + cos(k * at.x));
    const double p = 1.5 * u * u - 0.5 * (ux * ux + uy * uy + uz * uz);
    const Moments m = {(Real)(1.0 + 3.0 * p), (Real)ux, (Real)uy, (Real)uz};
    return m;
}

/** Brachet et al. 1983, J. Fluid Mech. 130, 411, with the pressure of that velocity. */
HOST_DEVICE Moments vortices_at(const Constants *c, Position at)
{
    const double k = 2.0 * pi / c->physics.width, x = k * at.x, y = k * at.y, z = k * at.z;
    const double p = c->u * c->u / 16.0 * (cos(2.0 * x) + cos(2.0 * y)) * (cos(2.0 * z) + 2.0);
    const Moments m = {
        (Real)(1.0 + 3.0 * p),
        (Real)(c->u * sin(x) * cos(y) * cos(z)),
        (Real)(-c->u * cos(x) * sin(y) * cos(z)),
        0.0f,
    };
    return m;
}

/** Density and velocity of a solution; NONE is at rest. */
HOST_DEVICE Moments solution_at(Solution solution, const Constants *c, double t, Position at)
{
    const Moments rest = {1.0f, 0.0f, 0.0f, 0.0f};
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
    default:
        return rest;
    }
}

#endif
