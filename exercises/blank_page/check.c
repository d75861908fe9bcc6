#include "check_exercise.h"
#include "hard_grids.h"
#include "host/clock.h"
#include "host_fence.h"
#include "run_flow.h"
#include "simulation/simulation.h"
#include "speed/speed.h"
#include "studies/validate.h"

#include <unistd.h>

// Weak: without a definition its address is NULL, and the check can say so.
extern const Stage STAGE __attribute__((weak));
extern const Stage stage_02_soa __attribute__((weak));

#ifndef SHARE_OF_TARGET
#define SHARE_OF_TARGET 1.0 // the tests of this exercise share their cores with others
#endif

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1, LONG_RUN = 100 };
#else
enum { SANITIZED = 0, LONG_RUN = 1000 };
#endif

/* ---- The contract ---- */

static void expect_contract(void)
{
    if (!&STAGE)
        wrong("the file defines no STAGE: its end must be \"const Stage STAGE = { ... };\" (stage/stage.h)");
    const char *const names[] = {"create", "write", "advance", "read", "destroy"};
    const int there[] = {STAGE.create != NULL, STAGE.write != NULL, STAGE.advance != NULL, STAGE.read != NULL,
                         STAGE.destroy != NULL};
    for (int n = 0; n < 5; n++)
        if (!there[n])
            wrong("STAGE lacks the function `%s`", names[n]);
    if (STAGE.unsupported)
        wrong("STAGE has the function `unsupported`: expected none, as the solver takes any grid");
    if (!STAGE.name || !STAGE.summary || strcmp(STAGE.name, STAGE_NAME) != 0)
        wrong("the first two words of STAGE: expected STAGE_NAME and one line of text");
    if (!(STAGE.epsilon > 0.0 && STAGE.epsilon <= 1.0 / (1 << 24)))
        wrong("epsilon: expected a number up to 2^-24 = %.3g, as of floats, got %.3g", 1.0 / (1 << 24),
              STAGE.epsilon);
    if (STAGE.cycle < 1 || STAGE.cycle > 1000)
        wrong("cycle: expected a number of steps from 1 to 1000, got %d", STAGE.cycle);
    if (!(STAGE.bytes_per_update > 0.0 && STAGE.bytes_per_cell > 0.0))
        wrong("bytes_per_update and bytes_per_cell: expected positive numbers, got %g and %g",
              STAGE.bytes_per_update, STAGE.bytes_per_cell);
    if (!(fabs(STAGE.magic_tau - BGK_MAGIC_TAU) < 1e-6))
        wrong("magic_tau: expected BGK_MAGIC_TAU, as the collision is that of `collide`, got %g",
              STAGE.magic_tau);
}

/** Ends the check if a solver leaves a number of `read` as it was, or a wall has other numbers than zeros. */
static void expect_all_read(const Flow *flow)
{
    Scenario s = create_scenario(flow, (Parameters){.width = 37, .height = 53, .tau = 0.6});
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    advance_simulation(solver, 1);
    const Memory *memory = memory_of(solver);
    const size_t cells = cell_count(&s), bytes = DIRECTIONS * cells * sizeof *r.f;
    Real *there = memory->allocate(bytes);
    memset(r.f, 0xff, bytes); // NaN
    memory->upload(there, r.f, bytes);
    STAGE.read(solver_of(solver), (Cells){(CellNumber)cells, 0, NULL}, there);
    memory->fetch(r.f, there, bytes);
    memory->release(there);
    for (size_t n = 0; n < DIRECTIONS * cells; n++) {
        const int wall = is_wall(s.type[n % cells]);
        if (isnan(r.f[n]) || (wall && !(r.f[n] == 0.0f)))
            wrong(
                "first number that `read` does not write, or of a wall and not 0: cell x=%d y=%d, direction "
                "%s: %g (%s, %d x %d, after step 1)",
                (int)(n % cells % s.width), (int)(n % cells / s.width), direction_name((int)(n / cells)),
                r.f[n], flow->name, s.width, s.height);
    }
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/* ---- The flows ---- */

/** Compares in a flow, after each step and then after each `stride`. */
static void expect_flow_in(const char *name, int width, int height, int stride)
{
    Scenario s = small_flow(name, width, height);
    expect_same(&STAGE, &s, 8, 1);
    expect_same(&STAGE, &s, 3 * stride, stride);
    destroy_scenario(&s);
}

static void expect_small_grids(void)
{
    for (int n = 0; n < SMALL_GRIDS; n++) {
        if (!fits_small_grid(n))
            continue;
        Scenario s = create_small_grid(n);
        expect_same(&STAGE, &s, 5, 1);
        destroy_scenario(&s);
    }
}

static void expect_maze(int width, int height, unsigned solid)
{
    Scenario s = create_maze(width, height, solid);
    expect_same(&STAGE, &s, 7, 1);
    destroy_scenario(&s);
}

/** Ends the check where two results of a solver differ that are to be the same. */
static void expect_equal(const Snapshot *r, const Snapshot *expected, const char *what)
{
    const double difference = velocity_difference(r, expected);
    if (!(difference <= allowed_difference(&STAGE, (int)expected->step) + 6.0 * STAGE.epsilon))
        wrong("%s: the velocity is %.3g of the flow's speed away (%s, %d x %d, after step %ld)", what,
              difference, r->scenario->flow->name, r->scenario->width, r->scenario->height, expected->step);
}

/** Two solvers at a time, read at odd moments, which are to stay out of each other's way. */
static void expect_no_shared_state(void)
{
    Scenario s = small_flow("cavity", 19, 11), t = small_flow("taylor_green", 37, 21);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 7), r = create_snapshot(&s),
             other = create_snapshot(&t);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block),
               *second = begin_simulation(&STAGE, &t, small_block);
    for (int n = 1; n <= 7; n++) {
        advance_simulation(solver, 1);
        advance_simulation(second, 2);
        read_snapshot(&other, second);
    }
    end_simulation(second);
    read_snapshot(&r, solver);
    end_simulation(solver);
    expect_equal(&r, &expected, "two solvers at a time");
    destroy_snapshot(&expected);
    destroy_snapshot(&r);
    destroy_snapshot(&other);
    destroy_scenario(&s);
    destroy_scenario(&t);
}

