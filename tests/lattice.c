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

TEST(the_opposite_points_back)
{
    for (int n = 0; n < LATTICES; n++)
        for (int i = 0; i < lattices[n]->directions; i++)
            for (int axis = 0; axis < 3; axis++)
                EXPECT(lattices[n]->e(lattices[n]->opposite(i), axis) == -lattices[n]->e(i, axis));
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
        const Moments given = {1.02f, 0.03f, -0.05f, lattices[n]->dimensions == 3 ? 0.04f : 0.0f};
        Real f[MOST_DIRECTIONS];
        lattices[n]->equilibrium(f, given);
        const Moments m = lattices[n]->moments(f, &plain);
        EXPECT_NEAR(m.rho, given.rho, 3e-7);
        EXPECT_NEAR(m.ux, given.ux, 3e-7);
        EXPECT_NEAR(m.uy, given.uy, 3e-7);
        EXPECT_NEAR(m.uz, given.uz, 3e-7);
        double momentum[3] = {0.0};
        for (int i = 0; i < lattices[n]->directions; i++)
            for (int axis = 0; axis < 3; axis++)
                momentum[axis] += lattices[n]->e(i, axis) * f[i];
        EXPECT_NEAR(momentum[0], given.rho * given.ux, 3e-7);
        EXPECT_NEAR(momentum[1], given.rho * given.uy, 3e-7);
        EXPECT_NEAR(momentum[2], given.rho * given.uz, 3e-7);
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
        EXPECT_NEAR(m.rho, 1.0, 3e-7);
        EXPECT_NEAR(m.ux, 0.04, 1e-7);
        EXPECT_NEAR(m.uy, -0.02, 1e-7);
        EXPECT_NEAR(m.uz, 0.0, 1e-7);
    }
}

TEST(d2q9_is_its_header)
{
    Real f[DIRECTIONS];
    d2q9.equilibrium(f, (Moments){1.25f, 0.03f, -0.05f, 0.0f});
    EXPECT(d2q9.directions == DIRECTIONS);
    for (int i = 0; i < DIRECTIONS; i++) {
        EXPECT(d2q9.e(i, 0) == ex(i) && d2q9.e(i, 1) == ey(i) && d2q9.e(i, 2) == 0);
        EXPECT(d2q9.weight(i) == weight(i) && d2q9.weight_over_cs2(i) == weight_over_cs2(i));
        EXPECT(f[i] == equilibrium(i, 0.25f, 0.03f, -0.05f));
    }
}
