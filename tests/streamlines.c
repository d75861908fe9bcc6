#include "output/streamlines.h"

#include "check.h"

#include <stdlib.h>

/** The pieces of all lines. */
typedef struct {
    int count;
    double x[100000][2], y[100000][2];
} Pieces;

static Pieces pieces;

static void keep(void *target, double x0, double y0, double x1, double y1)
{
    Pieces *p = target;
    if (p->count == 100000)
        return;
    p->x[p->count][0] = x0, p->x[p->count][1] = x1;
    p->y[p->count][0] = y0, p->y[p->count++][1] = y1;
}

typedef double (*Speed)(double x, double y);

/** Draws a flow of these speeds. */
static Scenario draw_flow(int width, int height, Speed ux, Speed uy, int x_wall)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = width, .height = height});
    for (int y = 0; x_wall >= 0 && y < height; y++)
        s.type[y * width + x_wall] = WALL;
    Snapshot r = create_snapshot(&s);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            r.moments[y * width + x] = (Moments){.ux = (Real)ux(x, y), .uy = (Real)uy(x, y)};
    pieces.count = 0;
    draw_streamlines(&r, keep, &pieces);
    destroy_snapshot(&r);
    return s;
}

static double none(double x, double y)
{
    return 0.0 * (x + y);
}

static double one(double x, double y)
{
    return 1.0 + 0.0 * (x + y);
}

/** How many different values there are. */
static int count_different(double (*value)[2])
{
    static double seen[1000];
    int count = 0;
    for (int n = 0; n < pieces.count; n++) {
        int k = 0;
        while (k < count && !(fabs(seen[k] - value[n][0]) < 1e-4))
            k++;
        if (k == count && count < 1000)
            seen[count++] = value[n][0];
    }
    return count;
}

TEST(lines_of_a_stream_are_straight_and_equally_far_apart)
{
    Scenario s = draw_flow(20, 29, one, none, -1);
    EXPECT(count_different(pieces.y) == 14);
    for (int n = 0; n < pieces.count; n++) {
        EXPECT_NEAR(pieces.y[n][0], pieces.y[n][1], 1e-4);
        EXPECT_NEAR(remainder(pieces.y[n][0] - 1.0, 2.0), 0.0,
                    1e-4); // 28 / 14 apart, the first half of that up
    }
    destroy_scenario(&s);
    s = draw_flow(29, 20, none, one, -1);
    EXPECT(count_different(pieces.x) == 14);
    for (int n = 0; n < pieces.count; n++)
        EXPECT_NEAR(pieces.x[n][0], pieces.x[n][1], 1e-4);
    destroy_scenario(&s);
}

TEST(nothing_is_drawn_without_a_flow)
{
    Scenario s = draw_flow(20, 20, none, none, -1);
    EXPECT(pieces.count == 0);
    destroy_scenario(&s);
    s = draw_flow(1, 20, one, none, -1);
    EXPECT(pieces.count == 0);
    destroy_scenario(&s);
}

TEST(walls_stay_free_of_lines)
{
    Scenario s = draw_flow(20, 29, one, none, 7);
    EXPECT(pieces.count > 0);
    for (int n = 0; n < pieces.count; n++)
        for (int end = 0; end < 2; end++)
            EXPECT(pieces.x[n][end] <= 6.0 || pieces.x[n][end] >= 8.0);
    destroy_scenario(&s);
}

static double turns_x(double x, double y)
{
    return 12.5 - y + 0.0 * x;
}

static double turns_y(double x, double y)
{
    return x - 12.5 + 0.0 * y;
}

TEST(lines_of_a_vortex_are_circles)
{
    Scenario s = draw_flow(26, 26, turns_x, turns_y, -1);
    double largest = 0.0;
    for (int n = 0; n < pieces.count; n++) {
        const double r0 = hypot(pieces.x[n][0] - 12.5, pieces.y[n][0] - 12.5);
        const double r1 = hypot(pieces.x[n][1] - 12.5, pieces.y[n][1] - 12.5);
        EXPECT_NEAR(r0, r1, 0.15);
        largest = fmax(largest, r0);
    }
    EXPECT(largest > 12.5);
    destroy_scenario(&s);
}

static double weak_below(double x, double y)
{
    return (y < 10.0 ? -0.01 : y < 19.5 ? 0.01 : 1.0) + 0.0 * x;
}

static double noise_below(double x, double y)
{
    return (y < 10.0 ? -1e-6 : 1.0) + 0.0 * x;
}

TEST(what_turns_weakly_has_lines_of_its_own)
{
    Scenario s = draw_flow(5, 60, weak_below, none, -1);
    int lines = count_different(pieces.y), weak = 0;
    for (int n = 0; n < pieces.count; n++)
        weak += pieces.y[n][0] < 19.5;
    EXPECT(weak > 0);
    EXPECT(lines >= 14 + 4);
    destroy_scenario(&s);
    s = draw_flow(5, 60, noise_below, none, -1);
    EXPECT(count_different(pieces.y) == 14);
    destroy_scenario(&s);
}
