#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/d2q9.h"
#include "result/snapshot.h"

#include "check.h"

#include <float.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int count_type(const Scenario *s, CellType type)
{
    int count = 0;
    for (size_t cell = 0; cell < cell_count(s); cell++)
        count += s->type[cell] == type;
    return count;
}

TEST(every_flow_has_sound_defaults)
{
    EXPECT(flow_count == 12);
    for (int n = 0; n < flow_count; n++) {
        Scenario s = create_scenario(&flows[n], (Parameters){0});
        EXPECT(find_flow(flows[n].name) == &flows[n]);
        EXPECT(s.width == flows[n].defaults.width && s.height == flows[n].defaults.height);
        EXPECT(s.depth == (flows[n].lattice == &d2q9 ? 1 : flows[n].defaults.depth));
        EXPECT(s.tau > 0.5 && s.tau < 2.0);
        EXPECT(s.mach < 0.3);
        EXPECT_NEAR(s.nu, (s.tau - 0.5) / 3.0, 1e-12);
        EXPECT_NEAR(s.re, s.u * s.length / s.nu, 1e-9 * s.re);
        EXPECT(s.flow->duration(&s) > 1.0 && s.flow->duration(&s) < 1e6);
        destroy_scenario(&s);
    }
    EXPECT(find_flow("cavit") == NULL);
}

TEST(re_and_tau_say_the_same)
{
    Scenario a = create_scenario(find_flow("cavity"), (Parameters){.width = 66, .height = 66, .re = 100.0});
    Scenario b = create_scenario(find_flow("cavity"), (Parameters){.width = 66, .height = 66, .tau = a.tau});
    EXPECT_NEAR(a.re, 100.0, 1e-9);
    EXPECT_NEAR(b.re, 100.0, 1e-9);
    EXPECT_NEAR(a.nu, 0.1 * 64.0 / 100.0, 1e-12);
    EXPECT_NEAR(a.physics.omega, 1.0 / a.tau, 1e-7);
    destroy_scenario(&a);
    destroy_scenario(&b);
}

TEST(every_flow_has_its_duration)
{
    const double pi = 3.14159265358979;
    const struct {
        const char *flow;
        Parameters parameters;
        double steps;
    } expected[] = {
        {"poiseuille",       {.width = 40, .height = 12, .tau = 0.8},             12.0 * 100.0 / (pi * pi * 0.1)},
        {"cavity",           {.width = 50, .height = 50, .re = 100.0, .u = 0.05}, 37.0 * 50.0 / 0.05            },
        {"taylor_green",     {.width = 40, .height = 40, .tau = 0.8},             1600.0 / (8.0 * pi * pi * 0.1)},
        {"cylinder",         {.width = 60, .height = 40, .re = 20.0, .u = 0.1},   5.0 * 60.0 / 0.1              },
        {"bodies",           {.width = 60, .height = 40, .re = 20.0, .u = 0.1},   5.0 * 60.0 / 0.1              },
        {"channel_cylinder", {.width = 66, .height = 22, .re = 20.0, .u = 0.1},   3.0 * 66.0 / 0.1              },
        {"channel_cylinder", {.width = 66, .height = 22, .re = 100.0, .u = 0.1},  8.0 * 66.0 / 0.1              },
    };
    for (size_t n = 0; n < sizeof expected / sizeof *expected; n++) {
        const Scenario s = resolve_scenario(find_flow(expected[n].flow), expected[n].parameters);
        EXPECT_NEAR(s.flow->duration(&s), expected[n].steps, 1e-6 * expected[n].steps);
    }
}

TEST(the_channel_has_two_walls_and_the_force_of_its_parabola)
{
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 5, .height = 12, .u = 0.04});
    EXPECT(count_type(&s, WALL) == 10 && count_type(&s, FLUID) == 50);
    EXPECT(s.length == 10.0);
    EXPECT_NEAR(s.physics.force_x, 8.0 * s.nu * 0.04 / 100.0, 1e-11);
    EXPECT_NEAR(exact_at(&s, 0.0, (Position){0, 1, 0}).ux, exact_at(&s, 0.0, (Position){0, 10, 0}).ux, 1e-9);
    EXPECT_NEAR(exact_at(&s, 0.0, (Position){0, 5, 0}).ux, 0.04 * (1.0 - 0.1 * 0.1), 1e-8);
    destroy_scenario(&s);
}

