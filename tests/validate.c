#include "fake.h"
#include "gpu/device.h"
#include "lattice/d2q9.h"
#include "result/forces.h"
#include "validate_rows.h"

#include "check.h"
#include "host/allocate.h"

#include <stdlib.h>

static const Block small_block = {32, 8};

/** A stage that never moves. */
typedef struct {
    const Scenario *scenario;
    float value; /* added to all populations that are read */
} Frozen;

static Solver *freeze(const Scenario *scenario, const CellType *type, Block block)
{
    (void)type, (void)block;
    Frozen *frozen = allocate(sizeof *frozen);
    frozen->scenario = scenario;
    return (Solver *)frozen;
}

static Solver *freeze_with_nan(const Scenario *scenario, const CellType *type, Block block)
{
    Solver *solver = freeze(scenario, type, block);
    ((Frozen *)solver)->value = NAN;
    return solver;
}

static void stay(Solver *solver, int steps)
{
    (void)solver, (void)steps;
}

static void give_frozen(const Solver *solver, Real *f)
{
    const Frozen *frozen = (const Frozen *)solver;
    initial_populations(frozen->scenario, f);
    for (size_t n = 0; n < population_count(frozen->scenario); n++)
        f[n] += frozen->value;
}

static void read_frozen(const Solver *solver, Cells cells, Real *f)
{
    read_some(give_frozen, solver, ((const Frozen *)solver)->scenario, cells, f);
}

static void thaw(Solver *solver)
{
    free(solver);
}

static Stage frozen_stage(Solver *(*create)(const Scenario *, const CellType *, Block))
{
    const Stage stage = {
        .name = "frozen",
        .summary = "nothing",
        .lattice = &d2q9,
        .bytes_per_update = 73.0,
        .bytes_per_cell = 73.0,
        .epsilon = 1.0 / (1 << 24),
        .rounding = TO_NEAREST,
        .cycle = 1,
        .magic_tau = BGK_MAGIC_TAU,
        .create = create,
        .write = write_nothing,
        .advance = stay,
        .read = read_frozen,
        .destroy = thaw,
    };
    return stage;
}

TEST(a_stage_that_does_not_move_fails)
{
    const Stage frozen = frozen_stage(freeze), *const all[] = {&frozen};
    EXPECT(validate(all, 1, NULL, small_block) >=
           18); /* all but conserved mass, what is 0, and lift and flow rate */
}

TEST(a_stage_of_nan_fails_in_every_row)
{
    const Stage nan = frozen_stage(freeze_with_nan), *const all[] = {&nan};
    EXPECT(validate(all, 1, NULL, small_block) == 32);
}

/* ---- In space ---- */

static Stage frozen_in_space(Solver *(*create)(const Scenario *, const CellType *, Block))
{
    Stage stage = frozen_stage(create);
    stage.lattice = &d3q19;
    return stage;
}

/** On a GPU there are the rows of the large cube and of the stream past a sphere, too. */
TEST(a_stage_in_space_that_does_not_move_fails)
{
    const Stage frozen = frozen_in_space(freeze), *const all[] = {&frozen};
    EXPECT(validate(all, 1, NULL, small_block) >= 19); /* all but conserved mass, what is 0, and symmetry */
}

TEST(a_stage_of_nan_in_space_fails_in_every_row)
{
    const Stage nan = frozen_in_space(freeze_with_nan), *const all[] = {&nan};
    EXPECT(validate(all, 1, NULL, small_block) == (gpu_is_emulated ? 32 : 38));
}

TEST(what_takes_a_gpu_is_left_out_without_one)
{
    const Stage frozen = frozen_in_space(freeze);
    EXPECT(count_rows(&frozen, FAST_CUBE, "130x130x130", "left out: it takes a GPU") == gpu_is_emulated);
    EXPECT(count_rows(&frozen, SPHERE, "320x192x192", "left out: it takes a GPU") == gpu_is_emulated);
    const Stage plane = frozen_stage(freeze);
    EXPECT(count_rows(&plane, FAST_CUBE, "", "") == 0 && count_rows(&plane, SPHERE, "", "") == 0);
}

/* ---- Grids that a stage refuses ---- */

static const char *refuse_above_40(int width, int height)
{
    return width > 40 || height > 40 ? "up to 40 x 40" : NULL;
}

static const char *refuse_32_and_34(int width, int height)
{
    return width == 32 || height == 34 ? "neither 32 nor 34" : NULL;
}

static const char *refuse_16(int width, int height)
{
    return width == 16 || height == 16 ? "not 16" : NULL;
}

static const char *refuse_all_but_one_cell(int width, int height)
{
    return width > 1 || height > 1 ? "1 x 1" : NULL;
}

static const char *refuse_all(int width, int height)
{
    (void)width, (void)height;
    return "none";
}