/** What was read after `first` steps goes on for as many more in a new solver. */
static void expect_going_on(const char *flow, int first, int more)
{
    Scenario s = small_flow(flow, 37, 53);
    Snapshot expected = run_flow(&STAGE, &s, small_block, first + more),
             half = run_flow(&STAGE, &s, small_block, first);
    Scenario rest = s;
    rest.start = (Start){.f = half.f};
    Snapshot r = run_flow(&STAGE, &rest, small_block, more);
    expect_equal(&r, &expected, "a run that goes on from what was read");
    destroy_snapshot(&r);
    destroy_snapshot(&half);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

static void expect_any_block(void)
{
    static const Block blocks[] = {
        {1,   1},
        {7,   3},
        {64,  1},
        {256, 4}
    };
    Scenario s = small_flow("cavity", 37, 53);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 21);
    for (int k = 0; k < 4; k++) {
        char what[64];
        snprintf(what, sizeof what, "blocks of %u x %u instead of 32 x 8", blocks[k].x, blocks[k].y);
        Snapshot r = run_flow(&STAGE, &s, blocks[k], 21);
        expect_equal(&r, &expected, what);
        destroy_snapshot(&r);
    }
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

/**
 * Whether two results agree where the one solver adds up its terms in another order than the other: each may
 * then be as far from the flow without rounding as `agree` allows two results to be apart, so twice as far.
 */
static int agree_in_any_order(const Snapshot *r, const Snapshot *reference, int steps)
{
    return agree(&STAGE, r, reference, 4 * steps); // what is allowed grows as the root of the steps
}

/** Small errors that grow: many steps, an odd number of them. */
static void expect_long_run(const char *flow)
{
    Scenario s = create_scenario(find_flow(flow), (Parameters){.width = 130, .height = 66, .tau = 0.6});
    Snapshot r = run_flow(&STAGE, &s, small_block, LONG_RUN + 1),
             expected = run_flow(&stage_00_cpu_aos, &s, small_block, LONG_RUN + 1);
    if (!agree_in_any_order(&r, &expected, LONG_RUN + 1))
        wrong("against stage 00: the velocity is %.3g of the flow's speed away (%s, %d x %d, after step %ld)",
              velocity_difference(&r, &expected), s.flow->name, s.width, s.height, expected.step);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

/* ---- The speed ---- */

/** What the solver is to be compared with. */
typedef struct {
    const Stage *stage;
    int size;      /**< of the cavity */
    double target; /**< times as fast */
} Goal;

static Goal goal(void)
{
    const int on_gpu = strcmp(EXERCISE + strlen(EXERCISE) - 3, ".cu") == 0;
    const char *why = SANITIZED                   ? "in a build with sanitizers a speed means nothing"
                      : on_gpu && gpu_is_emulated ? "the speed of a .cu file means nothing without a GPU"
                      : on_gpu && !&stage_02_soa  ? "02_soa, with which it is compared, is not in this build"
                                                  : NULL;
    if (why)
        printf("points 11 and 12 are left out: %s\n", why);
    return why      ? (Goal){NULL, 0, 0.0}
           : on_gpu ? (Goal){&stage_02_soa, 4096, 0.95 * SHARE_OF_TARGET}
                    : (Goal){&stage_00_cpu_aos, 512, 8.0 * SHARE_OF_TARGET};
}

enum { LEAST_TURNS = 5, MOST_TURNS = 15, IN_A_ROW = 4 };

/** The highest MLUPS so far: other work on the machine only makes them lower. */
typedef struct {
    double reference;
    double own;   /**< of `advance` */
    double whole; /**< of `advance` with what it leaves for the `read` behind it */
} Best;

static double best_speed(const Stage *stage, const Scenario *s)
{
    const Effort effort = {.repeats = 2, .shortest = 0.05, .longest = 0.1};
    return measure(stage, s, small_block, &effort).mlups.max;
}

static double time_read(const Simulation *solver, Snapshot *r)
{
    const double start = now();
    read_populations(solver, 0, cell_count(r->scenario), r->f);
    return now() - start;
}

/** Times a run from the start with the `read` behind it; keeps what was read. */
static void time_run(Best *best, const Scenario *s, int steps, Snapshot *r)
{
    const double updates = 1e-6 * (double)cell_count(s) * steps;
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    const double first = time_read(solver, r), start = now();
    advance_simulation(solver, steps);
    wait_for_simulation(solver);
    const double advance = now() - start, read = time_read(solver, r), again = time_read(solver, r);
    read_snapshot(r, solver);
    end_simulation(solver);
    best->own = fmax(best->own, updates / fmax(advance, 1e-9));
    best->whole = fmax(best->whole, updates / fmax(advance + read - fmin(first, again), 1e-9));
}

static int returns_when_done(const Best *best)
{
    return best->whole >= 0.5 * SHARE_OF_TARGET * best->own;
}

/** Ends the check if `read` does what `advance` should have done. */
static void expect_no_work_left(const Best *best, int steps)
{
    if (!returns_when_done(best))
        wrong("`advance` makes %.3g MLUPS, but %.3g in a run of %d steps with the `read` behind it: it is to "
              "return when its work is done",
              best->own, best->whole, steps);
}

/**
 * Times both solvers in turns, so that other work meets both. Goes on where other work may be why a little is
 * lacking, and until the target is met in several turns in a row, because other work may end just when one of
 * the two runs.
 */
static void take_turns(Best *best, const Goal *g, const Scenario *s, int steps, Snapshot *r)
{
    int met = 0, settled = 0;
    for (int turn = 0; turn < LEAST_TURNS || (turn < MOST_TURNS && !settled); turn++) {
        best->reference = fmax(best->reference, best_speed(g->stage, s));
        best->own = fmax(best->own, best_speed(&STAGE, s));
        time_run(best, s, steps, r);
        const double share = best->own / (g->target * best->reference);
        met = share >= 1.0 ? met + 1 : 0;
        settled = returns_when_done(best) && (share < 0.5 || met >= IN_A_ROW);
    }
}

/** Ends the check if what was measured is not the flow. */
static void expect_flow_measured(const Goal *g, const Scenario *s, int steps, const Snapshot *r)
{
    Snapshot expected = run_flow(g->stage, s, small_block, steps);
    if (!agree_in_any_order(r, &expected, steps))
        wrong("the flow that is measured is not right after %d steps", steps);
    destroy_snapshot(&expected);
}

static void expect_speed(const Goal *g)
{
    const Parameters parameters = {.width = g->size, .height = g->size, .tau = measured_tau};
    Scenario s = create_scenario(find_flow("cavity"), parameters);
    Snapshot r = run_flow(&STAGE, &s, small_block, 10), expected = run_flow(g->stage, &s, small_block, 10);
    if (!(velocity_difference(&r, &expected) <= 1e-4))
        wrong("the flow that is measured is not right after 10 steps");
    destroy_snapshot(&expected);
    Best best = {.reference = best_speed(g->stage, &s)};
    // A quarter of a second at the speed asked for.
    const int steps = 1 + (int)(0.25e6 * g->target * best.reference / (double)cell_count(&s));
    for (int turn = 0; turn == 0 || (turn < LEAST_TURNS && !returns_when_done(&best)); turn++)
        time_run(&best, &s, steps, &r);
    expect_no_work_left(&best, steps); // else nothing would end the measurement
    take_turns(&best, g, &s, steps, &r);
    expect_no_work_left(&best, steps);
    expect_flow_measured(g, &s, steps, &r);
    const double ratio = best.own / best.reference;
    destroy_snapshot(&r);
    destroy_scenario(&s);
    printf("speed: %.2f times %s (cavity, %d x %d), the target is %.2f times: %.0f %% of it\n", ratio,
           g->stage->name, g->size, g->size, g->target, 100.0 * ratio / g->target);
    if (!(ratio >= g->target))
        wrong("right, but too slow");
}

/* ---- What is known of the flows ---- */

/** Runs `validate`, which prints a row for each check, and shows only the rows that fail. */
static void expect_known_flows(void)
{
    const Stage *const stage = &STAGE;
    FILE *rows = tmpfile();
    if (!rows)
        fail(EXIT_MACHINE, "can't create a temporary file");
    fflush(stdout);
    const int screen = dup(STDOUT_FILENO);
    dup2(fileno(rows), STDOUT_FILENO);
    const int failed = validate(&stage, 1, NULL, small_block);
    fflush(stdout);
    dup2(screen, STDOUT_FILENO);
    close(screen);
    rewind(rows);
    for (char line[256]; fgets(line, sizeof line, rows);)
        if (strstr(line, "FAIL"))
            printf("%s", line);
    fclose(rows);
    if (failed != 0)
        wrong("%d of the checks of `lbm validate` fail", failed);
}

void check(void)
{
    part("point 1 of README.md", "the end of stage/stage.h, and the end of any stage's solver");
    expect_contract();
    if (fence_main_memory)
        fence_main_memory(1);
    part("point 2 of README.md",
         "`put` gets the populations of each cell at time 0, and `get` brings them back, f[i], whatever your "
         "layout is");
    for (int k = 0; k < flow_count; k++) {
        if (!takes_flow(&STAGE, &flows[k]))
            continue;
        Scenario s = create_scenario(&flows[k], odd_grid(&flows[k]));
        expect_same(&STAGE, &s, 0, 1);
        destroy_scenario(&s);
    }
    part("point 3 of README.md",
         "no walls here, and all is fluid: collide, and stream to the neighbours. What "
         "leaves the grid comes in again on the other side");
    expect_flow_in("taylor_green", 32, 16, 7);
    expect_flow_in("taylor_green", 37, 21, 6);
    part("point 4 of README.md", "walls: what flies into one comes back, and gains if the wall moves");
    expect_flow_in("poiseuille", 5, 9, 5);
    expect_flow_in("cavity", 37, 21, 7);
    part("point 5 of README.md", "cells of in- and outflow, whose type and row `collide` needs");
    expect_flow_in("cylinder", 40, 23, 7);
    expect_flow_in("channel_cylinder", 60, 23, 7);
    expect_flow_in("bodies", 40, 33, 5);
    part("point 6 of README.md", "cells of all types in any neighbourhood, and grids of one row or column");
    expect_maze(31, 40, 4);
    expect_maze(40, 31, 8);
    expect_maze(1, 9, 3);
    expect_small_grids();
    for (int k = 0; k < flow_count; k++)
        if (takes_flow(&STAGE, &flows[k]))
            expect_all_read(&flows[k]);
    part("point 7 of README.md", "what a solver knows belongs into its `struct Solver`");
    expect_no_shared_state();
    part("point 8 of README.md", "a scenario may begin with another state, which `put` gets like any start");
    expect_going_on("cavity", 6, 7);
    expect_going_on("taylor_green", 7, 6);
    part("point 9 of README.md", "the user chooses the shape of a block");
    expect_any_block();
    part("point 10 of README.md", "right for a few steps, and not for many: which error grows?");
    for (int k = 0; k < flow_count; k++)
        if (takes_flow(&STAGE, &flows[k]))
            expect_long_run(flows[k].name);

    if (fence_main_memory) // pages beside a fence are not where malloc has them
        fence_main_memory(0);

    const Goal g = goal();
    if (!g.stage)
        return;
    part("point 11 of README.md",
         "how many bytes does your loop move for each update, and does it compute one "
         "cell at a time?");
    expect_speed(&g);
    part("point 12 of README.md", "many thousand steps, against solutions that are known");
    expect_known_flows();
}