TEST(the_lid_covers_the_fluid)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 7, .height = 5, .u = 0.06});
    EXPECT(count_type(&s, MOVING_WALL) == 5 && count_type(&s, FLUID) == 15 && count_type(&s, WALL) == 15);
    for (int x = 1; x < 6; x++)
        EXPECT(s.type[4 * 7 + x] == MOVING_WALL);
    EXPECT_NEAR(s.physics.wall_gain[5], -6.0 / 36.0 * 0.06, 1e-9);
    EXPECT_NEAR(s.physics.wall_gain[6], 6.0 / 36.0 * 0.06, 1e-9);
    EXPECT(s.physics.wall_gain[2] == 0.0f);
    EXPECT(s.length == 5.0);
    EXPECT(s.flow->duration(&s) * s.u > 20.0 * s.length); /* the lid passes many times */
    destroy_scenario(&s);
}

TEST(taylor_green_starts_divergence_free_with_its_pressure)
{
    Scenario s =
        create_scenario(find_flow("taylor_green"), (Parameters){.width = 40, .height = 24, .u = 0.03});
    Snapshot r = initial_snapshot(&s);
    double divergence = 0.0, lowest = 2.0;
    for (int y = 0; y < 24; y++)
        for (int x = 0; x < 40; x++) {
            const double dux = moments_at(&r, (x + 1) % 40, y).ux - moments_at(&r, (x + 39) % 40, y).ux;
            const double duy = moments_at(&r, x, (y + 1) % 24).uy - moments_at(&r, x, (y + 23) % 24).uy;
            divergence = fmax(divergence, fabs(dux + duy) / 2.0);
            lowest = fmin(lowest, 1.0 + moments_at(&r, x, y).drho);
        }
    EXPECT(divergence < 1e-4);
    EXPECT(moments_at(&r, 0, 0).drho < 0.0f && moments_at(&r, 10, 6).drho > 0.0f);
    EXPECT_NEAR(lowest, 1.0 - 3.0 * 0.25 * 0.03 * 0.03 * (24.0 / 40.0 + 40.0 / 24.0), 2e-4);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(an_outflow_beside_a_body_is_an_open_cell)
{
    Parameters p = {.width = 60, .height = 40, .re = 20.0, .u = 0.1};
    p.bodies.body[p.bodies.count++] = (Body){0, 58.0, 10.0, 1.0, 20.0, 0.0};
    Scenario s = create_scenario(find_flow("bodies"), p);
    EXPECT(s.type[9 * 60 + 59] == OUTFLOW && s.type[10 * 60 + 59] == OPEN && s.type[29 * 60 + 59] == OPEN);
    destroy_scenario(&s);
}

TEST(the_cylinder_is_round_and_the_border_open)
{
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 301, .height = 200});
    EXPECT_NEAR(count_type(&s, BODY), 3.14159 / 4.0 * 20.0 * 20.0, 12.0);
    EXPECT(count_type(&s, OPEN) == 2 * 301 + 198);
    EXPECT(count_type(&s, OUTFLOW) == 198);
    EXPECT(s.type[100 * 301 + 75] == BODY);
    EXPECT(s.length == 20.0);
    EXPECT_NEAR(s.physics.open_x, s.u, 1e-8);
    EXPECT(s.physics.open_y == 0.0f);
    destroy_scenario(&s);
}

/** Exit code of creating a scenario in a process of its own. */
static int exit_code_of(const char *flow, Parameters parameters)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(99);
        Scenario s = create_scenario(find_flow(flow), parameters);
        destroy_scenario(&s);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(nonsense_is_refused)
{
    EXPECT(exit_code_of("cavity", (Parameters){.width = 3, .height = 3}) == 0);
    EXPECT(exit_code_of("cavity", (Parameters){.width = 2, .height = 3}) == EXIT_USAGE);
    EXPECT(exit_code_of("poiseuille", (Parameters){.width = 1, .height = 3}) == 0);
    EXPECT(exit_code_of("poiseuille", (Parameters){.width = 1, .height = 2}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.tau = 0.5}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.tau = NAN}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.re = -1.0}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.re = NAN}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.re = 100.0, .tau = 0.8}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.u = 0.6}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.u = NAN}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.width = 1 << 21, .height = 1 << 20}) == EXIT_USAGE);
}

