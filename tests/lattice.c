#include "lattice/lattice.h"

#include "check.h"
#include "lattice/d2q9.h"

static const Lattice *const lattices[] = {&d2q9, &d3q19};
enum { LATTICES = sizeof lattices / sizeof *lattices };

static const Physics plain = {.width = 5, .height = 4, .depth = 1, .omega = 1.25f};

TEST(the_name_counts_dimensions_and_directions)
{
    for (int n = 0; n < LATTICES; n++) {
        char name[32];
        snprintf(name, sizeof name, "D%dQ%d", lattices[n]->dimensions, lattices[n]->directions);
        EXPECT(strcmp(name, lattices[n]->name) == 0);
        EXPECT(lattices[n]->directions <= MOST_DIRECTIONS);
    }
}

/** Sum of weights times products of the components along these axes; -1 stands for a factor of 1. */
static double lattice_moment(const Lattice *lattice, Real (*weights)(int), const int axes[4])
{
    double result = 0.0;
    for (int i = 0; i < lattice->directions; i++) {
        double product = weights(i);
        for (int n = 0; n < 4; n++)
            product *= axes[n] < 0 ? 1 : lattice->e(i, axes[n]);
        result += product;
    }
    return result;
}

static double delta(int a, int b)
{
    return a == b;
}

TEST(weights_are_isotropic_to_fourth_order)
{
    for (int n = 0; n < LATTICES; n++) {
        const Lattice *l = lattices[n];
        EXPECT_NEAR(lattice_moment(l, l->weight, (int[]){-1, -1, -1, -1}), 1.0, 1e-7);
        EXPECT_NEAR(lattice_moment(l, l->weight_over_cs2, (int[]){-1, -1, -1, -1}), 3.0, 1e-6);
        for (int a = 0; a < l->dimensions; a++)
            for (int b = 0; b < l->dimensions; b++) {
                EXPECT_NEAR(lattice_moment(l, l->weight, (int[]){a, -1, -1, -1}), 0.0, 1e-7);
                EXPECT_NEAR(lattice_moment(l, l->weight, (int[]){a, b, -1, -1}), delta(a, b) / 3.0, 1e-7);
                for (int c = 0; c < l->dimensions; c++)
                    for (int d = 0; d < l->dimensions; d++)
                        EXPECT_NEAR(lattice_moment(l, l->weight, (int[]){a, b, c, d}),
                                    (delta(a, b) * delta(c, d) + delta(a, c) * delta(b, d) +
                                     delta(a, d) * delta(b, c)) /
                                        9.0,
                                    1e-7);
            }
    }
}

TEST(an_equilibrium_has_its_moments)
{
    for (int n = 0; n < LATTICES; n++) {
        const Moments given = {0.02f, 0.03f, -0.05f, lattices[n]->dimensions == 3 ? 0.04f : 0.0f};
        Real f[MOST_DIRECTIONS];
        lattices[n]->equilibrium(f, given);
        const Moments m = lattices[n]->moments(f, &plain);
        EXPECT_NEAR(m.drho, given.drho, 3e-7);
        EXPECT_NEAR(m.ux, given.ux, 3e-7);
        EXPECT_NEAR(m.uy, given.uy, 3e-7);
        EXPECT_NEAR(m.uz, given.uz, 3e-7);
        double momentum[3] = {0.0};
        for (int i = 0; i < lattices[n]->directions; i++)
            for (int axis = 0; axis < 3; axis++)
                momentum[axis] += lattices[n]->e(i, axis) * f[i];
        EXPECT_NEAR(momentum[0], (1.0 + given.drho) * given.ux, 3e-7);
        EXPECT_NEAR(momentum[1], (1.0 + given.drho) * given.uy, 3e-7);
        EXPECT_NEAR(momentum[2], (1.0 + given.drho) * given.uz, 3e-7);
    }
}

/** Of the moments only the flux of momentum differs from that of the equilibrium: by -tau rho / 3 times the
 * gradient and its transpose. */
