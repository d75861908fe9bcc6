#include "studies/convergence.h"
#include "fake.h"
#include "lattice/d2q9.h"
#include "refused.h"
#include "studies/past_bodies.h"

#include "check.h"
#include "host/allocate.h"

static const Block small_block = {32, 8};

static const Study *study_of(const char *flow)
{
    for (int n = 0; n < study_count; n++)
        if (strcmp(studies[n].flow, flow) == 0)
            return &studies[n];
    return NULL;
}

TEST(an_order_is_a_power_of_the_size)
{
    EXPECT_NEAR(order_of_convergence(0.4, 0.1, 8, 16), 2.0, 1e-12);
    EXPECT_NEAR(order_of_convergence(0.3, 0.1, 10, 30), 1.0, 1e-12);
    EXPECT_NEAR(order_of_convergence(0.1, 0.8, 32, 64), -3.0, 1e-12);
}

TEST(what_is_no_error_has_no_order)
{
    const double bad[] = {NAN, 0.0, -0.1, HUGE_VAL};
    for (int n = 0; n < 4; n++) {
        EXPECT(isnan(order_of_convergence(bad[n], 0.1, 8, 16)));
        EXPECT(isnan(order_of_convergence(0.1, bad[n], 8, 16)));
        EXPECT(isnan(order_of_convergence(bad[n], bad[n], 8, 16)));
    }
}

/** Re and tau are held, the speed goes as 1 / size, and a size is the length of the flow, or in proportion.
 */
TEST(sizes_are_scaled_diffusively)
{
    for (int k = 0; k < study_count; k++) {
        const Study *study = &studies[k];
        const int smallest = study->smallest;
        const Scenario first = study_scenario(study, smallest);
        EXPECT(smallest % study->multiple == 0 && quantity_count(study) <= MOST_QUANTITIES);
        for (int n = 0; study->sizes[n]; n++)
            EXPECT(study->sizes[n] >= smallest && study->sizes[n] % study->multiple == 0);
        for (int size = smallest; size <= 64 * smallest; size *= 4) {
            const Scenario s = study_scenario(study, size);
            const double times = (double)size / smallest;
            EXPECT_NEAR(s.re, first.re, 1e-9 * first.re);
            EXPECT_NEAR(s.tau, first.tau, 1e-9);
            EXPECT_NEAR(s.u, first.u / times, 1e-12);
            EXPECT_NEAR(s.length, first.length * times, 1e-9 * s.length);
            if (study->steps)
                EXPECT_NEAR(study->steps(&s) / (study->steps(&first) * times * times), 1.0, 0.05);
        }
    }
}

/* ---- Stages whose errors are known ---- */

/** Where a stage is, and what it makes of the solution: velocity and pressure have the same relative error.
 */
typedef struct {
    const Scenario *scenario;
    long step;
} Known;

static double error_at_1;       // at size 1
static double planted_order;    // the error falls as 1 / size^this
static double change_of_a_step; // relative
static int step_of_nan;         // -1: none
static double alternation;      // what odd steps have more than even ones

static Solver *begin(const Scenario *scenario, const CellType *type, Block block)
{
    (void)type, (void)block;
    Known *known = allocate(sizeof *known);
    *known = (Known){scenario, 0};
    return (Solver *)known;
}

static void resume(Solver *solver, int steps)
{
    ((Known *)solver)->step += steps;
}

static void give_known(const Solver *solver, Real *f)
{
    const Known *known = (const Known *)solver;
    const Scenario *s = known->scenario;
    const int size = strcmp(s->flow->name, "poiseuille") == 0 ? s->height - 2 : s->width;
    double share = 1.0 + error_at_1 / pow(size, planted_order) + change_of_a_step * (double)known->step;
    share += alternation * (double)(known->step % 2);
    if (step_of_nan >= 0 && known->step >= step_of_nan)
        share = NAN;
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++, f += DIRECTIONS) {
            const Moments m = exact_at(s, (double)known->step, (Position){x, y, 0});
            for (int i = 0; i < DIRECTIONS; i++)
                f[i] =
                    is_wall(s->type[(size_t)y * s->width + x])
                        ? 0.0f
                        : equilibrium(i, (Real)(share * m.drho), (Real)(share * m.ux), (Real)(share * m.uy));
            f[1] -= 0.25f * s->physics.force_x; // of which moments add half
            f[3] += 0.25f * s->physics.force_x;
        }
}