TEST(tau_lies_where_a_float_tells_it_from_a_half_and_from_infinity)
{
    const double least = 0.5 + 0.5 * FLT_EPSILON, most = 1.0 / FLT_EPSILON;
    EXPECT(exit_code_of("cavity", (Parameters){.tau = least}) == 0);
    EXPECT(exit_code_of("cavity", (Parameters){.tau = 0.5 + 0.49 * FLT_EPSILON}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.tau = most}) == 0);
    EXPECT(exit_code_of("cavity", (Parameters){.tau = 1.001 * most}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.tau = HUGE_VAL}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.re = 1e30}) == EXIT_USAGE);
    EXPECT(exit_code_of("cavity", (Parameters){.re = 1e-5}) == 0);
    EXPECT(exit_code_of("cavity", (Parameters){.re = 1e-6}) == EXIT_USAGE);
    EXPECT(resolve_scenario(find_flow("cavity"), (Parameters){.tau = least}).physics.omega < 2.0f);
    EXPECT(1.0f - resolve_scenario(find_flow("cavity"), (Parameters){.tau = most}).physics.omega < 1.0f);
}

TEST(the_square_of_the_slowest_speed_is_a_float)
{
    const double least = sqrt(FLT_MIN);
    EXPECT(exit_code_of("bodies", (Parameters){.u = least, .tau = 0.8}) == 0);
    EXPECT(exit_code_of("bodies", (Parameters){.u = 0.99 * least, .tau = 0.8}) == EXIT_USAGE);
}

/** The fastest speed that a flow starts with, prescribes at its lid or tends to. */
static double fastest(const Scenario *s)
{
    double speed = 0.0;
    Snapshot r = initial_snapshot(s);
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const Moments m = s->flow->exact ? exact_at(s, 0.0, (Position){x, y, 0}) : moments_at(&r, x, y);
            speed = fmax(speed, hypot(m.ux, m.uy));
        }
    destroy_snapshot(&r);
    return speed;
}

TEST(mach_is_that_of_the_fastest_speed)
{
    for (int n = 0; n < flow_count; n++)
        for (int width = 24; width <= 128 && flows[n].lattice == &d2q9; width += 104) {
            Scenario s = create_scenario(&flows[n], (Parameters){.width = width, .height = 32, .tau = 0.8});
            EXPECT_NEAR(s.mach, sqrt(3.0) * fastest(&s), 0.01 * s.mach);
            destroy_scenario(&s);
        }
}

TEST(the_fastest_speed_is_below_that_of_sound)
{
    EXPECT(exit_code_of("cavity", (Parameters){.u = 0.577}) == 0);
    EXPECT(exit_code_of("cavity", (Parameters){.u = 0.5774}) == EXIT_USAGE);
    EXPECT(exit_code_of("channel_cylinder", (Parameters){.u = 0.384}) == 0);
    EXPECT(exit_code_of("channel_cylinder", (Parameters){.u = 0.386}) == EXIT_USAGE);
    EXPECT(exit_code_of("taylor_green", (Parameters){.width = 256, .height = 16, .u = 0.144}) == 0);
    EXPECT(exit_code_of("taylor_green", (Parameters){.width = 256, .height = 16, .u = 0.145}) == EXIT_USAGE);
    EXPECT(exit_code_of("taylor_green", (Parameters){.width = 16, .height = 256, .u = 0.145}) == EXIT_USAGE);
}

/** Cells of rows on their own are those of the whole grid, and a row more on either side. */
TEST(rows_tile_the_grid)
{
    for (int k = 0; k < flow_count && flows[k].lattice == &d2q9; k++) {
        Scenario s = create_scenario(&flows[k], (Parameters){.width = 41, .height = 37});
        Scenario bare = resolve_scenario(&flows[k], (Parameters){.width = 41, .height = 37});
        CellType *type = allocate(7 * (size_t)s.width);
        EXPECT(bare.type == NULL);
        for (int first = -2 * s.height - 7; first < 2 * s.height; first += 5) {
            cell_layers(&bare, first - 1, 7, type);
            for (int n = 0; n < 7; n++) {
                const int y = (first - 1 + n + 3 * s.height) % s.height;
                EXPECT(memcmp(type + n * s.width, s.type + y * s.width, (size_t)s.width) == 0);
            }
        }
        free(type);
        destroy_scenario(&s);
    }
}

TEST(a_flow_begins_with_what_it_is_given)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 11, .height = 9});
    Real *given = allocate(population_count(&s) * sizeof *given),
         *f = allocate(population_count(&s) * sizeof *f);
    for (size_t n = 0; n < population_count(&s); n++)
        given[n] = (Real)(1 + n);
    s.start = (Start){.f = given};
    initial_populations(&s, f);
    for (size_t n = 0; n < population_count(&s); n++)
        EXPECT(f[n] == (is_wall(s.type[n / DIRECTIONS]) ? 0.0f : given[n]));
    free(f);
    free(given);
    destroy_scenario(&s);
}

