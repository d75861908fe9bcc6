#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "result/shedding.h"
#include "run_flow.h"

#include "check.h"
#include "simulation/simulation.h"

#include <stdlib.h>
#include <sys/mman.h>

static const Bodies small_box = {.count = 1, .body = {{0, 5.0, 6.0, 3.0, 2.0}}};

TEST(links_surround_a_body)
{
    Scenario s =
        create_scenario(find_flow("bodies"), (Parameters){.width = 16, .height = 15, .bodies = small_box});
    LinkList links = find_links(&s);
    EXPECT(links.count == 2 * (3 + 2) + 4 * (3 * 2 - 2 * 1)); // each way all cells but those behind others
    int x = 0, y = 0;
    for (size_t n = 0; n < links.count; n++) {
        const size_t cell = links.link[n].population / 9;
        EXPECT(s.type[cell] == FLUID);
        EXPECT(s.type[cell - links.link[n].ey * 16 - links.link[n].ex] == BODY);
        x += links.link[n].ex;
        y += links.link[n].ey;
    }
    EXPECT(x == 0 && y == 0);
    destroy_links(&links);
    destroy_scenario(&s);
}

/** A body may lie in the outermost columns and rows of the fluid. */
TEST(a_body_at_a_border_has_all_its_links)
{
    const Bodies at_borders = {
        .count = 4,
        .body = {{0, 1.0, 4.0, 1.0, 1.0},
                 {0, 7.0, 4.0, 1.0, 1.0},
                 {0, 4.0, 1.0, 1.0, 1.0},
                 {0, 4.0, 6.0, 1.0, 1.0}}
    };
    Scenario s =
        create_scenario(find_flow("bodies"), (Parameters){.width = 9, .height = 8, .bodies = at_borders});
    LinkList links = find_links(&s);
    int found[8 * 9] = {0};
    for (size_t n = 0; n < links.count; n++)
        found[(int)(links.link[n].population / 9) - links.link[n].ey * 9 - links.link[n].ex]++;
    EXPECT(s.type[4 * 9 + 1] == BODY && s.type[4 * 9 + 7] == BODY);
    EXPECT(s.type[1 * 9 + 4] == BODY && s.type[6 * 9 + 4] == BODY);
    for (int cell = 0; cell < 8 * 9; cell++)
        EXPECT(found[cell] == (s.type[cell] == BODY ? 8 : 0));
    destroy_links(&links);
    destroy_scenario(&s);
}

/** A grid of three rows, so wide that the last one's populations lie beyond 2^32; most of it is never
 * touched. */
