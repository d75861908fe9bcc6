#include "check_exercise.h"
#include "hard_grids.h"
#include "run_flow.h"
#include "simulation/simulation.h"

#include EXERCISE

#include <sys/wait.h>

/** The link to a slot, or NULL. */
static const Link *find_link(const Simulation *solver, size_t to)
{
    for (size_t n = 0; n < solver_of(solver)->link_count; n++)
        if (solver_of(solver)->links[n].to == to)
            return &solver_of(solver)->links[n];
    return NULL;
}

/** Ends the check if a population that `push` leaves in a wrong slot has no link, or a wrong one. Returns
 * whether it needs one. */
static int expect_link(const Simulation *solver, int x, int y, int i)
{
    const Scenario *s = solver_of(solver)->scenario;
    const Destination destination = boundary(&s->physics, s->type, x, y, i);
    const size_t from =
        at(neighbour(padded(y * s->width + x, s->width), i, s->width), i, solver_of(solver)->cells);
    const size_t to = at(padded(destination.cell, s->width), destination.direction, solver_of(solver)->cells);
    if (from == to)
        return 0;
    const Link *link = find_link(solver, to);
    const char *why = destination.direction == i ? "comes in again on the other side" : "bounces off a wall";
    if (!link)
        wrong("first missing link: cell x=%d y=%d, direction %s: the population %s, and no link ends in its "
              "slot (%s, %d x %d)",
              x, y, direction_name(i), why, s->flow->name, s->width, s->height);
    if (link->from != from || !(link->gain == destination.gain))
        wrong("first wrong link: cell x=%d y=%d, direction %s: the population %s: expected a link from slot "
              "%zu to %zu with the gain %g, got one from %zu with the gain %g (%s, %d x %d)",
              x, y, direction_name(i), why, from, to, destination.gain, link->from, link->gain, s->flow->name,
              s->width, s->height);
    return 1;
}

static void expect_links(const char *flow, int width, int height)
{
    Scenario s = small_flow(flow, width, height);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    size_t needed = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int i = 0; i < 9 && !is_wall(s.type[y * width + x]); i++)
                needed += expect_link(solver, x, y, i);
    if (solver_of(solver)->link_count != needed)
        wrong("too many links: expected %zu, got %zu (%s, %d x %d)", needed, solver_of(solver)->link_count,
              flow, width, height);
    end_simulation(solver);
    destroy_scenario(&s);
}

/** Ends the check at the first population that has not the bits of stage 00. */
static void expect_bits(const Scenario *s, int steps)
{
    for (int step = 0; step <= steps; step++) {
        Snapshot r = run_flow(&STAGE, s, small_block, step),
                 expected = run_flow(&stage_00_cpu_aos, s, small_block, step);
        for (size_t n = 0; n < DIRECTIONS * cell_count(s); n++)
            if (!(r.f[n] == expected.f[n]))
                wrong("first wrong population: cell x=%d y=%d, direction %s: expected %.9g, got %.9g\n"
                      "  (%s, %d x %d, after step %d; as stored, f - w)",
                      (int)(n / DIRECTIONS % s->width), (int)(n / DIRECTIONS / s->width),
                      direction_name(n % DIRECTIONS), expected.f[n], r.f[n], s->flow->name, s->width,
                      s->height, step);
        destroy_snapshot(&r);
        destroy_snapshot(&expected);
    }
}

static void expect_bits_of(const char *flow, int width, int height)
{
    Scenario s = small_flow(flow, width, height);
    expect_bits(&s, 5);
    destroy_scenario(&s);
}

/** Ends the check unless the compiler says that it makes vectors of the loop. */
static void expect_vectors(void)
{
    fflush(stdout);
    const int status = system(REPORT " '" EXERCISE "' " COMPILE);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_CHECK;
    if (code == 2) {
        part("TODO(3)", "what the compiler says of the loop above: it can't know that no iteration reads or "
                        "writes what another one writes; host/independent.h");
        wrong("no loop has the promise INDEPENDENT before it");
    }
    if (code != 0 && code != 77)
        wrong("the compiler made no vectors of this loop");
}

void check(void)
{
    part("TODO(1)", "a wall sends the population back: `push` leaves it in the wall, and it belongs into the "
                    "cell that it came from, turned round. `boundary` says where it belongs");
    expect_links("cavity", 13, 9);
    part("TODO(1)", "there is no wall here: what leaves the grid comes in again on the other side, and "
                    "`push` leaves it in the frame");
    expect_links("taylor_green", 7, 5);
    expect_links("poiseuille", 1, 10);

    part("TODO(2)", "the lists are right: is every cell gone through, the last one too? Is what the loop "
                    "gets wrong put right after it?");
    expect_bits_of("taylor_green", 37, 21);
    expect_bits_of("cavity", 37, 21);
    part("TODO(2)",
         "an open or inflow cell is no fluid: collide_open_boundaries overwrites what the loop pushed");
    for (int k = 0; k < flow_count; k++)
        if (takes_flow(&STAGE, &flows[k]))
            expect_bits_of(flows[k].name, 37, 53);
    Scenario maze = create_maze(31, 40, 4);
    expect_bits(&maze, 5);
    destroy_scenario(&maze);

    part("TODO(2)",
         "what the compiler says of the loop above. A loop in an iteration must be one that it can "
         "write out, and no iteration may branch or call what is not inlined");
    expect_vectors();
}