/* ---- Layers in space: a flow on a lattice that has three dimensions in name only ---- */

static CellType some_cell(const Scenario *s, Position at)
{
    return at.x == 0                               ? WALL
           : at.y == 0 && at.z == s->depth - 1     ? MOVING_WALL
           : (at.x + 2 * at.y + 3 * at.z) % 5 == 0 ? OPEN
                                                   : FLUID;
}

static double length_of_some_flow(int width, int height)
{
    (void)height;
    return width;
}

static Scenario in_space(void)
{
    static Lattice space;
    static Flow flow;
    space = d2q9;
    space.dimensions = 3;
    flow = (Flow){
        .name = "some_flow",
        .lattice = &space,
        .defaults = {.width = 3, .height = 4, .tau = 1.0, .u = 0.1},
        .least = {1,          1,                     0                    },
        .length = length_of_some_flow,
        .cell = some_cell,
        .start = ABC_WAVES
    };
    return create_scenario(&flow, (Parameters){.depth = 5});
}

TEST(cells_in_space_are_numbered_x_first_and_z_last)
{
    Scenario s = in_space();
    size_t cell = 0;
    EXPECT(cell_count(&s) == 3 * 4 * 5);
    for (int z = 0; z < 5; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 3; x++, cell++) {
                const Position at = position_of(&s, cell);
                EXPECT(at.x == x && at.y == y && at.z == z);
                EXPECT(s.type[cell] == some_cell(&s, at));
            }
    destroy_scenario(&s);
}

TEST(a_layer_in_space_is_a_plane)
{
    enum { LAYER = 12 };
    Scenario s = in_space();
    CellType type[7 * LAYER];
    EXPECT(layer_count(&s) == 5 && rows_of_layer(&s) == 4 && cells_of_layer(&s) == LAYER);
    cell_layers(&s, -1, 7, type);
    for (int n = 0; n < 7; n++) {
        const int layer = (n + 4) % 5;
        EXPECT(layer_in_grid(&s, n - 1) == layer);
        EXPECT(memcmp(type + n * LAYER, s.type + layer * LAYER, LAYER) == 0);
    }
    destroy_scenario(&s);
}

TEST(a_plane_flow_has_no_depth)
{
    char reason[REASON_SIZE] = "";
    EXPECT(!can_run(find_flow("cavity"),
                    (Parameters){.width = 66, .height = 66, .depth = 2, .re = 10.0, .u = 0.1}, reason));
    EXPECT(strstr(reason, "66x66x2") && strstr(reason, "cavity is plane") && strstr(reason, "WxH"));
    EXPECT(can_run(find_flow("cavity"),
                   (Parameters){.width = 66, .height = 66, .depth = 1, .re = 10.0, .u = 0.1}, reason));
    EXPECT(resolve_scenario(find_flow("cavity"), (Parameters){0}).depth == 1);
}

TEST(a_grid_may_have_as_many_cells_as_32_bits_count)
{
    const Scenario s =
        resolve_scenario(find_flow("poiseuille"), (Parameters){.width = 65535, .height = 65537});
    EXPECT(cell_count(&s) == UINT32_MAX);
}

/** Eight places of 27 cells and more a side, for five capsules of radius 3.9. */
TEST(capsules_lie_in_places_of_their_own)
{
    Scenario s = create_scenario(find_flow("capsule"),
                                 (Parameters){.width = 64, .height = 56, .depth = 60, .capsules = 5});
    const Membrane *m = &s.membrane;
    const int nodes = m->nodes / 5;
    EXPECT(s.capsules == 5 && m->count == 5 && 5 * nodes == m->nodes);
    for (int axis = 0; axis < 3; axis++)
        for (int n = 0; n < m->nodes; n++) {
            const double x = m->position[axis * m->nodes + n],
                         in_grid = membrane_origin(m, n, axis) + x - 0.5 * (side_of(&s, axis) - 1);
            const int place = (int)(n / nodes * 8 / 5) >> axis & 1;
            EXPECT(place ? in_grid > 9.0 : in_grid < -9.0);
            EXPECT(fabs(in_grid) < 20.0 && fabs(x) < 4.0);
        }
    destroy_scenario(&s);
}