static void read_known(const Solver *solver, Cells cells, Real *f)
{
    read_some(give_known, solver, ((const Known *)solver)->scenario, cells, f);
}

static void end(Solver *solver)
{
    free(solver);
}

static const Stage known_stage = {
    .name = "known",
    .summary = "nothing",
    .lattice = &d2q9,
    .epsilon = 1e-7,
    .cycle = 1,
    .create = begin,
    .write = write_nothing,
    .advance = resume,
    .read = read_known,
    .destroy = end,
};

static void plant(double error, double order, double change, int nan)
{
    error_at_1 = error;
    planted_order = order;
    change_of_a_step = change;
    step_of_nan = nan;
}

TEST(a_planted_order_is_found)
{
    const char *const flows_with_solutions[] = {"poiseuille", "taylor_green"};
    for (int k = 0; k < 2; k++)
        for (int order = 1; order <= 3; order++) {
            plant(0.5, order, 0.0, -1);
            const Study *study = study_of(flows_with_solutions[k]);
            const Refinement coarse = refine(study, &known_stage, small_block, 12);
            const Refinement fine = refine(study, &known_stage, small_block, 30);
            EXPECT_NEAR(coarse.error[0], 0.5 / pow(12, order), 1e-5);
            EXPECT_NEAR(order_of_convergence(coarse.error[0], fine.error[0], 12, 30), order, 0.02);
            if (quantity_count(study) == 2)
                EXPECT_NEAR(coarse.error[1], 0.5 / pow(12, order), 1e-4);
        }
}

static void refine_channel(void)
{
    refine(study_of("poiseuille"), &known_stage, small_block, 12);
}

static void refine_vortices(void)
{
    refine(study_of("taylor_green"), &known_stage, small_block, 12);
}

/** The code with which a call ends, which says why in one line. */
static int failure_of(void (*call)(void), const char *reason)
{
    char text[4096];
    const int code = exit_code_of(call, text, sizeof text);
    const char *line_end = strchr(text, '\n');
    EXPECT(line_end && line_end[1] == '\0' && strstr(text, reason));
    return code;
}

TEST(a_flow_that_diverges_has_no_error)
{
    plant(0.0, 1.0, 0.0, 0);
    EXPECT(failure_of(refine_channel, "poiseuille diverged at 4x14 cells by step ") == EXIT_CHECK);
    EXPECT(failure_of(refine_vortices, "taylor_green diverged at 12x12 cells by step ") == EXIT_CHECK);
    plant(0.0, 1.0, 1e-6, 500);
    EXPECT(failure_of(refine_channel, "poiseuille diverged at 4x14 cells by step ") == EXIT_CHECK);
}

TEST(a_flow_that_does_not_settle_has_no_error)
{
    plant(0.0, 1.0, 1e-6, -1); // 44 steps are an interval
    EXPECT(failure_of(refine_channel, "poiseuille is not steady at 4x14 cells by step 8800: ") == EXIT_CHECK);
    plant(0.0, 1.0, 1e-8, -1);
    refine_channel();
}

TEST(what_goes_up_and_down_with_each_step_is_settled)
{
    plant(0.0, 1.0, 0.0, -1);
    alternation = 1e-3;
    for (int size = 11; size < 15; size++)
        EXPECT_NEAR(refine(study_of("poiseuille"), &known_stage, small_block, size).error[0], 0.0, 1e-6);
    alternation = 0.0;
}

TEST(only_what_is_published_is_compared_with)
{
    const Parameters other = {.width = 222, .height = 43, .re = 21.0};
    const Parameters published = {.width = 222, .height = 43, .re = 20.0};
    const char *const names[] = {"cylinder", "channel_cylinder", "channel_cylinder"};
    for (int n = 0; n < 3; n++) {
        Scenario s = create_scenario(find_flow(names[n]), n == 1 ? other : published);
        Snapshot r = initial_snapshot(&s);
        EXPECT(isnan(drag_deviation(&r)) == (n < 2) && isnan(lift_deviation(&r)) == (n < 2) &&
               isnan(pressure_deviation(&r)) == (n < 2));
        destroy_snapshot(&r);
        destroy_scenario(&s);
    }
}
