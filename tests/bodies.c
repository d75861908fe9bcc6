#include "scenario.h"

#include "check.h"
#include "refused.h"

#include <stdlib.h>

static Scenario scene(int width, int height, Bodies bodies)
{
    return create_scenario(find_flow("bodies"),
                           (Parameters){.width = width, .height = height, .bodies = bodies});
}

static int count_bodies(const Scenario *s)
{
    int count = 0;
    for (size_t cell = 0; cell < cell_count(s); cell++)
        count += s->type[cell] == BODY;
    return count;
}

static Bodies one(Body shape)
{
    return (Bodies){.count = 1, .body = {shape}};
}

static Body box(double x, double y, double width, double height)
{
    return (Body){0, x, y, width, height};
}

TEST(a_disc_covers_the_cells_whose_centres_lie_in_it)
{
    Scenario s = scene(40, 30, one(disc(15.0, 12.0, 2.0)));
    EXPECT(count_bodies(&s) == 13);
    EXPECT(s.type[12 * 40 + 17] == BODY && s.type[12 * 40 + 18] == FLUID && s.type[14 * 40 + 16] == FLUID);
    EXPECT(s.length == 4.0);
    destroy_scenario(&s);
}

TEST(a_box_covers_its_cells)
{
    Scenario s = scene(40, 30, one(box(7.0, 9.0, 3.0, 5.0)));
    EXPECT(count_bodies(&s) == 15);
    EXPECT(s.type[9 * 40 + 7] == BODY && s.type[13 * 40 + 9] == BODY);
    EXPECT(s.type[9 * 40 + 6] == FLUID && s.type[14 * 40 + 9] == FLUID && s.type[9 * 40 + 10] == FLUID);
    EXPECT(s.length == 5.0);
    destroy_scenario(&s);
}

TEST(the_highest_body_is_the_reference)
{
    Bodies bodies = {
        .count = 3, .body = {disc(9, 9, 2), box(20, 5, 9, 7), disc(9, 20, 3)}
    };
    EXPECT(highest_body(&bodies) == 7.0);
    EXPECT(highest_body(&(Bodies){0}) == 0.0);
}

TEST(a_drawing_is_placed_pixel_by_pixel)
{
    unsigned char dark[6 * 5] = {0};
    dark[1 * 6 + 2] = dark[3 * 6 + 4] = 1;
    Scenario s = scene(6, 5,
                       (Bodies){
                           .mask = {6, 5, dark}
    });
    EXPECT(count_bodies(&s) == 2 && s.type[1 * 6 + 2] == BODY && s.type[3 * 6 + 4] == BODY);
    EXPECT(s.length == 3.0);
    destroy_scenario(&s);
}

TEST(drawing_and_shapes_go_together)
{
    unsigned char dark[20 * 20] = {0};
    dark[5 * 20 + 5] = 1;
    Scenario s = scene(20, 20,
                       (Bodies){
                           .count = 1, .body = {box(10, 10, 2, 2)},
                                .mask = {20,      20,       dark}
    });
    EXPECT(count_bodies(&s) == 5);
    destroy_scenario(&s);
}

TEST(the_border_stays_free)
{
    Scenario s = scene(12, 12, one(box(1, 1, 9, 10))); // one column of fluid is left
    EXPECT(count_bodies(&s) == 90);
    destroy_scenario(&s);
}

static const char *flow;
static Parameters parameters;

static void create(void)
{
    Scenario s = create_scenario(find_flow(flow), parameters);
    destroy_scenario(&s);
}

static int is_refused(const char *name, Bodies bodies, const char *reason)
{
    flow = name;
    parameters = (Parameters){.width = 12, .height = 12, .tau = 0.8, .bodies = bodies};
    if (strcmp(name, "bodies") != 0)
        parameters.width = parameters.height = 40;
    return refuses(create, reason);
}

TEST(bodies_that_do_not_fit_are_refused)
{
    EXPECT(is_refused("bodies", one(disc(2.0, 6.0, 2.0)), "circle 2,6,2 reaches out of the fluid"));
    EXPECT(is_refused("bodies", one(disc(9.5, 6.0, 1.1)), "reaches out"));
    EXPECT(is_refused("bodies", one(disc(6.0, 2.0, 2.0)), "reaches out"));
    EXPECT(is_refused("bodies", one(disc(6.0, 9.5, 1.1)), "reaches out"));
    EXPECT(is_refused("bodies", one(disc(6.0, 30.0, 1.0)), "reaches out"));
    EXPECT(is_refused("bodies", one(disc(6.0, 6.0, 1e300)), "reaches out"));
    EXPECT(is_refused("bodies", one(disc(1e300, 1e300, 1.0)), "reaches out"));
    EXPECT(is_refused("bodies", one(box(0.0, 5.0, 2.0, 2.0)), "box 0,5,2,2 reaches out"));
    EXPECT(is_refused("bodies", one(box(5.0, 5.0, 6.1, 2.0)), "reaches out"));
    EXPECT(is_refused("bodies", one(disc(5.5, 5.5, 0.7)), "covers no cell"));
    EXPECT(is_refused("bodies", one(box(5.1, 5.0, 0.5, 1.0)), "smaller than a cell"));
    EXPECT(is_refused("bodies", one(box(5.0, 5.0, 1.0, 0.99)), "smaller than a cell"));
    EXPECT(is_refused("bodies", one(disc(5.0, 5.0, 0.49)), "circle 5,5,0.49 is smaller than a cell"));
    EXPECT(is_refused("bodies", one(box(1.0, 1.0, 10.0, 10.0)), "leave no fluid"));
    EXPECT(is_refused("cavity", one(disc(9.0, 9.0, 3.0)), "takes no bodies"));
    EXPECT(is_refused("channel_cylinder", one(disc(9.0, 9.0, 3.0)), "than its own"));
    EXPECT(is_refused("cylinder", (Bodies){.count = 2}, "takes one body"));
}

TEST(drawings_that_do_not_fit_are_refused)
{
    unsigned char dark[12 * 12] = {0};
    const Bodies bodies = {
        .mask = {12, 12, dark}
    };
    EXPECT(is_refused("bodies", bodies, "no dark pixel"));
    EXPECT(is_refused("bodies",
                      (Bodies){
                          .mask = {11, 12, dark}
    },
                      "11x12 pixels, the grid 12x12"));
    EXPECT(is_refused("cylinder", bodies, "takes no drawing"));
    dark[3] = 1;
    EXPECT(is_refused("bodies", bodies, "column 4, row 12"));
    dark[3] = 0;
    for (int y = 1; y < 11; y++)
        memset(dark + 12 * y + 1, 1, 10);
    EXPECT(is_refused("bodies", bodies, "leave no fluid"));
}
