#include "check_exercise.h"
#include "run_flow.h"

#include "host/allocate.h"

#include EXERCISE

/** Checks that a population survives storage with the precision that the format has for it. */
static void expect_kept(float population, float tolerance)
{
    const float got = unpack(pack(population));
    if (!(fabsf(got - population) <= tolerance))
        wrong("a population of %.6g comes back as %.6g, more than %.2g away", population, got, tolerance);
}

#ifndef __CUDACC__ // a GPU's compiler may fuse operations, and the last bits differ

/** What storage leaves of a population. */
static float stored(float f)
{
    return __half2float(__float2half_rn(f * 32768.0f)) / 32768.0f;
}

/** A step with two grids, rounded where stage 04 stores: before the gain in an even step, after it in an odd
 * one. */
static void reference_step(const Scenario *s, const float *f, float *next, int odd)
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const int cell = y * s->width + x;
            float here[9];
            memcpy(here, f + 9 * cell, sizeof here);
            if (is_wall(s->type[cell]))
                continue;
            collide(here, s->type[cell], y, &s->physics);
            for (int i = 0; i < 9; i++) {
                const Destination to = boundary(&s->physics, s->type, x, y, i);
                next[9 * to.cell + to.direction] =
                    odd ? stored(here[i] + to.gain) : stored(here[i]) + to.gain;
            }
        }
}

/** Follows the cavity bit by bit: a rounding too many is smaller than the error that FP16S makes anyway. */
static void expect_bits(void)
{
    Scenario s = small_flow("cavity", 13, 9);
    const size_t count = 9 * cell_count(&s), bytes = count * sizeof(float);
    float *f = (float *)allocate(bytes), *next = (float *)allocate(bytes);
    initial_populations(&s, f);
    for (int n = 0; n < 20; n++) {
        reference_step(&s, f, next, n % 2);
        memcpy(f, next, bytes);
        Snapshot got = run_flow(&STAGE, &s, small_block, n + 1);
        for (size_t k = 0; k < count; k++)
            if (!(got.f[k] == f[k]) && !is_wall(s.type[k / 9]))
                wrong("first wrong bits: cell x=%d y=%d, direction %s: expected %.9g, got %.9g (cavity, 13 x "
                      "9, after step %d)",
                      (int)(k / 9 % s.width), (int)(k / 9 / s.width), direction_name(k % 9), f[k], got.f[k],
                      n + 1);
        destroy_snapshot(&got);
    }
    free(f);
    free(next);
    destroy_scenario(&s);
}

#endif

void check(void)
{
    const float epsilon = 1.0f / 2048.0f;
    part("TODO(1) and TODO(2)", "unpack must undo what pack does");
    expect_kept(0.0f, 0.0f);
    expect_kept(0.25f, 0.0f);
    expect_kept(-0.1f, 0.1f * epsilon);
    part("TODO(1) and TODO(2)",
         "tiny populations: a half is less precise below 2^-14, so lift them above it");
    expect_kept(1e-6f, 1e-6f * epsilon);
    expect_kept(3e-9f, 3e-9f * epsilon);
    part("TODO(1) and TODO(2)", "a half ends at 65504; populations up to 1.99 are to fit");
    expect_kept(1.99f, 1.99f * epsilon);
    part("TODO(1) and TODO(2)", "what is stored in between must be 2^15 times the population");
    if (!(__half2float(pack(1.0f)) == 32768.0f))
        wrong("pack(1): expected the half 32768, got %g", __half2float(pack(1.0f)));

    part("TODO(3) and TODO(4)", "step 1 is even_step's and right, step 2 is yours");
    expect_flow(&STAGE, "taylor_green", 37, 21, 4);
    part("TODO(3) and TODO(4)",
         "away from the lid all is right: the gain is added to the float, at both ends of the step");
    expect_flow(&STAGE, "cavity", 13, 9, 4);
    expect_flow(&STAGE, "cavity", 37, 21, 20);
#ifndef __CUDACC__
    part("TODO(3) and TODO(4)",
         "right but for roundings: only what lies in memory is rounded, once, so the gain is added "
         "to a float, after unpack and before pack");
    expect_bits();
#endif
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
