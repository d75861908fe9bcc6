#include "check_exercise.h"

#include EXERCISE

enum { WIDTH = 5, HEIGHT = 4, DEPTH = 3, CELLS = WIDTH * HEIGHT * DEPTH };

static const Physics periodic = {.width = WIDTH, .height = HEIGHT, .depth = DEPTH, .omega = 1.25f};

/** A direction of D3Q19 for people: its number and its velocity. */
static const char *name_of(int i)
{
    static char text[4][32];
    static int next;
    char *const name = text[next = (next + 1) % 4];
    if (i < 0 || i >= d3q19.directions)
        snprintf(name, sizeof text[0], "%d, which is none", i);
    else
        snprintf(name, sizeof text[0], "%d (%d, %d, %d)", i, d3q19.e(i, 0), d3q19.e(i, 1), d3q19.e(i, 2));
    return name;
}

static void expect_directions(void)
{
    for (int i = 0; i < d3q19.directions; i++)
        if (my_ez(i) != d3q19.e(i, 2))
            wrong("first wrong velocity: direction %s: expected ez %d, got %d", name_of(i), d3q19.e(i, 2),
                  my_ez(i));
}

static void expect_opposites(void)
{
    for (int i = 0; i < d3q19.directions; i++)
        if (my_opposite(i) != d3q19.opposite(i))
            wrong("first wrong opposite: of direction %s: expected %s, got %s", name_of(i),
                  name_of(d3q19.opposite(i)), name_of(my_opposite(i)));
}

static CellNumber number_of(int x, int y, int z)
{
    return (CellNumber)((z * HEIGHT + y) * WIDTH + x);
}

/** What my_boundary is to return, from the lattice as data. */
static Destination expected_destination(const Physics *physics, const CellType *type, int x, int y, int z,
                                        int i)
{
    const int nx = (x + d3q19.e(i, 0) + WIDTH) % WIDTH, ny = (y + d3q19.e(i, 1) + HEIGHT) % HEIGHT,
              nz = (z + d3q19.e(i, 2) + DEPTH) % DEPTH;
    const CellNumber neighbour = number_of(nx, ny, nz);
    if (type[neighbour] < WALL)
        return (Destination){neighbour, i, 0.0f};
    return (Destination){number_of(x, y, z), d3q19.opposite(i),
                         type[neighbour] == MOVING_WALL ? physics->wall_gain[i] : 0.0f};
}

static void expect_destination(const Physics *physics, const CellType *type, int x, int y, int z, int i)
{
    const Destination a = expected_destination(physics, type, x, y, z, i),
                      b = my_boundary(physics, type, x, y, z, i);
    if (a.cell != b.cell || a.direction != b.direction)
        wrong("first wrong destination: from cell x=%d y=%d z=%d, direction %s: expected cell x=%d y=%d "
              "z=%d, direction %s, got x=%d y=%d z=%d, direction %s (grid %d x %d x %d)",
              x, y, z, name_of(i), (int)a.cell % WIDTH, (int)a.cell / WIDTH % HEIGHT,
              (int)a.cell / WIDTH / HEIGHT, name_of(a.direction), (int)b.cell % WIDTH,
              (int)b.cell / WIDTH % HEIGHT, (int)b.cell / WIDTH / HEIGHT, name_of(b.direction), WIDTH, HEIGHT,
              DEPTH);
    if (!(fabsf(a.gain - b.gain) <= 1e-7f))
        wrong("first wrong gain: from cell x=%d y=%d z=%d, direction %s: expected %.4g, got %.4g", x, y, z,
              name_of(i), a.gain, b.gain);
}

/** Calls something for each cell that is not solid. */
static void for_each_cell(const Physics *physics, const CellType *type,
                          void (*expect)(const Physics *, const CellType *, int, int, int))
{
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                if (type[number_of(x, y, z)] < WALL)
                    expect(physics, type, x, y, z);
}

static void expect_destinations(const Physics *physics, const CellType *type, int x, int y, int z)
{
    for (int i = 0; i < d3q19.directions; i++)
        expect_destination(physics, type, x, y, z, i);
}

/** A population after the collision: all are different. */
static float population(CellNumber cell, int i)
{
    return 0.001f * (float)(19 * cell + (CellNumber)i);
}

/** Compares what arrives in a cell with what all cells send. */
static void expect_arrivals(const Physics *physics, const CellType *type, int x, int y, int z)
{
    static float from[19 * CELLS];
    float expected[19], got[19];
    int sender[19];
    for (CellNumber cell = 0; cell < CELLS; cell++)
        for (int i = 0; i < 19; i++) {
            from[19 * cell + (CellNumber)i] = population(cell, i);
            if (type[cell] >= WALL)
                continue;
            const Destination to = expected_destination(
                physics, type, (int)cell % WIDTH, (int)cell / WIDTH % HEIGHT, (int)cell / WIDTH / HEIGHT, i);
            if (to.cell != number_of(x, y, z))
                continue;
            expected[to.direction] = population(cell, i) + to.gain;
            sender[to.direction] = (int)cell;
        }
    my_pull(got, from, physics, type, x, y, z);
    for (int i = 0; i < 19; i++)
        if (!(fabsf(got[i] - expected[i]) <= 1e-6f))
            wrong("first wrong population: cell x=%d y=%d z=%d, direction %s: expected %.4g, from cell x=%d "
                  "y=%d z=%d, got %.4g (population i of cell n is (19 n + i) / 1000 here)",
                  x, y, z, name_of(i), expected[i], sender[i] % WIDTH, sender[i] / WIDTH % HEIGHT,
                  sender[i] / WIDTH / HEIGHT, got[i]);
}

void check(void)
{
    part("TODO(1)", "in which of the three planes of the drawing is the direction?");
    expect_directions();
    part("TODO(1)",
         "which number has the direction that points the other way? See how the drawing pairs them");
    expect_opposites();

    CellType type[CELLS] = {FLUID};
    part("TODO(2)", "there is no wall here. How many cells does the grid have in a row, how many in a layer? "
                    "And what leaves at one end of z enters at the other");
    for_each_cell(&periodic, type, expect_destinations);
    Physics moving = periodic;
    for (int i = 0; i < 19; i++)
        moving.wall_gain[i] = 0.01f * (float)i;
    type[number_of(2, 1, 1)] = BODY;
    for (int n = 0; n < WIDTH * HEIGHT; n++) // the last layer is a wall, the column before x = 4 a lid
        type[number_of(n % WIDTH, n / WIDTH, DEPTH - 1)] = n % WIDTH == 3 ? MOVING_WALL : WALL;
    part("TODO(2)", "without walls all is right: the wall is the layer z=2, and one cell is a body");
    for_each_cell(&moving, type, expect_destinations);

    const CellType fluid[CELLS] = {FLUID};
    part("TODO(3)",
         "there is no wall here. In which cell was the population that arrives in direction i, and "
         "in which direction does `my_boundary` find that cell?");
    for_each_cell(&periodic, fluid, expect_arrivals);
    part("TODO(3)", "without walls all is right. Behind a wall `my_boundary` names the cell itself: which of "
                    "its own populations comes back, and with which gain?");
    for_each_cell(&moving, type, expect_arrivals);
}
