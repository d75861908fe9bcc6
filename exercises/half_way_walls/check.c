#include "check_exercise.h"

#include EXERCISE

static void expect_gain(float ux, float uy)
{
    for (int i = 0; i < 9; i++) {
        const float expected = -6.0f * weight(i) * dot(i, ux, uy), got = my_wall_gain(i, ux, uy);
        if (!(fabsf(got - expected) <= 1e-7f))
            wrong("first wrong gain: direction %s, wall velocity (%g, %g): expected %.4g, got %.4g",
                  direction_name(i), ux, uy, expected, got);
    }
}

static void expect_landing(const Scenario *s, int x, int y, int i, int with_gain)
{
    const Destination a = boundary(&s->physics, s->type, x, y, i);
    const Destination b = my_boundary(&s->physics, s->type, x, y, i);
    if (a.cell != b.cell || a.direction != b.direction)
        wrong("first wrong landing: from cell x=%d y=%d, direction %s: expected x=%d y=%d, direction %s, got "
              "x=%d "
              "y=%d, direction %s",
              x, y, direction_name(i), (int)(a.cell % s->width), (int)(a.cell / s->width),
              direction_name(a.direction), (int)(b.cell % s->width), (int)(b.cell / s->width),
              direction_name(b.direction));
    if (with_gain && !(fabsf(a.gain - b.gain) <= 1e-7f))
        wrong("first wrong gain: from cell x=%d y=%d, direction %s: expected %.4g, got %.4g", x, y,
              direction_name(i), a.gain, b.gain);
}

/** The cell in the middle of the grid is of the type named. */
static void expect_landings(const char *flow, CellType middle, int with_gain)
{
    Scenario s = small_flow(flow, 6, 5);
    s.type[2 * s.width + 3] = middle;
    for (int i = 0; i < 9; i++) // a lid of another speed than the flow's
        s.physics.wall_gain[i] = -6.0f * weight(i) * dot(i, 0.07f, 0.0f);
    for (int y = 0; y < s.height; y++)
        for (int x = 0; x < s.width; x++)
            for (int i = 0; i < 9 && !is_wall(s.type[y * s.width + x]); i++)
                expect_landing(&s, x, y, i, with_gain);
    destroy_scenario(&s);
}

void check(void)
{
    part("TODO(1)", "sign and factor: what flies with the wall (e_i . u > 0) comes back with less");
    expect_gain(0.1f, 0.0f);
    expect_gain(0.03f, -0.08f);

    part("TODO(2)",
         "which cell's type decides, in which cell the population lands, and which way it then flies");
    expect_landings("poiseuille", FLUID, 0);
    expect_landings("cavity", FLUID, 0);
    part("TODO(2)", "here are no walls: what leaves at one edge comes in at the opposite one");
    expect_landings("taylor_green", FLUID, 0);
    part("TODO(2)", "a body in the stream is solid too: is_wall knows every type that is");
    expect_landings("taylor_green", BODY, 0);

    part("TODO(3)",
         "which walls give something (the lid is the top row, y=4, without its corners); the gain is that of "
         "the direction before the wall, and physics->wall_gain knows the speed of the lid");
    expect_landings("poiseuille", FLUID, 1);
    expect_landings("cavity", FLUID, 1);
    expect_landings("taylor_green", BODY, 1);
}
