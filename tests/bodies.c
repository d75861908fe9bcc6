#include "flow/scenario.h"

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
    return (Body){0, x, y, width, height, 0.0};
}

TEST(a_disc_covers_the_cells_whose_centres_lie_in_it)
{
    Scenario s = scene(40, 30, one(disc(15.0, 12.0, 2.0)));
    EXPECT(count_bodies(&s) == 13);
    EXPECT(s.type[12 * 40 + 17] == BODY && s.type[12 * 40 + 18] == FLUID && s.type[14 * 40 + 16] == FLUID);
    EXPECT(s.length == 4.0);
    destroy_scenario(&s);
}

/** Of the cells around a centre, those at the distances 0, 1, sqrt(2) and sqrt(3), but not 2. */
TEST(a_sphere_covers_the_cells_whose_centres_lie_in_it)
{
    const Bodies ball = one(sphere(7.0, 5.0, 6.0, 1.8));
    int count = 0;
    for (int z = 0; z < 12; z++)
        for (int y = 0; y < 12; y++) {
            CellType type[16] = {FLUID};
            place_bodies(&ball, 16, (Position){0, y, z}, type);
            for (int x = 0; x < 16; x++) {
                const int square = (x - 7) * (x - 7) + (y - 5) * (y - 5) + (z - 6) * (z - 6);
                EXPECT((type[x] == BODY) == (square <= 3));
                count += type[x] == BODY;
            }
        }
    EXPECT(count == 27 && highest_body(&ball) == 3.6);
}

