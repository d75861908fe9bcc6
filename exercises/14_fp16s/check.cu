#include "check_exercise.h"

#include EXERCISE

/** Checks that a population survives storage with the precision that the format has for it. */
static void expect_kept(float population, float tolerance)
{
    const float got = unpack(pack(population));
    if (!(fabsf(got - population) <= tolerance))
        wrong("a population of %.6g comes back as %.6g, more than %.2g away", population, got, tolerance);
}

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
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
