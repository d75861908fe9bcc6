/**
 * @file mistakes.c
 * Each kind of row of validate fails for a mistake that it is there for: a right stage runs a flow that was
 * changed behind validate's back.
 */
#include "gpu/memory.h"
#include "host/allocate.h"
#include "lattice/d2q9.h"
#include "run_flow.h"
#include "simulation/simulation.h"
#include "validate_rows.h"

#include "check.h"

#include <stdlib.h>

/* What the wrong stage is made of, and the scenario that it runs. */
static const Stage *inner;
static void (*plant)(Scenario *);
static Scenario changed;

static void change(const Scenario *scenario)
{
    changed = *scenario;
    changed.type = allocate(cell_count(scenario));
    memcpy(changed.type, scenario->type, cell_count(scenario));
    plant(&changed);
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    const Memory *memory = inner->home == ON_DEVICE ? &device_memory : &host_memory;
    change(scenario);
    memory->upload((CellType *)type, changed.type, cell_count(scenario));
    return inner->create(&changed, type, block);
}

static void destroy(Solver *solver)
{
    inner->destroy(solver);
    free(changed.type);
}

/** How many of the rows of that name fail when a stage runs the changed flow. */
static int failures(const Stage *stage, void (*mistake)(Scenario *), KnownFlow flow, const char *row)
{
    Stage wrong = *stage;
    wrong.create = create;
    wrong.destroy = destroy;
    inner = stage;
    plant = mistake;
    return count_rows_after(find_stage("12_cpu_pairs"), &wrong, flow, row, " FAIL");
}

/** The last stage that stores populations in 16 bits, to nearest: it is faster than those before. */
static const Stage *coarse_stage(void)
{
    for (int n = stage_count - 1; n >= 0; n--)
        if (stages[n]->epsilon > stages[0]->epsilon && stages[n]->rounding == TO_NEAREST)
            return stages[n];
    SKIP("no stage stores 16 bits");
}

/** The first stage on the lattice in space. */
static const Stage *stage_in_space(void)
{
    for (int n = 0; n < stage_count; n++)
        if (stages[n]->lattice == &d3q19)
            return stages[n];
    SKIP("no stage computes in space");
}

/* ---- The mistakes ---- */

static void move_corners(Scenario *s)
{
    for (int x = 0; x < s->width; x += s->width - 1)
        s->type[(size_t)(s->height - 1) * s->width + x] = MOVING_WALL;
}

static void hurry_lid(Scenario *s)
{
    for (int i = 0; i < DIRECTIONS; i++)
        s->physics.wall_gain[i] *= 1.03f;
}

static void leak(Scenario *s)
{
    s->physics.wall_gain[2] += 1e-7f;
}

static void relax_faster(Scenario *s)
{
    s->physics.omega *= 1.001f;
}

static void forget_friction(Scenario *s)
{
    s->physics.omega = 1.9999f;
}

static void thicken_wall(Scenario *s)
{
    memset(s->type + s->width, WALL, (size_t)s->width);
}

static void narrow_end(Scenario *s)
{
    s->type[(size_t)s->width + 1] = WALL;
}

static void open_inflow(Scenario *s)
{
    for (int y = 1; y < s->height - 1; y++)
        s->type[(size_t)y * s->width] = OPEN;
}

static void lift_body(Scenario *s)
{
    for (int y = s->height - 2; y > 0; y--)
        for (int x = 1; x < s->width - 1; x++)
            s->type[(size_t)y * s->width + x] =
                s->type[(size_t)(y - 1) * s->width + x] == BODY ? BODY : FLUID;
}

static void thicken_body(Scenario *s)
{
    for (int y = 1; y < s->height / 2; y++)
        for (int x = 1; x < s->width - 1; x++)
            if (s->type[(size_t)y * s->width + x] == FLUID && s->type[(size_t)(y + 1) * s->width + x] == BODY)
                s->type[(size_t)y * s->width + x] = BODY;
}

static void lengthen_body(Scenario *s)
{
    for (size_t cell = 0; cell < cell_count(s) - 1; cell++)
        if (s->type[cell] == FLUID && s->type[cell + 1] == BODY)
            s->type[cell] = BODY;
    for (size_t cell = cell_count(s) - 1; cell > 0; cell--)
        if (s->type[cell] == FLUID && s->type[cell - 1] == BODY)
            s->type[cell] = BODY;
}

static void narrow_front(Scenario *s)
{
    if (s->depth > 1)
        s->type[cells_of_layer(s) + (size_t)s->width + 1] = WALL;
}

static void thicken_fluid(Scenario *s)
{
    s->physics.omega *= 0.95f;
}

/* ---- The rows ---- */

/** All but the cavity at Re 1000, which has tests of its own. */
static void expect_good(const Stage *stage)
{
    const KnownFlow quick[] = {CHANNEL, VORTICES, SLOW_CAVITY, CHANNEL_CYLINDER};
    for (int n = 0; n < 4; n++) {
        FILE *table = rows_after(NULL, stage, quick[n]);
        EXPECT(count_in(table, "", " ok") >= 3 && count_in(table, "", " FAIL") == 0);
        fclose(table);
    }
}

TEST(a_right_stage_is_found_right)
{
    expect_good(fast_stage());
}

TEST(a_right_stage_of_16_bits_is_found_right)
{
    expect_good(coarse_stage());
}