TEST(the_sphere_of_the_flow_is_a_tenth_of_its_length)
{
    Scenario s = create_scenario(find_flow("sphere"), (Parameters){.width = 41, .height = 21, .depth = 17});
    EXPECT_NEAR(s.length, 4.1, 1e-12);
    double x = 0.0, y = 0.0, z = 0.0;
    for (size_t cell = 0; cell < cell_count(&s); cell++)
        if (s.type[cell] == BODY) {
            const Position at = position_of(&s, cell);
            x += at.x, y += at.y, z += at.z;
        }
    EXPECT(count_bodies(&s) == 33); // within 2.05 of a centre
    EXPECT_NEAR(x / 33.0, 14.0, 1e-9);
    EXPECT_NEAR(y / 33.0, 10.0, 1e-9);
    EXPECT_NEAR(z / 33.0, 8.0, 1e-9);
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

TEST(a_mask_is_placed_pixel_by_pixel)
{
    unsigned char dark[6 * 5] = {0};
    dark[1 * 6 + 2] = dark[3 * 6 + 4] = 1;
    Scenario s = scene(6, 5,
                       (Bodies){
                           .mask = {6, 5, dark}
    });
    EXPECT(count_bodies(&s) == 2 && s.type[1 * 6 + 2] == BODY && s.type[3 * 6 + 4] == BODY);
    EXPECT(s.length == 1.0);
    destroy_scenario(&s);
}

/** Reference length of a mask: a letter a cell, from the top, # dark. */
static double drawn_length(int width, int height, const char *text)
{
    unsigned char dark[20 * 20];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            dark[y * width + x] = text[(height - 1 - y) * width + x] == '#';
    const Bodies bodies = {
        .mask = {width, height, dark}
    };
    return highest_body(&bodies);
}

TEST(the_highest_piece_of_a_mask_is_the_reference)
{
    EXPECT(drawn_length(3, 2, "......") == 0.0);
    EXPECT(drawn_length(1, 3, "###") == 3.0);
    EXPECT(drawn_length(5, 4,
                        ".#..." // side by side
                        ".#.#."
                        "...#."
                        "...#.") == 3.0);
    EXPECT(drawn_length(3, 6,
                        "##." // one over the other
                        "##."
                        "..."
                        "##."
                        "##."
                        "##.") == 3.0);
    EXPECT(drawn_length(4, 4,
                        "##.." // a corner in common, either way
                        "##.."
                        "..##"
                        "..##") == 4.0);
    EXPECT(drawn_length(4, 4,
                        "..##"
                        "..##"
                        "##.."
                        "##..") == 4.0);
    EXPECT(drawn_length(3, 3,
                        "..#" // no wrap around the border
                        "..."
                        "#..") == 1.0);
    EXPECT(drawn_length(3, 2,
                        "..#"
                        "#..") == 1.0);
    EXPECT(drawn_length(9, 5,
                        "#########" // joined at the top alone, by different legs
                        "#...#...#"
                        "#...#...#"
                        "....#...#"
                        "........#") == 5.0);
    EXPECT(drawn_length(7, 7,
                        "#######" // a spiral around a dot
                        "......#"
                        "####..#"
                        "#.....#"
                        "#..#..#"
                        "#.....#"
                        "#######") == 7.0);
}

enum { SIDE = 12 };

/** Spreads over what touches cell (x, y), and takes it out of the mask. */
static void spread(unsigned char *dark, int x, int y, int *lowest, int *highest)
{
    if (x < 0 || y < 0 || x >= SIDE || y >= SIDE || !dark[y * SIDE + x])
        return;
    dark[y * SIDE + x] = 0;
    *lowest = y < *lowest ? y : *lowest;
    *highest = y > *highest ? y : *highest;
    for (int n = 0; n < 9; n++)
        spread(dark, x + n % 3 - 1, y + n / 3 - 1, lowest, highest);
}

TEST(pieces_are_those_that_a_spreading_stain_finds)
{
    unsigned random = 1;
    for (int n = 0; n < 2000; n++) {
        unsigned char dark[SIDE * SIDE];
        for (int cell = 0; cell < SIDE * SIDE; cell++) {
            random = 1664525u * random + 1013904223u;
            dark[cell] = (random >> 16) % 100 < 15u + n % 40;
        }
        const Bodies bodies = {
            .mask = {SIDE, SIDE, dark}
        };
        const double height = highest_body(&bodies);
        int expected = 0;
        for (int cell = 0; cell < SIDE * SIDE; cell++) {
            int lowest = SIDE, highest = -1;
            spread(dark, cell % SIDE, cell / SIDE, &lowest, &highest);
            expected = highest - lowest + 1 > expected ? highest - lowest + 1 : expected;
        }
        EXPECT(height == expected);
    }
}

TEST(mask_and_shapes_go_together)
{
    unsigned char dark[20 * 20] = {0};
    dark[5 * 20 + 5] = 1;
    Scenario s = scene(20, 20,
                       (Bodies){
                           .count = 1, .body = {box(10, 10, 2, 2)},
                                .mask = {20,      20,       dark}
    });
    EXPECT(count_bodies(&s) == 5);
    EXPECT(s.length == 2.0);
    destroy_scenario(&s);
    dark[6 * 20 + 6] = dark[7 * 20 + 5] = 1;
    s = scene(20, 20,
              (Bodies){
                  .count = 1, .body = {box(10, 10, 2, 2)},
                       .mask = {20,      20,       dark}
    });
    EXPECT(s.length == 3.0);
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
    EXPECT(is_refused("bodies", one(box(1.0, 1.0, 10.0, 10.0)), "leaves no fluid"));
    EXPECT(is_refused("cavity", one(disc(9.0, 9.0, 3.0)), "takes no bodies"));
    EXPECT(is_refused("channel_cylinder", one(disc(9.0, 9.0, 3.0)), "than its own"));
    EXPECT(is_refused("cylinder", (Bodies){.count = 2}, "takes one body"));
}

TEST(the_own_body_of_a_flow_names_a_size_that_it_fits)
{
    flow = "bodies";
    parameters = (Parameters){.width = 3, .height = 3, .tau = 0.8};
    EXPECT(refuses(create, "own at 3x3 cells: take a size such as 400x200, or give a body"));
    parameters = (Parameters){.width = 8, .height = 8, .tau = 0.8};
    EXPECT(refuses(create, "smaller than a cell: it takes at least 1 across; it is the flow's own at 8x8"));
    flow = "channel_cylinder";
    parameters = (Parameters){.width = 8, .height = 80, .tau = 0.8};
    EXPECT(refuses(create, "own at 8x80 cells: take a size such as 442x84"));
}

TEST(masks_that_do_not_fit_are_refused)
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
    EXPECT(is_refused("cylinder", bodies, "takes no mask"));
    dark[3] = 1;
    EXPECT(is_refused("bodies", bodies, "column 4, row 12"));
    dark[3] = 0;
    for (int y = 1; y < 11; y++)
        memset(dark + 12 * y + 1, 1, 10);
    EXPECT(is_refused("bodies", bodies, "leaves no fluid"));
}

static int is_refused_for_re(Bodies bodies, const char *reason)
{
    flow = "bodies";
    parameters = (Parameters){.width = 12, .height = 12, .re = 100.0, .bodies = bodies};
    return refuses(create, reason);
}

TEST(bodies_are_checked_before_what_is_computed_from_them)
{
    unsigned char dark[12 * 12] = {0};
    EXPECT(is_refused_for_re(
        (Bodies){
            .mask = {12, 12, dark}
    },
        "no dark pixel"));
    EXPECT(is_refused_for_re(
        (Bodies){
            .mask = {11, 12, dark}
    },
        "11x12 pixels, the grid 12x12"));
    EXPECT(is_refused_for_re(one(disc(6.0, 6.0, 1e308)), "reaches out"));
    EXPECT(is_refused_for_re(one(box(6.0, 6.0, 2.0, 0.0)), "smaller than a cell"));
    flow = "bodies";
    parameters = (Parameters){.width = 12, .height = 12, .re = 1e300, .bodies = one(box(1, 1, 10, 10))};
    EXPECT(refuses(create, "leaves no fluid"));
}
