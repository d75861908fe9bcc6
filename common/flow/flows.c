#include "flow/scenario.h"
#include "flow/solutions.h"

#include <math.h>
#include <string.h>

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* ---- Poiseuille: a channel between two walls, periodic in x, driven by a body force ---- */

static double fluid_height(int width, int height)
{
    (void)width;
    return height - 2;
}

static CellType channel_cell(const Scenario *s, Position at)
{
    return at.y == 0 || at.y == s->height - 1 ? WALL : FLUID;
}

static void poiseuille_drive(Scenario *s)
{
    s->physics.force_x = (Real)(8.0 * s->nu * s->u / (s->length * s->length));
}

/** Twelve times the time in which the slowest deviation from the parabola falls to 1/e. */
static double poiseuille_duration(const Scenario *s)
{
    return 12.0 * s->length * s->length / (pi * pi * s->nu);
}

/* ---- Cavity: a closed box whose lid, the top row, slides to the right ---- */

static double fluid_width(int width, int height)
{
    (void)height;
    return width - 2;
}

static CellType cavity_cell(const Scenario *s, Position at)
{
    if (at.x == 0 || at.x == s->width - 1 || at.y == 0)
        return WALL; // the lid's corners too: as moving walls they would drive the fluid below them
    return at.y == s->height - 1 ? MOVING_WALL : FLUID;
}

static void cavity_drive(Scenario *s)
{
    const Lattice *lattice = s->flow->lattice;
    for (int i = 0; i < lattice->directions; i++)
        s->physics.wall_gain[i] = (Real)(-6.0 * lattice->weight(i) * lattice->e(i, 0) * s->u);
}

static double cavity_duration(const Scenario *s)
{
    return (30.0 + 0.07 * s->re) * larger(s->width, s->height) / s->u;
}

/* ---- Taylor-Green: decaying vortices, periodic both ways ---- */

static double wave_length(int width, int height)
{
    (void)height;
    return width / (2.0 * pi);
}

static CellType all_fluid(const Scenario *s, Position at)
{
    (void)s, (void)at;
    return FLUID;
}

/** That along the longer side. */
static double taylor_green_peak(int width, int height)
{
    return sqrt(larger((double)width / height, (double)height / width));
}

/** The time in which the velocity falls to 1/e. */
static double taylor_green_duration(const Scenario *s)
{
    const double kx = 2.0 * pi / s->width, ky = 2.0 * pi / s->height;
    return 1.0 / (s->nu * (kx * kx + ky * ky));
}

/* ---- Cylinder: a uniform stream past a round body; the whole border is open ---- */

static Body cylinder_body(Position size)
{
    return disc(0.25 * (size.x - 1), 0.5 * (size.y - 1), size.y / 20.0);
}

static CellType open_border(const Scenario *s, Position at)
{
    if (at.x == 0 || at.y == 0 || at.y == s->height - 1)
        return OPEN;
    return at.x == s->width - 1 ? OUTFLOW : FLUID;
}

static void cylinder_drive(Scenario *s)
{
    s->physics.open_x = (Real)s->u;
}

static double cylinder_duration(const Scenario *s)
{
    return 5.0 * s->width / s->u;
}

/* ---- Channel with a cylinder: Schaefer, Turek et al. 1996, cases 2D-1 and 2D-2 ---- */

/**
 * The channel is 22 diameters long and 4.1 high; the cylinder is 2 away from inflow and lower wall, and so
 * 0.05 off the middle. All four borders lie half a cell outside the fluid.
 */
static Body channel_body(Position size)
{
    const double diameter = (size.y - 2) / 4.1;
    return disc(0.5 + 2.0 * diameter, 0.5 + 2.0 * diameter, 0.5 * diameter);
}

static CellType channel_ends(const Scenario *s, Position at)
{
    if (at.y == 0 || at.y == s->height - 1)
        return WALL;
    return at.x == 0 ? INFLOW : at.x == s->width - 1 ? OPEN : FLUID;
}

/** Of a parabola whose mean is the reference speed. */
static double channel_peak(int width, int height)
{
    (void)width, (void)height;
    return 1.5;
}

static void channel_drive(Scenario *s)
{
    s->physics.open_x = (Real)(channel_peak(s->width, s->height) * s->u);
    s->physics.open_centre = 0.5f * (Real)(s->height - 1);
    s->physics.open_curvature = (Real)(4.0 / ((double)(s->height - 2) * (s->height - 2)));
}

static double channel_duration(const Scenario *s)
{
    return (s->re < 50.0 ? 3.0 : 8.0) * s->width / s->u;
}

/* ---- Duct: a channel of rectangular section between four walls, periodic in x, driven by a body force ----
 */