TEST(links_reach_beyond_32_bits)
{
    const int width = 160000000;
    const size_t cells = 3 * (size_t)width, last = cells - 5;
    CellType *type =
        mmap(NULL, cells, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (type == MAP_FAILED)
        SKIP("the address space has no room for a huge grid");
    madvise(type, cells, MADV_HUGEPAGE); // it is read through
    type[last - width] = BODY;
    const Scenario s = {.flow = find_flow("bodies"), .width = width, .height = 3, .depth = 1, .type = type};
    LinkList links = find_links(&s);
    EXPECT(links.count == 8);
    int found = 0;
    for (size_t n = 0; n < links.count; n++)
        found += links.link[n].population == DIRECTIONS * last + 2;
    EXPECT(found == 1);
    destroy_links(&links);
    munmap(type, cells);
}

TEST(a_population_leaves_twice_its_momentum)
{
    Scenario s = create_scenario(find_flow("bodies"),
                                 (Parameters){.width = 16, .height = 15, .u = 0.1, .bodies = small_box});
    LinkList links = find_links(&s);
    Snapshot r = create_snapshot(&s);
    r.f[9 * (6 * 16 + 4) + 3] = 0.001f;  // came back to the west
    r.f[9 * (8 * 16 + 6) + 5] = 0.0005f; // came back to the north-east
    r.f[9 * (8 * 16 + 6) + 8] = 0.1f;    // flies towards the body: not yet there
    r.step = 7;
    const Force force = force_on_bodies(&r, &links);
    const double unit = 0.5 * 0.1 * 0.1 * 2.0;
    EXPECT(force.step == 7.0);
    EXPECT_NEAR(force.drag, (2.0 * 0.001 - 2.0 * 0.0005) / unit, 1e-6);
    EXPECT_NEAR(force.lift, -2.0 * 0.0005 / unit, 1e-6);
    destroy_snapshot(&r);
    destroy_links(&links);
    destroy_scenario(&s);
}

static Scenario sphere_scenario(void)
{
    return create_scenario(find_flow("sphere"),
                           (Parameters){.width = 40, .height = 13, .depth = 15, .tau = 0.7, .u = 0.05});
}

TEST(links_surround_a_sphere)
{
    Scenario s = sphere_scenario();
    LinkList links = find_links(&s);
    const size_t layer = 40 * 13;
    int sum[3] = {0, 0, 0};
    for (size_t n = 0; n < links.count; n++) {
        const Link *link = &links.link[n];
        const size_t cell = link->population / 19, i = link->population % 19;
        EXPECT(s.type[cell] == FLUID);
        EXPECT(s.type[cell - link->ez * layer - link->ey * 40 - link->ex] == BODY);
        EXPECT(d3q19.e((int)i, 0) == link->ex && d3q19.e((int)i, 1) == link->ey &&
               d3q19.e((int)i, 2) == link->ez);
        sum[0] += link->ex, sum[1] += link->ey, sum[2] += link->ez;
    }
    size_t expected = 0; // of each cell of the body, the neighbours that are none
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        for (int i = 1; i < 19 && s.type[cell] == BODY; i++)
            expected += s.type[cell + d3q19.e(i, 2) * layer + d3q19.e(i, 1) * 40 + d3q19.e(i, 0)] != BODY;
    EXPECT(links.count == expected && expected > 200);
    EXPECT(sum[0] == 0 && sum[1] == 0 && sum[2] == 0);
    destroy_links(&links);
    destroy_scenario(&s);
}

/** Sums of links over e_i e_i by axis: a unit of pressure less on one side pushes along that axis alone. */
TEST(the_force_on_a_sphere_is_over_the_area_of_its_disc)
{
    Scenario s = sphere_scenario();
    LinkList links = find_links(&s);
    Snapshot r = create_snapshot(&s);
    const double unit = 0.5 * 0.05 * 0.05 * 3.14159265358979 / 4.0 * 4.0 * 4.0;
    for (int axis = 0; axis < 3; axis++) {
        double expected = 0.0;
        for (size_t n = 0; n < links.count; n++) {
            const int e[3] = {links.link[n].ex, links.link[n].ey, links.link[n].ez};
            r.f[links.link[n].population] = -0.001f * (Real)e[axis];
            expected += 2.0 * 0.001 * e[axis] * e[axis] / unit;
        }
        const Force force = force_on_bodies(&r, &links);
        EXPECT_NEAR(force.drag, axis == 0 ? expected : 0.0, 1e-5 * expected);
        EXPECT_NEAR(force.lift, axis == 1 ? expected : 0.0, 1e-5 * expected);
        EXPECT_NEAR(force.side, axis == 2 ? expected : 0.0, 1e-5 * expected);
    }
    EXPECT(!has_pressure_difference(r.scenario));
    destroy_snapshot(&r);
    destroy_links(&links);
    destroy_scenario(&s);
}

TEST(the_stream_in_space_has_the_density_of_all_its_inflow)
{
    Scenario s = sphere_scenario();
    Snapshot r = initial_snapshot(&s);
    for (int n = 0; n < 2; n++) {
        const size_t cell = ((size_t)(3 + 7 * n) * 13 + 5) * 40; // x = 0, y = 5
        s.type[cell] = INFLOW;
        r.moments[cell].drho = n ? 0.4f : 0.2f;
    }
    EXPECT_NEAR(stream_density(&r), 1.3, 1e-6);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

TEST(fluid_at_rest_pushes_nowhere)
{
    Scenario s = create_scenario(find_flow("cylinder"), (Parameters){.width = 60, .height = 60, .tau = 0.8});
    LinkList links = find_links(&s);
    Snapshot r = create_snapshot(&s);
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        for (int i = 0; i < 9; i++)
            r.f[9 * cell + i] = equilibrium(i, 0.1f, 0.0f, 0.0f);
    const Force force = force_on_bodies(&r, &links);
    EXPECT_NEAR(force.drag, 0.0, 1e-9);
    EXPECT_NEAR(force.lift, 0.0, 1e-9);
    EXPECT_NEAR(pressure_difference(&r, stream_density(&r)), 0.0, 1e-9);
    EXPECT(stream_density(&r) == 1.0); // without an inflow
    destroy_snapshot(&r);
    destroy_links(&links);
    destroy_scenario(&s);
}

TEST(the_force_is_over_the_density_of_the_stream)
{
    Scenario s = create_scenario(find_flow("channel_cylinder"), (Parameters){.width = 66, .height = 22});
    LinkList links = find_links(&s);
    Snapshot r = create_snapshot(&s);
    for (size_t n = 0; n < links.count; n++)
        r.f[links.link[n].population] = -0.001f * (Real)links.link[n].ex;
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        r.moments[cell].drho = s.type[cell] == INFLOW ? 0.25f : 2.0f;
    double along = 0.0;
    for (size_t n = 0; n < links.count; n++)
        along += 2.0 * 0.001 * links.link[n].ex * links.link[n].ex;
    EXPECT_NEAR(stream_density(&r), 1.25, 1e-9);
    EXPECT_NEAR(force_on_bodies(&r, &links).drag, along / (0.5 * 1.25 * s.u * s.u * s.length), 1e-4);
    destroy_snapshot(&r);
    destroy_links(&links);
    destroy_scenario(&s);
}

/** Where the density falls evenly, extrapolating it to the surface leaves no error. */
TEST(pressure_is_that_on_the_surface)
{
    const Bodies one = {.count = 1, .body = {disc(20.25, 14.5, 5.0)}};
    Scenario s = create_scenario(find_flow("bodies"),
                                 (Parameters){.width = 50, .height = 30, .u = 0.1, .bodies = one});
    Snapshot r = create_snapshot(&s);
    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++)
            r.moments[y * s.width + x].drho = 0.001f * (Real)(20 - x);
    EXPECT_NEAR(pressure_difference(&r, stream_density(&r)), 0.001 * 10.0 / 3.0 / (0.1 * 0.1), 1e-4);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** What the fluid loses: momentum of all populations along x, before a step minus after it. */
static double momentum_lost(const Scenario *s, const Stage *stage, LinkList *links, double *force)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(stage, s, small_block);
    double before = 0.0, after = 0.0;
    advance_simulation(solver, 50);
    read_snapshot(&r, solver);
    for (size_t cell = 0; cell < cell_count(s); cell++)
        before += is_wall(s->type[cell]) ? 0.0 : momentum_x(r.f + 9 * cell);
    advance_simulation(solver, 1);
    read_snapshot(&r, solver);
    for (size_t cell = 0; cell < cell_count(s); cell++)
        after += is_wall(s->type[cell]) ? 0.0 : momentum_x(r.f + 9 * cell);
    *force = force_on_bodies(&r, links).drag * 0.5 * s->u * s->u * s->length;
    end_simulation(solver);
    destroy_snapshot(&r);
    return before - after;
}

/** In a box without borders whatever momentum the fluid loses the body gets. */
TEST(the_body_gets_what_the_fluid_loses)
{
    Scenario s = create_scenario(find_flow("cylinder"),
                                 (Parameters){.width = 48, .height = 40, .tau = 0.7, .u = 0.05});
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        s.type[cell] = is_opening(s.type[cell]) ? FLUID : s.type[cell];
    LinkList links = find_links(&s);
    double force;
    const double lost = momentum_lost(&s, stages[0], &links, &force);
    EXPECT(lost > 1e-3);
    EXPECT_NEAR(force, lost, 2e-3 * lost);
    destroy_links(&links);
    destroy_scenario(&s);
}

/** Momentum of all populations of a result along an axis. */
static double momentum_along(const Snapshot *r, int axis)
{
    const Lattice *lattice = r->scenario->flow->lattice;
    double sum = 0.0;
    for (size_t n = 0; n < population_count(r->scenario); n++) // walls hold zeros
        sum += lattice->e((int)(n % (size_t)lattice->directions), axis) * (double)r->f[n];
    return sum;
}

/** The same in space, where a stream that slants pushes along all three axes. */
TEST(the_sphere_gets_what_the_fluid_loses) // long
{
    for (int n = 0; n < stage_count; n++) {
        Scenario s = sphere_scenario();
        if (!takes(stages[n], &s)) {
            destroy_scenario(&s);
            continue;
        }
        Real *start = allocate(population_count(&s) * sizeof *start);
        for (size_t cell = 0; cell < cell_count(&s); cell++) {
            s.type[cell] = is_opening(s.type[cell]) ? FLUID : s.type[cell];
            d3q19.equilibrium(start + 19 * cell, (Moments){0.0f, 0.05f, 0.02f, -0.03f});
        }
        s.start = (Start){.f = start};
        LinkList links = find_links(&s);
        Snapshot before = run_flow(stages[n], &s, small_block, 50),
                 after = run_flow(stages[n], &s, small_block, 51);
        const Force force = force_on_bodies(&after, &links);
        const double unit = 0.5 * s.u * s.u * 0.25 * 3.14159265358979 * s.length * s.length;
        const double got[3] = {unit * force.drag, unit * force.lift, unit * force.side};
        for (int axis = 0; axis < 3; axis++) {
            const double lost = momentum_along(&before, axis) - momentum_along(&after, axis);
            EXPECT(fabs(lost) > 1e-3);
            EXPECT_NEAR(got[axis], lost, 2e-3 * fabs(lost));
        }
        destroy_snapshot(&after);
        destroy_snapshot(&before);
        destroy_links(&links);
        destroy_scenario(&s);
        free(start);
    }
}

TEST(all_stages_give_the_same_drag) // long
{
    const char *const names[] = {"cylinder", "channel_cylinder"};
    for (int k = 0; k < 2; k++) {
        Scenario s =
            create_scenario(find_flow(names[k]), (Parameters){.width = 90, .height = 43, .tau = 0.6});
        LinkList links = find_links(&s);
        Force expected = {0};
        for (int n = 0; n < stage_count; n++) {
            if (stages[n]->magic_tau != stages[0]->magic_tau || !takes(stages[n], &s))
                continue; // another collision, or too large a grid
            Snapshot r = run_flow(stages[n], &s, small_block, 301);
            const Force force = force_on_bodies(&r, &links);
            if (n == 0)
                expected = force;
            const int fine = stages[n]->epsilon == stages[0]->epsilon;
#ifdef GPU_ON_CPU
            if (fine && stage_info[n].reference == 0)
                EXPECT(force.drag == expected.drag && force.lift == expected.lift);
#endif
            EXPECT(expected.drag > 1.0);
            EXPECT_NEAR(force.drag, expected.drag, (fine ? 1e-4 : 1e-2) * expected.drag);
            destroy_snapshot(&r);
        }
        destroy_links(&links);
        destroy_scenario(&s);
    }
}

/* ---- Over time ---- */

enum { SAMPLES = 4000, INTERVAL = 10 };

static Force sample[SAMPLES];

static void oscillate(double period, double amplitude)
{
    for (int n = 0; n < SAMPLES; n++) {
        const double t = INTERVAL * (n + 1.0), phase = 2.0 * 3.14159265358979 * t / period;
        const double start = 5.0 * exp(-t / 1000.0);
        sample[n] = (Force){t, 3.0 + start + 0.1 * cos(2.0 * phase), 0.2 + start + amplitude * sin(phase),
                            0.5 + start + 0.3 * sin(phase)};
    }
}

TEST(a_regular_lift_has_its_period)
{
    oscillate(1234.5, 1.0);
    const Shedding s = sum_up(sample, SAMPLES);
    EXPECT_NEAR(s.period, 1234.5, 0.1);
    EXPECT(s.periods == 15);
    EXPECT_NEAR(s.to - s.from, 15 * 1234.5, 2.0 * INTERVAL);
    EXPECT_NEAR(s.lift.mean, 0.2, 1e-3);
    EXPECT_NEAR(s.lift.max, 1.2, 1e-3);
    EXPECT_NEAR(s.lift.min, -0.8, 1e-3);
    EXPECT_NEAR(s.side.mean, 0.5, 1e-3);
    EXPECT_NEAR(s.side.max, 0.8, 1e-3);
    EXPECT(s.side.last == sample[SAMPLES - 1].side);
    EXPECT_NEAR(s.drag.mean, 3.0, 1e-3);
    EXPECT_NEAR(s.drag.max, 3.1, 1e-3);
    EXPECT(s.lift.last == sample[SAMPLES - 1].lift && s.drag.last == sample[SAMPLES - 1].drag);
}

/** With one sample more, the mean would be that of more than whole periods. */
TEST(only_whole_periods_are_summed_up)
{
    oscillate(1200.0, 1.0);
    const Shedding s = sum_up(sample, SAMPLES);
    EXPECT(s.periods >= 15);
    EXPECT_NEAR(s.to - s.from, s.periods * 1200.0 - INTERVAL, 0.0);
}

TEST(noise_around_the_mean_makes_no_periods)
{
    oscillate(1234.5, 1.0);
    for (int n = 0; n < SAMPLES; n++)
        sample[n].lift += n % 2 ? 0.1 : -0.1;
    EXPECT_NEAR(sum_up(sample, SAMPLES).period, 1234.5, 5.0);
}

TEST(what_has_no_period_gets_none)
{
    oscillate(1234.5, 0.0005); // too weak
    EXPECT(sum_up(sample, SAMPLES).periods == 0 && isnan(sum_up(sample, SAMPLES).period));
    oscillate(70.0, 1.0); // too few samples in one
    EXPECT(sum_up(sample, SAMPLES).periods == 0);
    oscillate(11000.0, 1.0); // one alone
    EXPECT(sum_up(sample, SAMPLES).periods == 0);
    oscillate(15000.0, 1.0); // too long
    EXPECT(sum_up(sample, SAMPLES).periods == 0);
    oscillate(1234.5, 1.0);
    for (int n = 0; n < SAMPLES; n++) // a chirp
        sample[n].lift = sin(1e-7 * sample[n].step * sample[n].step);
    EXPECT(sum_up(sample, SAMPLES).periods == 0);
    for (int n = 0; n < SAMPLES; n++)
        sample[n].lift = NAN;
    EXPECT(sum_up(sample, SAMPLES).periods == 0);
}

TEST(a_single_sample_is_all_there_is)
{
    const Force lonely = {10.0, 2.0, 0.5, 0.0};
    const Shedding s = sum_up(&lonely, 1);
    EXPECT(s.drag.last == 2.0 && s.drag.mean == 2.0 && s.drag.max == 2.0 && s.lift.min == 0.5);
    EXPECT(s.periods == 0 && s.from == 10.0 && s.to == 10.0);
}
