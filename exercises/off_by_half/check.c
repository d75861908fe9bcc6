#include "check_exercise.h"

#include "run_flow.h"

#include EXERCISE

enum { HEIGHT = 12 };

/** Compares the formula with the steady flow that stage 00 finds. */
static void expect_velocities(const Scenario *s)
{
    Snapshot r = run_flow(&stage_00_cpu_aos, s, small_block, 4000);
    for (int y = 1; y < HEIGHT - 1; y++) {
        const double measured = moments_at(&r, 0, y).ux;
        const double got = channel_velocity(y, HEIGHT, s->physics.force_x, s->nu);
        if (!(fabs(got - measured) <= 1e-5))
            wrong("first wrong velocity: row y=%d of a channel of %d rows: stage 00 finds %.5f, your formula "
                  "%.5f",
                  y, HEIGHT, measured, got);
    }
    destroy_snapshot(&r);
}

void check(void)
{
    part("TODO(1)", "how many rows lie between the two wall rows of a channel of 5 rows?");
    expect_near("fluid rows of a channel of 5 rows", fluid_height(5), 3.0, 0.0);
    expect_near("fluid rows of a channel of 34 rows", fluid_height(34), 32.0, 0.0);

    const Parameters parameters = {.width = 1, .height = HEIGHT, .tau = 0.9330127, .u = 0.05};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    part("TODO(2)",
         "the two y at which your formula is zero: half a cell outside the first and last fluid row");
    expect_velocities(&s);
    part("TODO(3)", "the formula of TODO(2) half way between the walls, whose distance is TODO(1)'s");
    expect_near("peak velocity of a channel of 12 rows", peak_velocity(HEIGHT, s.physics.force_x, s.nu), 0.05,
                1e-6);
    destroy_scenario(&s);
}
