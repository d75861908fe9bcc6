#include "validate.h"
#include "flows.h"

#include "check.h"

/** A flow whose populations are those of its start. */
static Scenario start(const char *flow, Parameters parameters, float **f)
{
    Scenario s = create_scenario(find_flow(flow), parameters);
    *f = allocate(9 * cell_count(&s) * sizeof(float));
    initial_populations(&s, *f);
    return s;
}

static void set_cell(const Scenario *s, float *f, int x, int y, double ux, double uy)
{
    for (int i = 0; i < 9; i++)
        f[9 * (y * s->width + x) + i] = equilibrium(i, 0.0f, (float)ux, (float)uy);
}

TEST(mass_counts_fluid_cells_only)
{
    float *f;
    Scenario s = start("cavity", (Parameters){.width = 6, .height = 5}, &f);
    EXPECT_NEAR(total_mass(&s, f), 4.0 * 3.0, 1e-9);
    f[9 * (1 * 6 + 1)] += 0.5f;
    f[0] += 0.5f; /* a wall */
    EXPECT_NEAR(total_mass(&s, f), 12.5, 1e-9);
    free(f);
    destroy_scenario(&s);
}

TEST(the_exact_field_has_no_error)
{
    float *f;
    Scenario s = start("taylor_green", (Parameters){.width = 16, .height = 16, .u = 0.01}, &f);
    EXPECT_NEAR(exact_error(&s, f, 0.0), 0.0, 1e-5);
    EXPECT_NEAR(exact_error(&s, f, s.flow->duration(&s)), exp(1.0) - 1.0, 1e-4);
    free(f);
    destroy_scenario(&s);
}

TEST(a_field_off_by_a_tenth_has_that_error)
{
    float *f;
    Scenario s = start("poiseuille", (Parameters){.width = 3, .height = 12}, &f);
    for (int y = 1; y < 11; y++)
        for (int x = 0; x < 3; x++) {
            const double u = 1.1 * s.flow->exact(&s, 0.0, x, y).ux - 0.5 * s.physics.force_x;
            set_cell(&s, f, x, y, u, 0.0);
        }
    EXPECT_NEAR(exact_error(&s, f, 0.0), 0.1, 1e-4);
    free(f);
    destroy_scenario(&s);
}

TEST(the_parabola_of_the_wrong_walls_has_an_error)
{
    float *f;
    Scenario s = start("poiseuille", (Parameters){.width = 3, .height = 12}, &f);
    for (int y = 1; y < 11; y++)
        for (int x = 0; x < 3; x++)
            set_cell(&s, f, x, y, s.physics.force_x / (2.0 * s.nu) * y * (11.0 - y), 0.0);
    EXPECT(exact_error(&s, f, 0.0) > 0.1);
    free(f);
    destroy_scenario(&s);
}

TEST(nan_is_never_right)
{
    float *f, *g;
    Scenario s = start("cavity", (Parameters){.width = 34, .height = 34, .re = 100.0}, &f);
    Scenario t = start("taylor_green", (Parameters){.width = 34, .height = 34}, &g);
    EXPECT(is_sane(&s, f));
    f[9 * (17 * 34 + 17) + 3] = NAN;
    g[9 * (17 * 34 + 17) + 3] = NAN;
    EXPECT(!is_sane(&s, f));
    EXPECT(isnan(total_mass(&s, f)));
    EXPECT(isnan(ghia_deviation(&s, f, 'u')));
    EXPECT(isnan(ghia_deviation(&s, f, 'v')));
    EXPECT(isnan(exact_error(&t, g, 0.0)));
    EXPECT(isnan(relative_change(&t, g, g)));
    free(f);
    free(g);
    destroy_scenario(&s);
    destroy_scenario(&t);
}

TEST(density_must_be_positive)
{
    float *f;
    Scenario s = start("taylor_green", (Parameters){.width = 8, .height = 8}, &f);
    f[9 * 20] -= 1.5f;
    EXPECT(!is_sane(&s, f));
    f[9 * 20] = INFINITY;
    EXPECT(!is_sane(&s, f));
    free(f);
    destroy_scenario(&s);
}

TEST(change_is_relative_to_what_was)
{
    float *f, *g;
    Scenario s = start("taylor_green", (Parameters){.width = 8, .height = 8, .u = 0.01}, &f);
    g = allocate(9 * cell_count(&s) * sizeof(float));
    for (size_t n = 0; n < 9 * cell_count(&s); n++)
        g[n] = 2.0f * f[n];
    EXPECT_NEAR(relative_change(&s, f, f), 0.0, 1e-12);
    EXPECT_NEAR(relative_change(&s, g, f), 1.0, 1e-3);
    EXPECT_NEAR(relative_change(&s, f, g), 0.5, 1e-3);
    free(f);
    free(g);
    destroy_scenario(&s);
}

/** Fills a cavity with the published u along its vertical centre line, so that sampling finds it again. */
TEST(ghia_tables_find_themselves)
{
    static const double published[][2] = {
        {9,   -0.04775},
        {58,  -0.21090},
        {94,  0.00332 },
        {122, 0.68717 }
    };
    float *f;
    Scenario s = start("cavity", (Parameters){.width = 130, .height = 130, .re = 100.0}, &f);
    EXPECT_NEAR(ghia_deviation(&s, f, 'u'), 0.84123, 1e-6); /* fluid at rest: the largest value published */
    EXPECT_NEAR(ghia_deviation(&s, f, 'v'), 0.24533, 1e-6);
    for (int n = 0; n < 4; n++)
        for (int x = 64; x <= 65; x++) /* node k lies between the centres of cells k and k + 1 */
            for (int y = (int)published[n][0]; y <= (int)published[n][0] + 1; y++)
                set_cell(&s, f, x, y, s.u * published[n][1], 0.0);
    const double deviation = ghia_deviation(&s, f, 'u');
    EXPECT_NEAR(deviation, 0.84123, 1e-6);
    for (int y = 125; y <= 126; y++)
        for (int x = 64; x <= 65; x++)
            set_cell(&s, f, x, y, s.u * 0.84123, 0.0);
    EXPECT_NEAR(ghia_deviation(&s, f, 'u'), 0.78871 - 0.5 * 0.84123, 0.06); /* next largest: node 124 */
    free(f);
    destroy_scenario(&s);
}

TEST(ghia_published_squares_at_two_reynolds_numbers)
{
    float *f;
    Scenario s = start("cavity", (Parameters){.width = 34, .height = 34, .re = 400.0}, &f);
    EXPECT(isnan(ghia_deviation(&s, f, 'u')));
    free(f);
    destroy_scenario(&s);
    s = start("cavity", (Parameters){.width = 34, .height = 50, .re = 100.0}, &f);
    EXPECT(isnan(ghia_deviation(&s, f, 'u')));
    free(f);
    destroy_scenario(&s);
}