TEST(a_channel_that_never_settles_is_seen)
{
    EXPECT(failures(fast_stage(), forget_friction, CHANNEL, "change in the last") > 0);
}

TEST(a_wall_one_cell_off_is_seen)
{
    EXPECT(failures(fast_stage(), thicken_wall, CHANNEL, "parabola") > 0);
}

TEST(an_uneven_channel_is_seen)
{
    EXPECT(failures(fast_stage(), narrow_end, CHANNEL, "along the channel") > 0);
}

TEST(stochastic_rounding_is_seen)
{
#ifdef GPU_ON_CPU
    extern const Stage stage_stochastic;
    EXPECT(count_rows(&stage_stochastic, CHANNEL, "along the channel", " FAIL") == 1);
#else
    SKIP("the wrong stage is built for the emulator only");
#endif
}

TEST(rounding_that_is_not_as_unbiased_as_it_says_is_seen)
{
    Stage wrong = *coarse_stage();
    wrong.rounding = STOCHASTIC;
    EXPECT(count_rows(&wrong, CHANNEL, "parabola", " FAIL") == 1);
}

TEST(a_thousandth_of_the_relaxation_rate_is_seen)
{
    EXPECT(failures(fast_stage(), relax_faster, VORTICES, "viscosity") == 2);
    EXPECT(failures(fast_stage(), relax_faster, VORTICES, "order") > 0);
}

TEST(a_thousandth_of_the_relaxation_rate_is_seen_through_16_bits)
{
    EXPECT(failures(coarse_stage(), relax_faster, VORTICES, "viscosity") > 0);
}

TEST(moving_corners_are_seen)
{
    EXPECT(failures(fast_stage(), move_corners, SLOW_CAVITY, "") ==
           6); // three extrema, two orders, waves left; Ghia is blind
}

TEST(moving_corners_are_seen_through_16_bits)
{
    EXPECT(failures(coarse_stage(), move_corners, SLOW_CAVITY, "extrema") > 0);
}

TEST(a_lid_three_percent_too_fast_is_seen_in_the_profiles)
{
    EXPECT(failures(fast_stage(), hurry_lid, SLOW_CAVITY, "against Ghia") == 2);
}

TEST(a_wall_that_leaks_is_seen)
{
    EXPECT(failures(fast_stage(), leak, SLOW_CAVITY, "mass") > 0);
}

TEST(density_one_at_the_inflow_is_seen)
{
    EXPECT(failures(fast_stage(), open_inflow, CHANNEL_CYLINDER, "flow rate") > 0);
}

TEST(a_cylinder_one_cell_off_is_seen)
{
    EXPECT(failures(fast_stage(), lift_body, CHANNEL_CYLINDER, "lift") > 0);
}

TEST(a_cylinder_one_cell_too_thick_is_seen)
{
    EXPECT(failures(fast_stage(), thicken_body, CHANNEL_CYLINDER, "drag") > 0);
}

static void stay(Solver *solver, int steps)
{
    (void)solver, (void)steps;
}

/** Where a cavity begins near its steady state. */
static void expect_frozen_seen(const Stage *stage)
{
    Stage frozen = *stage;
    frozen.advance = stay;
    const KnownFlow flows_begun[] = {SLOW_CAVITY, FAST_CAVITY};
    for (int n = 0; n < 2; n++)
        EXPECT(count_rows_after(find_stage("12_cpu_pairs"), &frozen, flows_begun[n], "waves left", " FAIL") ==
               (flows_begun[n] == SLOW_CAVITY ? 2 : 1)); // sizes
}

TEST(a_stage_that_does_not_move_is_seen)
{
    expect_frozen_seen(fast_stage());
}

TEST(a_stage_of_16_bits_that_does_not_move_is_seen)
{
    expect_frozen_seen(coarse_stage());
}

TEST(moving_corners_are_seen_at_re_1000)
{
    EXPECT(count_rows_after(find_stage("12_cpu_pairs"), fast_stage(), FAST_CAVITY, "", " FAIL") == 0);
    EXPECT(failures(fast_stage(), move_corners, FAST_CAVITY, "extrema") == 1);
}

TEST(a_lid_three_percent_too_fast_is_seen_at_re_1000)
{
    EXPECT(failures(fast_stage(), hurry_lid, FAST_CAVITY, "against Ghia") > 0);
}

/* ---- In space ---- */

TEST(a_right_stage_in_space_is_found_right)
{
    const KnownFlow in_space[] = {DUCT, BELTRAMI, SLOW_CUBE, SPACE_VORTICES, SPHERE};
    for (int n = 0; n < 5; n++) {
        FILE *table = rows_after(NULL, stage_in_space(), in_space[n]);
        EXPECT(count_in(table, "", " ok") >= 2 && count_in(table, "", " FAIL") == 0);
        fclose(table);
    }
}

TEST(a_cube_with_uneven_ends_is_seen)
{
    EXPECT(failures(stage_in_space(), narrow_front, SLOW_CUBE, "front against back") == 1);
}

TEST(a_wrong_viscosity_in_space_is_seen)
{
    EXPECT(failures(stage_in_space(), thicken_fluid, SPACE_VORTICES, "") >= 4); // each axis, and the energy
}

TEST(a_sphere_that_is_too_long_is_seen)
{
    EXPECT(failures(stage_in_space(), lengthen_body, SPHERE, "drag against Zick & Homsy") == 1);
}