TEST(a_gradient_makes_a_stress)
{
    const Physics physics = {.omega = 1.25f};
    const Gradient du = {
        {{0.004f, -0.002f, 0.0f}, {0.007f, -0.001f, 0.0f}}
    };
    for (int n = 0; n < LATTICES; n++) {
        Gradient given = du;
        if (lattices[n]->dimensions == 3)
            given.u[0][2] = 0.003f, given.u[2][1] = -0.005f, given.u[2][2] = 0.006f;
        Real f[MOST_DIRECTIONS], balance[MOST_DIRECTIONS];
        const Moments at = {0.5f, 0.03f, -0.05f, 0.0f};
        lattices[n]->equilibrium(balance, at);
        lattices[n]->near_equilibrium(f, at, &given, &physics);
        const Moments m = lattices[n]->moments(f, &plain);
        EXPECT_NEAR(m.drho, at.drho, 3e-7);
        EXPECT_NEAR(m.ux, at.ux, 3e-7);
        EXPECT_NEAR(m.uy, at.uy, 3e-7);
        EXPECT_NEAR(m.uz, at.uz, 3e-7);
        for (int a = 0; a < lattices[n]->dimensions; a++)
            for (int b = 0; b < lattices[n]->dimensions; b++) {
                double stress = 0.0;
                for (int i = 0; i < lattices[n]->directions; i++)
                    stress += lattices[n]->e(i, a) * lattices[n]->e(i, b) * ((double)f[i] - balance[i]);
                EXPECT_NEAR(stress, -0.8 * 1.5 / 3.0 * (given.u[a][b] + given.u[b][a]), 3e-7);
            }
    }
}

/** Where it would make populations negative, as at an enormous relaxation time, there is none. */
TEST(too_steep_a_gradient_makes_no_stress)
{
    const Physics physics = {.omega = 1e-6f};
    const Gradient du = {{{0.0f, 0.01f}}};
    for (int n = 0; n < LATTICES; n++) {
        Real f[MOST_DIRECTIONS], balance[MOST_DIRECTIONS];
        lattices[n]->equilibrium(balance, (Moments){0.0f, 0.03f, -0.05f, 0.0f});
        lattices[n]->near_equilibrium(f, (Moments){0.0f, 0.03f, -0.05f, 0.0f}, &du, &physics);
        EXPECT(memcmp(f, balance, (size_t)lattices[n]->directions * sizeof *f) == 0);
    }
}

TEST(an_opening_has_the_prescribed_velocity)
{
    const Physics physics = {
        .width = 5, .height = 4, .depth = 1, .omega = 1.0f, .open_x = 0.04f, .open_y = -0.02f};
    for (int n = 0; n < LATTICES; n++) {
        Real f[MOST_DIRECTIONS] = {0.1f, 0.2f};
        lattices[n]->impose_boundary(f, OPEN, 1, &physics);
        const Moments m = lattices[n]->moments(f, &plain);
        EXPECT_NEAR(m.drho, 0.0, 3e-7);
        EXPECT_NEAR(m.ux, 0.04, 1e-7);
        EXPECT_NEAR(m.uy, -0.02, 1e-7);
        EXPECT_NEAR(m.uz, 0.0, 1e-7);
    }
}

TEST(d2q9_is_its_header)
{
    Real f[DIRECTIONS];
    d2q9.equilibrium(f, (Moments){0.25f, 0.03f, -0.05f, 0.0f});
    EXPECT(d2q9.directions == DIRECTIONS);
    for (int i = 0; i < DIRECTIONS; i++) {
        EXPECT(d2q9.e(i, 0) == ex(i) && d2q9.e(i, 1) == ey(i) && d2q9.e(i, 2) == 0);
        EXPECT(d2q9.weight(i) == weight(i) && d2q9.weight_over_cs2(i) == weight_over_cs2(i));
        EXPECT(f[i] == equilibrium(i, 0.25f, 0.03f, -0.05f));
    }
}