TEST(rows_of_a_refused_grid_are_left_out)
{
    Stage stage = frozen_stage(freeze);
    stage.unsupported = refuse_above_40;
    const int left_out[KNOWN_FLOWS] = {
        [CHANNEL] = 0, [VORTICES] = 2, [SLOW_CAVITY] = 1, [FAST_CAVITY] = 1, [CHANNEL_CYLINDER] = 1};
    for (int n = 0; n < KNOWN_FLOWS; n++)
        EXPECT(count_rows(&stage, n, "left out: up to 40 x 40", "") == left_out[n]);
    const char *const sizes[] = {"64x64", "66x66", "98x98", "128x128", "222x43"};
    for (int n = 0; n < KNOWN_FLOWS; n++)
        for (int k = 0; k < 5; k++)
            EXPECT(count_rows(&stage, n, sizes[k], " ok") == 0 &&
                   count_rows(&stage, n, sizes[k], " FAIL") == 0);
    EXPECT(count_rows(&stage, VORTICES, "32x32", " FAIL") > 0 &&
           count_rows(&stage, CHANNEL, "", " FAIL") > 0);
}

/** An order takes two sizes in succession, and so does the viscosity of 16 and 32 together. */
TEST(rows_that_need_a_refused_grid_are_left_out)
{
    Stage stage = frozen_stage(freeze);
    EXPECT(count_rows(&stage, VORTICES, "order", "") == 2 &&
           count_rows(&stage, SLOW_CAVITY, "order", "") == 2);
    EXPECT(count_rows(&stage, VORTICES, "of 16 and 32", "") == 1);
    stage.unsupported = refuse_32_and_34;
    EXPECT(count_rows(&stage, VORTICES, "order", "") == 0 &&
           count_rows(&stage, SLOW_CAVITY, "order", "") == 0);
    EXPECT(count_rows(&stage, VORTICES, "of 16 and 32", "") == 0);
    stage.unsupported = refuse_16;
    EXPECT(count_rows(&stage, VORTICES, "order", "") == 1);
    EXPECT(count_rows(&stage, VORTICES, "of 16 and 32", "") == 0);
}

TEST(a_stage_that_refuses_every_grid_fails)
{
    Stage stage = frozen_stage(freeze);
    stage.unsupported = refuse_all_but_one_cell;
    const Stage *const all[] = {&stage};
    EXPECT(validate(all, 1, NULL, small_block) == 1);
}

/* ---- The last line ---- */

/** The last line of what validate prints of these stages. */
static const char *last_line(const Stage *const *all, int count)
{
    static char line[512];
    FILE *table = tmpfile();
    fflush(stdout);
    const int terminal = dup(STDOUT_FILENO);
    dup2(fileno(table), STDOUT_FILENO);
    validate(all, count, NULL, small_block);
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    close(terminal);
    rewind(table);
    while (fgets(line, sizeof line, table))
        continue;
    fclose(table);
    return line;
}

static const char *refuse_all_but_the_channel(int width, int height)
{
    return width * height == 1 || (width == 4 && height == 18) ? NULL : "a channel";
}

static void set_parabola(const Scenario *s, Real *f, double share)
{
    for (int y = 1; y < s->height - 1; y++)
        for (int x = 0; x < s->width; x++)
            for (int i = 0; i < DIRECTIONS; i++)
                f[DIRECTIONS * ((size_t)y * s->width + x) + i] =
                    equilibrium(i, 0.0f, (Real)(share * exact_at(s, 0.0, (Position){x, y, 0}).ux), 0.0f);
}

static void give_parabola(const Solver *solver, Real *f)
{
    const Scenario *s = ((const Frozen *)solver)->scenario;
    initial_populations(s, f);
    set_parabola(s, f, 1.0);
}

static void read_parabola(const Solver *solver, Cells cells, Real *f)
{
    read_some(give_parabola, solver, ((const Frozen *)solver)->scenario, cells, f);
}

TEST(the_last_line_says_what_was_checked)
{
    Stage right = frozen_stage(freeze), nan = frozen_stage(freeze_with_nan), none = frozen_stage(freeze);
    right.read = read_parabola;
    right.epsilon = 1.0 / (1 << 12);
    right.unsupported = nan.unsupported = refuse_all_but_the_channel;
    none.unsupported = refuse_all_but_one_cell;
    nan.name = "nan";
    none.name = "none";
    const Stage *const all[] = {&right, &right, &nan, &none};
    EXPECT(strcmp(last_line(all, 2), "2 stages, 1 flow, 8 quantities: all hold; grids left out, for the "
                                     "reasons above: 16\n") == 0);
    EXPECT(strcmp(last_line(all, 3), "3 stages, 1 flow, 12 quantities: 4 checks failed, in nan; grids left "
                                     "out, for the reasons above: 25\n") == 0);
    EXPECT(
        strcmp(last_line(all + 2, 2),
               "1 stage, 1 flow, 4 quantities: 5 checks failed, in nan, none; nothing was checked of none; "
               "grids left out, for the reasons above: 19\n") == 0);
}

