/**
 * @file failing_ranks.c
 * A stage whose ranks all fail at the same time. To be started by mpirun; one of them must print the reason.
 */
#include "host/fail.h"
#include "ranks/messages.h"
#include "ranks/ranks.h"
#include "simulation/simulation.h"

#include <stdlib.h>
#include <unistd.h>

/** Gives the other ranks time to print a message, if they would, before this one aborts them. */
static void wait_a_second(void)
{
    sleep(1);
}

static void wait_for_all_ranks(void)
{
    largest_on_all(1);
}

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    (void)scenario, (void)type, (void)block;
    atexit(wait_a_second);
    add_cleanup(wait_for_all_ranks);
    fail(EXIT_MACHINE, "rank %d fails", this_rank());
}

static const Stage failing = {.name = "failing", .lattice = &d2q9, .ghosts = 1, .create = create};

int main(void)
{
    const Stage *const stages[] = {&failing};
    begin_ranks(stages, 1);
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 16, .height = 16});
    begin_simulation(&failing, &s, (Block){32, 8});
    return EXIT_GOOD;
}
