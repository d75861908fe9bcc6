// What a page in a browser calls: one flow, one stage that computes it, and what the page shows of them. All
// of these are the program's own. Lengths are in cells, times in steps; cell (0, 0) is the lower left one.
#include "flow/units.h"
#include "gpu/device.h"
#include "gpu/memory.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "output/picture.h"
#include "output/streamlines.h"
#include "result/forces.h"
#include "simulation/batch.h"
#include "simulation/simulation.h"
#include "stage/stages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// No stage of a page computes on a device.
const Memory device_memory;
const BatchLoops d2q9_on_device, d3q19_on_device;

void choose_device(int n)
{
    (void)n;
}

#define FOR_PAGE __attribute__((used)) // emcc lets the page call these

static Scenario scenario;
static double own_length;  // of the Reynolds number, while there is no body to take it from
static const Stage *stage; // NULL: the page's GPU computes, with the populations of the result
static Simulation *solver; // of the stage, if there is one
static long step_now;
static Snapshot result;
static LinkList links;
static Force force;
static Picture picture;
static unsigned char *pixels; // [height][width][4]: red, green, blue, opacity; the highest row first
static float *pieces;         // [piece_count][4]: x0, y0, x1, y1
static int piece_count, room_for_pieces;

/* ---- The stages ---- */

FOR_PAGE int count_stages(void)
{
    return stage_count;
}

FOR_PAGE const char *stage_name(int n)
{
    return stages[n]->name;
}

FOR_PAGE const char *stage_summary(int n)
{
    return stages[n]->summary;
}

/* ---- The flow ---- */

static void set_relaxation(double tau)
{
    scenario.tau = tau;
    scenario.nu = (tau - 0.5) / 3.0;
    scenario.re = scenario.u * scenario.length / scenario.nu;
    scenario.physics.omega = (Real)(1.0 / tau);
    if (scenario.flow->drive)
        scenario.flow->drive(&scenario);
}

/** The Reynolds numbers between which walls hardly slip, and rounding and corners excite nothing that lasts
 * (units.h). */
FOR_PAGE double least_re(void)
{
    const double tau = 0.5 + sqrt(3.0 / 16.0 * (1.0 + most_slip * scenario.length * scenario.length));
    return 3.0 * scenario.u * scenario.length / (tau - 0.5);
}

FOR_PAGE double most_re(void)
{
    const double least_nu = fmax(scenario.u / most_cell_re(), (least_tau - 0.5) / 3.0);
    return scenario.u * scenario.length / least_nu;
}

static void create_solver(void)
{
    if (stage)
        solver = begin_simulation(stage, &scenario, (Block){1, 1});
    else
        initial_populations(&scenario, result.f);
    links = find_links(&scenario);
}

static void destroy_solver(void)
{
    if (stage)
        end_simulation(solver);
    destroy_links(&links);
}

static void read(void)
{
    if (stage)
        read_snapshot(&result, solver);
    else
        find_moments(&result);
}

static const Stage *numbered_stage(int n)
{
    return n < 0 ? NULL : stages[n];
}

static void end_flow(void)
{
    destroy_solver();
    destroy_picture(&picture);
    destroy_snapshot(&result);
    destroy_scenario(&scenario);
    free(pixels);
}

/** Begins a flow of that name at step 0, with its own bodies. Re 0: its own, or the largest that is stable.
 * Stage -1: the page's GPU computes it. */
FOR_PAGE void begin_flow(const char *name, int width, int height, double re, int stage_number)
{
    const Flow *flow = find_flow(name);
    if (!flow)
        fail(EXIT_USAGE, "unknown flow \"%s\"", name);
    if (scenario.flow)
        end_flow();
    scenario = create_scenario(flow, (Parameters){.width = width, .height = height, .re = re});
    own_length = scenario.length;
    if (scenario.re > most_re())
        set_relaxation(relaxation_time(scenario.u, scenario.length, most_re()));
    stage = numbered_stage(stage_number);
    step_now = 0;
    result = create_snapshot(&scenario);
    pixels = allocate(4 * cell_count(&scenario));
    create_solver();
    read();
}

/** Goes on from the same populations with what has changed: the stage, the viscosity, the bodies. */
static void resume(const Stage *next)
{
    if (!stage && !next) { // the GPU goes on from its own
        destroy_links(&links);
        links = find_links(&scenario);
        return;
    }
    read();
    destroy_solver();
    stage = next;
    scenario.start = (Start){.f = result.f};
    create_solver();
    read(); // a cell that is no longer a body is at rest
}

FOR_PAGE void set_stage(int stage_number)
{
    resume(numbered_stage(stage_number));
}

FOR_PAGE void set_re(double re)
{
    set_relaxation(relaxation_time(scenario.u, scenario.length, re));
    resume(stage);
}

/** Begins again at step 0, with the bodies and the viscosity as they are. */
FOR_PAGE void restart(void)
{
    destroy_solver();
    scenario.start = (Start){0};
    step_now = 0;
    create_solver();
    read();
}

/* ---- Bodies ---- */

/** Whether a cell may become a body, or cease to be one: the border and what is beside it must stay as they
 * are. */
