// in_turns SIZE ROUNDS SOLVER.so...: solvers in a cavity of SIZE x SIZE cells that take turns, ROUNDS times.
// Prints for each the fastest speed seen, in MLUPS: by the CPU time of the process, and by the clock on the
// wall.
#include "flow/scenario.h"
#include "host/allocate.h"
#include "host/clock.h"
#include "host/fail.h"
#include "host/standard_output.h"
#include "host/subnormal.h"
#include "simulation/simulation.h"
#include "speed/speed.h"
#include "stage/unsupported.h"

#include "arguments.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A turn is a multiple of this number of steps, and takes so long at least at 100 MLUPS.
enum { STEPS = 20 };
static const double seconds = 0.4;

typedef struct {
    const Stage *stage;
    Simulation *solver;
    double cpu, wall; // MLUPS of the fastest turn
} Player;

static Player create_player(const char *path, const Scenario *s)
{
    Player player = {.stage = load_stage_of(path, s->flow)};
    check_grid(player.stage, s->width, s->height);
    player.solver = begin_simulation(player.stage, s, (Block){1, 1});
    advance_simulation(player.solver, STEPS);
    return player;
}

static void take_turn(Player *player, double cells, int steps)
{
    const double cpu = cpu_time(), wall = now();
    advance_simulation(player->solver, steps);
    player->wall = fmax(player->wall, mlups(cells, steps, now() - wall));
    player->cpu = fmax(player->cpu, mlups(cells, steps, cpu_time() - cpu));
}

int main(int count, char **arguments)
{
    if (count < 4)
        fail(EXIT_USAGE, "usage: in_turns SIZE ROUNDS SOLVER.so...");
    flush_subnormals(1);
    const int size = parse_integer("SIZE", arguments[1], 3, 65535),
              rounds = parse_integer("ROUNDS", arguments[2], 1, 1000);
    const int players = count - 3;
    Scenario s = create_scenario(find_flow("cavity"),
                                 (Parameters){.width = size, .height = size, .tau = measured_tau});
    const double cells = (double)cell_count(&s);
    const int steps = STEPS * (int)ceil(1e8 * shortest_repeat(seconds) / (STEPS * cells));
    Player *player = (Player *)allocate(players * sizeof *player);
    for (int n = 0; n < players; n++)
        player[n] = create_player(arguments[3 + n], &s);
    for (int round = 0; round < rounds; round++)
        for (int n = 0; n < players; n++)
            take_turn(&player[n], cells, steps);
    for (int n = 0; n < players; n++) {
        printf("%.1f %.1f\n", player[n].cpu, player[n].wall);
        end_simulation(player[n].solver);
    }
    free(player);
    destroy_scenario(&s);
    check_standard_output();
    return EXIT_GOOD;
}