static CellType duct_cell(const Scenario *s, Position at)
{
    return at.z == 0 || at.z == s->depth - 1 ? WALL : channel_cell(s, at);
}

static void duct_drive(Scenario *s)
{
    const double a = 0.5 * (s->height - 2), b = 0.5 * (s->depth - 2);
    s->physics.force_x = (Real)(s->nu * s->u / duct_profile(a, b, 0.0, 0.0));
}

/** Twelve times the time in which the slowest deviation from the profile falls to 1/e. */
static double duct_duration(const Scenario *s)
{
    const double ky = pi / (s->height - 2), kz = pi / (s->depth - 2);
    return 12.0 / (s->nu * (ky * ky + kz * kz));
}

/* ---- ABC: the flow of Arnold, Beltrami and Childress, a decaying wave along each axis ---- */

static double abc_duration(const Scenario *s)
{
    const double k = 2.0 * pi / s->width;
    return 1.0 / (s->nu * k * k);
}

/* ---- Cube: a closed box whose lid, the top plane, slides along x ---- */

/** The lid's edges are still. A box of depth 1 has no walls along z, and so is the plane cavity. */
static CellType cube_cell(const Scenario *s, Position at)
{
    return s->depth > 1 && (at.z == 0 || at.z == s->depth - 1) ? WALL : cavity_cell(s, at);
}

/* ---- Taylor-Green in space: vortices that stretch each other and decay into ever smaller ones ---- */

/** Ten times the time in which the fastest fluid passes the reference length. */
static double vortices_duration(const Scenario *s)
{
    return 10.0 * s->length / s->u;
}

/* ---- Sphere: a uniform stream past a sphere; the whole border is open ---- */

/** The diameter is a tenth of the box's length, so that height and depth say how far the borders are. */
static Body sphere_body(Position size)
{
    return sphere(0.35 * (size.x - 1), 0.5 * (size.y - 1), 0.5 * (size.z - 1), size.x / 20.0);
}

static CellType open_sides(const Scenario *s, Position at)
{
    return at.z == 0 || at.z == s->depth - 1 ? OPEN : open_border(s, at);
}

static double sphere_duration(const Scenario *s)
{
    return 3.0 * s->width / s->u;
}

/* ---- Capsule: an elastic membrane between two walls that move opposite ways ---- */

/** That of Lehmann et al. 2022, Phys. Rev. E 106, 015308, section 4.5: 13.5 in a box of 192 cells. */
static double capsule_radius(int width, int height)
{
    (void)width;
    return 13.5 / 192.0 * height;
}

static CellType moving_walls(const Scenario *s, Position at)
{
    return at.y == 0 || at.y == s->height - 1 ? MOVING_WALL : FLUID;
}

/** What moves up meets the upper wall, which moves to the right; what moves down the lower one. */
static void shear_drive(Scenario *s)
{
    const Lattice *lattice = s->flow->lattice;
    for (int i = 0; i < lattice->directions; i++)
        s->physics.wall_gain[i] =
            (Real)(-6.0 * lattice->weight(i) * lattice->e(i, 0) * lattice->e(i, 1) * s->u);
}

double shear_rate(const Scenario *s)
{
    return 2.0 * s->u / (s->height - 2);
}

/** That of the same paper: the shape settles earlier. */
static double capsule_duration(const Scenario *s)
{
    return 5.0 / shear_rate(s);
}

/* ---- All of them ---- */