static int can_draw_at(int x, int y)
{
    const CellType type = scenario.type[(size_t)y * scenario.width + x];
    return x > 1 && x < scenario.width - 2 && y > 1 && y < scenario.height - 2 &&
           (type == FLUID || type == BODY);
}

/** Makes the cells of a disc bodies, or fluid; the disc may reach out of the grid. end_drawing must follow.
 */
FOR_PAGE void draw_disc(double x, double y, double radius, int is_body)
{
    const int west = (int)fmax(x - radius, 0.0), south = (int)fmax(y - radius, 0.0);
    for (int n = south; n < scenario.height && n <= y + radius; n++)
        for (int m = west; m < scenario.width && m <= x + radius; m++)
            if (hypot(m - x, n - y) <= radius && can_draw_at(m, n))
                scenario.type[(size_t)n * scenario.width + m] = is_body ? BODY : FLUID;
}

/** The flow goes on with the bodies that were drawn, at the same viscosity. As in the program, where a flow
 * has no length of its own, the height of the highest body is the length of its Reynolds number. */
FOR_PAGE void end_drawing(void)
{
    Mask mask = {scenario.width, scenario.height, allocate(cell_count(&scenario))};
    for (size_t cell = 0; cell < cell_count(&scenario); cell++)
        mask.dark[cell] = scenario.type[cell] == BODY;
    const double height = highest_body(&(Bodies){.mask = mask});
    if (!scenario.flow->length)
        scenario.length = height > 0.0 ? height : own_length;
    free(mask.dark);
    set_relaxation(scenario.tau);
    resume(stage);
}

/* ---- Time ---- */

FOR_PAGE void advance(int steps)
{
    if (stage)
        advance_simulation(solver, steps);
    step_now += steps;
}

/** Reads the flow back, and finds the force on its bodies. Returns whether all of it is finite. */
FOR_PAGE int look(void)
{
    read();
    force = force_on_bodies(&result, &links);
    return is_sane(&result);
}

/* ---- What is seen ---- */

/** The largest value of the colour bar, which depends on the flow's parameters alone; it sets the scale. */
FOR_PAGE double largest(void)
{
    const double size = expected_size(&scenario, picture.field);
    fix_scale(&picture, size);
    return size;
}

/** Colours the flow as `look` found it. */
FOR_PAGE const unsigned char *paint(int field)
{
    destroy_picture(&picture);
    picture = create_picture(&result, (Field)field, middle_slice(&scenario));
    largest();
    unsigned char *pixel = pixels;
    for (int y = scenario.height - 1; y >= 0; y--)
        for (int x = 0; x < scenario.width; x++, pixel += 4) {
            const Colour colour = colour_of(&picture, x, x + 1, y, y + 1);
            memcpy(pixel, &colour, 3);
            pixel[3] = 255;
        }
    return pixels;
}

/** The colour map: SHADES times red, green, blue. */
FOR_PAGE const unsigned char *shades(void)
{
    return &picture.shade[0].red;
}

FOR_PAGE int count_shades(void)
{
    return SHADES;
}

/** The place of a value on the colour bar, from 0 to 1. */
FOR_PAGE double place(double value)
{
    return place_on_scale(&picture, value);
}

static void keep_piece(void *target, double x0, double y0, double x1, double y1)
{
    (void)target;
    if (piece_count == room_for_pieces) {
        room_for_pieces = 2 * room_for_pieces + 1024;
        pieces = reallocate(pieces, 4 * (size_t)room_for_pieces * sizeof *pieces);
    }
    const float piece[4] = {(float)x0, (float)y0, (float)x1, (float)y1};
    memcpy(pieces + 4 * (size_t)piece_count++, piece, sizeof piece);
}

/** Finds the streamlines; their pieces are x0, y0, x1, y1 each. */
FOR_PAGE const float *find_streamlines(void)
{
    piece_count = 0;
    draw_streamlines(&result, keep_piece, NULL);
    return pieces;
}

FOR_PAGE int count_pieces(void)
{
    return piece_count;
}

/** Density and velocity of all cells: rho, ux, uy, uz each. */
FOR_PAGE const Moments *all_moments(void)
{
    return result.moments;
}

FOR_PAGE const CellType *all_types(void)
{
    return scenario.type;
}

/* ---- What the page's GPU computes ---- */

/** Populations before the collision, [height][width][9]: with these the GPU begins, and here the page puts
 * those that it reads back. Those of walls are 0. */
FOR_PAGE Real *populations(void)
{
    return result.f;
}

FOR_PAGE const Physics *physics(void)
{
    return &scenario.physics;
}

/* ---- Numbers ---- */

FOR_PAGE double step(void)
{
    return (double)step_now;
}

FOR_PAGE double re(void)
{
    return scenario.re;
}

FOR_PAGE double tau(void)
{
    return scenario.tau;
}

/** The reference speed. */
FOR_PAGE double speed(void)
{
    return scenario.u;
}

FOR_PAGE double drag(void)
{
    return force.drag;
}

FOR_PAGE double lift(void)
{
    return force.lift;
}

/** Whether there is a body for a force to act on. */
FOR_PAGE int has_bodies(void)
{
    return links.count > 0;
}
