#include "check_exercise.h"
#include "fence.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#include EXERCISE

/** What a byte is to say, worked out from the coordinates: which links end at a wall or leave the grid. */
static unsigned expected_links(const Scenario *s, int x, int y)
{
    unsigned links = 0;
    for (int i = 1; i < 9; i++) {
        const int nx = x + ex(i), ny = y + ey(i);
        const int outside = nx < 0 || nx >= s->width || ny < 0 || ny >= s->height;
        links |= (unsigned)(outside || is_wall(s->type[ny * s->width + nx])) << (i - 1);
    }
    return s->type[y * s->width + x] == FLUID ? links : 0xff;
}

/** The directions whose bits are set, such as "3 W, 4 S". */
static void name_links(char *text, size_t size, unsigned links)
{
    snprintf(text, size, "%s", links ? "" : "none");
    for (int i = 1; i < 9; i++)
        if (links >> (i - 1) & 1) {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", direction_name(i));
        }
}

/** Compares the bytes of all cells with what they are to say. */
static void expect_bytes(const Scenario *s)
{
    static const char *const names[] = {"fluid", "an open cell", "an inflow cell", "a wall", "a moving wall"};
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            const unsigned expected = expected_links(s, x, y), got = links_of(&s->physics, s->type, x, y);
            char stopped[64], said[64];
            name_links(stopped, sizeof stopped, expected);
            name_links(said, sizeof said, got);
            if (got != expected)
                wrong("first wrong byte: cell x=%d y=%d, which is %s: expected 0x%02x (stopped: %s), got "
                      "0x%02x (%s) (%s, %d x %d)",
                      x, y, names[s->type[y * s->width + x]], expected, stopped, got, said, s->flow->name,
                      s->width, s->height);
        }
}

static void expect_bytes_of(const char *flow, int width, int height)
{
    Scenario s = small_flow(flow, width, height);
    expect_bytes(&s);
    destroy_scenario(&s);
}

/** A periodic box with a wall that moves, a column of inflow and one of open cells. */
static Scenario open_box(void)
{
    Scenario s = small_flow("taylor_green", 19, 11);
    for (int y = 0; y < s.height; y++) {
        s.type[y * s.width + 4] = INFLOW;
        s.type[y * s.width + 14] = OPEN;
    }
    for (int x = 7; x < 10; x++)
        s.type[5 * s.width + x] = MOVING_WALL;
    for (int i = 1; i < 9; i++)
        s.physics.wall_gain[i] = -6.0f * weight(i) * dot(i, 0.05f, 0.02f);
    s.physics.open_x = 0.05f;
    return s;
}

/** A cell of fluid with a wall on each of its eight sides: its populations come back to it for ever. */
static void expect_walled_in(void)
{
    Scenario s = small_flow("taylor_green", 13, 9);
    for (int y = 3; y < 6; y++)
        for (int x = 6; x < 9; x++)
            s.type[y * s.width + x] = x == 7 && y == 4 ? FLUID : WALL;
    expect_same(&STAGE, &s, 6, 1);
    destroy_scenario(&s);
}

/**
 * Overwrites the types of all cells behind the kernels' back: cells so far from the border that no type is
 * read for them must not change.
 */
static void expect_types_unread(int steps)
{
    Scenario s = small_flow("taylor_green", 37, 21);
    Snapshot expected = run_flow(&STAGE, &s, small_block, steps), got = create_snapshot(&s);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    CHECK(cudaMemset((CellType *)solver_of(solver)->type, WALL, cell_count(&s)));
    advance_simulation(solver, steps);
    CHECK(cudaMemcpy((CellType *)solver_of(solver)->type, s.type, cell_count(&s), cudaMemcpyHostToDevice));
    read_snapshot(&got, solver);
    for (int y = 2; y < s.height - 2; y++)
        for (int x = 2; x < s.width - 2; x++)
            for (int i = 0; i < 9; i++) {
                const int n = 9 * (y * s.width + x) + i;
                if (!(got.f[n] == expected.f[n]))
                    wrong("cell x=%d y=%d is fluid and far from all walls and from the border, and yet it "
                          "reads types: with these overwritten its population %s is %.4g, not %.4g "
                          "(%s, %d x %d, after step %d)",
                          x, y, direction_name(i), got.f[n], expected.f[n], s.flow->name, s.width, s.height,
                          steps);
            }
    end_simulation(solver);
    destroy_snapshot(&got);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

/** Ends the check if the types, or anything else, lie in the device's memory twice. */
static void expect_types_once(void)
{
    Scenario s = small_flow("taylor_green", 256, 256);
    const size_t each = 9 * sizeof(__half) + sizeof(LinkMask), before = device_bytes,
                 allowed = cell_count(&s) * (2 * each + 1) / 2; // half a byte for arrays that are aligned
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    const size_t taken = device_bytes - before;
    end_simulation(solver);
    if (taken > allowed)
        wrong("`create` takes %.1f bytes of device memory for each cell, expected %zu: nine populations and "
              "a byte of links",
              (double)taken / (double)cell_count(&s), each);
    destroy_scenario(&s);
}

void check(void)
{
    part("TODO(1)", "there is no wall here: a link is stopped where it leaves the grid, and nowhere else. "
                    "Direction i has bit i - 1");
    expect_bytes_of("taylor_green", 37, 21);
    part("TODO(1)", "a wall stops the links that lead into it, and what is not fluid has all bits set");
    expect_bytes_of("cavity", 13, 9);
    Scenario s = open_box();
    expect_bytes(&s);
    part("TODO(1)", "a grid so narrow that the same cell is on the left and on the right");
    expect_bytes_of("poiseuille", 1, 10);
    expect_bytes_of("poiseuille", 2, 10);

    part("TODO(2) and TODO(3)", "the bytes are right: step 1 is even_step's, step 2 odd_step's");
    expect_flow(&STAGE, "taylor_green", 37, 21, 4);
    part("TODO(3)", "away from walls all is right: what flies into a wall comes back to its own cell, and "
                    "gains if the wall moves, when it is fetched as when it is stored");
    expect_flow(&STAGE, "poiseuille", 5, 9, 4);
    expect_flow(&STAGE, "cavity", 13, 9, 4);
    expect_flow(&STAGE, "cavity", 37, 21, 20);
    expect_flow(&STAGE, "poiseuille", 1, 10, 4);
    part("TODO(2)", "open and inflow cells have the byte 255, as walls have: what are they?");
    expect_same(&STAGE, &s, 6, 1);
    destroy_scenario(&s);
    part("TODO(2)",
         "cell x=7 y=4 here is fluid, with a wall on each of its eight sides. Its byte is 255, and "
         "so is a wall's: what tells them apart?");
    expect_walled_in();
    part("TODO(2) and TODO(3)",
         "the next checks overwrite `solver_of(solver)->type` behind the kernels' back: a second "
         "copy would hide who reads types");
    expect_types_once();
    part("TODO(2)", "only the byte 255 leaves open what a cell is");
    expect_types_unread(1);
    part("TODO(2) and TODO(3)", "where a bit is 0 the address follows from the cell's number: that is what "
                                "the byte is for");
    expect_types_unread(2);
    part("TODO(3)", "a slot must be read and written by the same thread and by no other");
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