TEST(what_the_device_can_not_run_is_left_out)
{
    Stage right = frozen_stage(freeze), none = frozen_stage(freeze);
    right.read = read_parabola;
    right.epsilon = 1.0 / (1 << 12);
    right.unsupported = refuse_all_but_the_channel;
    none.unsupported = refuse_all;
    none.name = "none";
    const Stage *const all[] = {&right, &none};
    EXPECT(validate(all, 2, NULL, small_block) == 0);
    EXPECT(strcmp(last_line(all, 2), "1 stage, 1 flow, 4 quantities: all hold; nothing was checked of none; "
                                     "grids left out, for the reasons above: 8\n") == 0);
}

/* ---- The bounds ---- */

/* What a stage errs by in which all moves as one, and so is steady. */
static double mass_drift, drag_error, channel_error;

static void set_drag(const Scenario *s, Real *f, double drag)
{
    Snapshot r = {.scenario = s, .f = f, .moments = allocate(cell_count(s) * sizeof(Moments))};
    find_moments(&r);
    LinkList links = find_links(s);
    const double missing = drag - force_on_bodies(&r, &links).drag;
    int along = 0; // links that a change of the population moves the drag by
    for (size_t n = 0; n < links.count; n++)
        along += links.link[n].ex * links.link[n].ex;
    const double unit = 0.5 * stream_density(&r) * s->u * s->u * s->length;
    for (size_t n = 0; n < links.count; n++)
        f[links.link[n].population] -= (Real)(missing * unit * links.link[n].ex / (2.0 * along));
    destroy_links(&links);
    free(r.moments);
}

static void give_erring(const Solver *solver, Real *f)
{
    const Scenario *s = ((const Frozen *)solver)->scenario;
    initial_populations(s, f);
    if (channel_error != 0.0 && strcmp(s->flow->name, "poiseuille") == 0)
        set_parabola(s, f, 1.0 - channel_error);
    for (size_t n = 0; n < population_count(s) && channel_error == 0.0; n++)
        f[n] += (Real)(mass_drift / DIRECTIONS + 0.01 * ex((int)(n % DIRECTIONS)));
    if (strcmp(s->flow->name, "channel_cylinder") == 0)
        set_drag(s, f, 5.5795 * (1.0 + drag_error));
}

static void read_erring(const Solver *solver, Cells cells, Real *f)
{
    read_some(give_erring, solver, ((const Frozen *)solver)->scenario, cells, f);
}

static Stage erring = {
    .name = "erring",
    .lattice = &d2q9,
    .summary = "an error",
    .epsilon = 1.0 / (1 << 12),
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .create = freeze,
    .write = write_nothing,
    .advance = stay,
    .read = read_erring,
    .destroy = thaw,
};

/** How many rows of all flows name the quantity and have the verdict. */
static int rows(const char *quantity, const char *verdict)
{
    int count = 0;
    for (int n = 0; n < KNOWN_FLOWS; n++)
        count += count_rows(&erring, n, quantity, verdict);
    return count;
}

TEST(mass_may_drift_by_some_roundings_and_no_more)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        mass_drift = sign * 3.0 * erring.epsilon;
        EXPECT(rows("mass", " ok") >= 3 && rows("mass", " FAIL") == 0);
        mass_drift = sign * 6.0 * erring.epsilon;
        EXPECT(rows("mass", " ok") == 0 && rows("mass", " FAIL") >= 3);
    }
    mass_drift = 0.0;
}

TEST(drag_may_be_off_by_some_percent_and_no_more)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        drag_error = sign * 0.06;
        EXPECT(rows("drag", " ok") == 1 && rows("drag", " FAIL") == 0);
        drag_error = sign * 0.11;
        EXPECT(rows("drag", " ok") == 0 && rows("drag", " FAIL") == 1);
    }
    drag_error = 0.0;
}

TEST(unbiased_rounding_loses_less_of_a_small_force)
{
    channel_error = 0.02; // rounded to nearest: epsilon steps; unbiased: epsilon sqrt(steps)
    erring.rounding = TO_NEAREST;
    EXPECT(rows("parabola", " ok") == 1 && rows("parabola", " FAIL") == 0);
    erring.rounding = STOCHASTIC;
    EXPECT(rows("parabola", " ok") == 0 && rows("parabola", " FAIL") == 1);
    channel_error = 0.002;
    EXPECT(rows("parabola", " ok") == 1 && rows("parabola", " FAIL") == 0);
    channel_error = 0.12;
    erring.rounding = TO_NEAREST;
    EXPECT(rows("parabola", " ok") == 0 && rows("parabola", " FAIL") == 1);
    channel_error = 0.0;
}
