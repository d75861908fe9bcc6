/**
 * @file drift.h
 * Whether rounding adds up: what collisions in space add to mass and momentum of cells that hardly differ.
 */
#ifndef DRIFT_H
#define DRIFT_H

#include "lattice/d3q19.h"

#include "check.h"

enum { SIMILAR_CELLS = 4096, SPEEDS = 24 };

static const Physics nearly_inviscid = {.width = 5, .height = 4, .omega = (Real)(1.0 / 0.51), .depth = 3};

/** A small reproducible number, another one in each call: up to 1e-4 up or down. */
static inline float small_number(void)
{
    static uint32_t number;
    number = number * 1664525u + 1013904223u;
    return 1e-4f * ((float)(number >> 8) / (1 << 23) - 1.0f);
}

/** Sets f[cell][19] to fluid that moves along an axis, with small differences. */
static inline void similar_cells(float *f, int axis, float speed)
{
    for (int cell = 0; cell < SIMILAR_CELLS; cell++) {
        float u[3] = {0.0f};
        u[axis] = speed * (1.0f + small_number());
        for (int i = 0; i < 19; i++)
            f[19 * cell + i] = equilibrium(i, 0.0f, u[0], u[1], u[2]) * (1.0f + small_number());
    }
}

/** Adds to *mass what f[cell][19] sum up to, and to *momentum what they do along an axis. */
static inline void add_sums(double *mass, double *momentum, const float *f, int axis, double factor)
{
    for (int n = 0; n < 19 * SIMILAR_CELLS; n++) {
        const int e[3] = {ex(n % 19), ey(n % 19), ez(n % 19)};
        *mass += factor * f[n];
        *momentum += factor * e[axis] * f[n];
    }
}

/**
 * Collides cells f[SIMILAR_CELLS][19] at many speeds. Expects that this adds to the momentum at most 3e-9 of
 * itself, root mean square, and to the mass at most 6e-9 u^2 in the mean.
 */
static inline void expect_no_drift(void (*collide_all)(float *f, const Physics *physics))
{
    static float f[19 * SIMILAR_CELLS];
    for (int axis = 0; axis < 3; axis++) {
        double squares = 0.0, mass = 0.0;
        for (int n = 0; n < SPEEDS; n++) {
            const double speed = 0.01 * pow(10.0, (n + 0.5) / SPEEDS);
            double more_mass = 0.0, more_momentum = 0.0;
            similar_cells(f, axis, (float)speed);
            add_sums(&more_mass, &more_momentum, f, axis, -1.0);
            collide_all(f, &nearly_inviscid);
            add_sums(&more_mass, &more_momentum, f, axis, 1.0);
            squares += pow(more_momentum / (SIMILAR_CELLS * speed), 2.0) / SPEEDS;
            mass += more_mass / (SIMILAR_CELLS * speed * speed) / SPEEDS;
        }
        const double momentum = sqrt(squares);
        EXPECT(momentum <= 3e-9);
        EXPECT(fabs(mass) <= 6e-9);
        if (!(momentum <= 3e-9 && fabs(mass) <= 6e-9))
            printf("axis %d: a collision adds %.1e of the momentum, %.1e u^2 of mass\n", axis, momentum,
                   mass);
    }
}

#endif