const Flow flows[] = {
    {.name = "poiseuille",
     .about = "channel between two walls, driven by a body force; periodic in x",
     .lattice = &d2q9,
     .defaults = {.width = 64, .height = 34, .tau = 0.9330127, .u = 0.05},
     .least = {1, 3, 0},
     .steady = 1,
     .length = fluid_height,
     .duration = poiseuille_duration,
     .cell = channel_cell,
     .drive = poiseuille_drive,
     .exact = PARABOLA},
    {.name = "cavity",
     .about = "closed box whose lid slides to the right",
     .lattice = &d2q9,
     .defaults = {.width = 130, .height = 130, .re = 1000.0, .u = 0.1},
     .least = {3, 3, 0},
     .steady = 1,
     .largest_cell_re = 14.0,
     .length = fluid_width,
     .duration = cavity_duration,
     .cell = cavity_cell,
     .drive = cavity_drive},
    {.name = "taylor_green",
     .about = "decaying vortices, periodic both ways",
     .lattice = &d2q9,
     .defaults = {.width = 128, .height = 128, .tau = 0.8, .u = 0.02},
     .least = {1, 1, 0},
     .length = wave_length,
     .peak = taylor_green_peak,
     .duration = taylor_green_duration,
     .cell = all_fluid,
     .start = DECAYING_VORTICES,
     .exact = DECAYING_VORTICES},
    {.name = "cylinder",
     .about = "stream past a cylinder; the whole border is in- and outflow",
     .lattice = &d2q9,
     .defaults = {.width = 400, .height = 200, .re = 20.0, .u = 0.05},
     .least = {15, 15, 0},
     .max_bodies = 1,
     .body = cylinder_body,
     .duration = cylinder_duration,
     .cell = open_border,
     .drive = cylinder_drive,
     .start = SLANTED_STREAM},
    {.name = "bodies",
     .about = "the same past circles, boxes and masks",
     .lattice = &d2q9,
     .defaults = {.width = 400, .height = 200, .re = 100.0, .u = 0.1},
     .least = {3, 3, 0},
     .max_bodies = MAX_BODIES,
     .body = cylinder_body,
     .duration = cylinder_duration,
     .cell = open_border,
     .drive = cylinder_drive,
     .start = SLANTED_STREAM},
    {.name = "channel_cylinder",
     .about = "channel with a cylinder near its inflow (Schaefer & Turek 1996)",
     .lattice = &d2q9,
     .defaults = {.width = 442, .height = 84, .re = 20.0, .u = 0.05},
     .least = {8, 8, 0},
     .body = channel_body,
     .peak = channel_peak,
     .duration = channel_duration,
     .cell = channel_ends,
     .drive = channel_drive,
     .start = CHANNEL_STREAM},
    {.name = "duct",
     .about = "duct of rectangular section, driven by a body force; periodic in x",
     .lattice = &d3q19,
     .defaults = {.width = 8, .height = 34, .depth = 34, .tau = 0.9330127, .u = 0.05},
     .least = {1, 3, 3},
     .steady = 1,
     .length = fluid_height,
     .duration = duct_duration,
     .cell = duct_cell,
     .drive = duct_drive,
     .exact = DUCT_PROFILE},
    {.name = "abc",
     .about = "decaying waves along all three axes, periodic (Arnold, Beltrami, Childress)",
     .lattice = &d3q19,
     .defaults = {.width = 32, .height = 32, .depth = 32, .tau = 0.8, .u = 0.05},
     .least = {1, 1, 1},
     .is_cube = 1,
     .length = wave_length,
     .duration = abc_duration,
     .cell = all_fluid,
     .start = ABC_WAVES,
     .exact = ABC_WAVES},
    {.name = "cube",
     .about = "closed box whose lid slides along x",
     .lattice = &d3q19,
     .defaults = {.width = 34, .height = 34, .depth = 34, .re = 100.0, .u = 0.1},
     .least = {3, 3, 1},
     .steady = 1,
     .largest_cell_re = 14.0,
     .length = fluid_width,
     .duration = cavity_duration,
     .cell = cube_cell,
     .drive = cavity_drive},
    {
     .name = "taylor_green_3d",
     .about = "vortices that stretch each other and decay, periodic",
     .lattice = &d3q19,
     .defaults = {.width = 64, .height = 64, .depth = 64, .re = 100.0, .u = 0.05},
     .least = {1, 1, 1},
     .is_cube = 1,
     .length = wave_length,
     .duration = vortices_duration,
     .cell = all_fluid,
     .start = VORTICES_IN_SPACE,
     },
    {
     .name = "sphere",
     .about = "stream past a sphere; the whole border is in- and outflow",
     .lattice = &d3q19,
     .defaults = {.width = 100, .height = 60, .depth = 60, .re = 100.0, .u = 0.1},
     .least = {20, 4, 4},
     .body = sphere_body,
     .duration = sphere_duration,
     .cell = open_sides,
     .drive = cylinder_drive,
     .start = SLANTED_STREAM,
     },
    {
     .name = "capsule",
     .about = "elastic capsule between walls that move opposite ways; periodic in x and z",
     .lattice = &d3q19,
     .defaults = {.width = 64, .height = 96, .depth = 32, .tau = 1.5, .u = 0.04, .ca = 0.1},
     .least = {10, 20, 10},
     .length = capsule_radius,
     .duration = capsule_duration,
     .cell = moving_walls,
     .drive = shear_drive,
     .start = SHEAR,
     },
};
const int flow_count = sizeof flows / sizeof *flows;

int has_membrane(const Flow *flow)
{
    return flow->defaults.ca > 0.0;
}

const Flow *find_flow(const char *name)
{
    for (int n = 0; n < flow_count; n++)
        if (strcmp(flows[n].name, name) == 0)
            return &flows[n];
    return NULL;
}
