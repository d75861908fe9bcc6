// The first stage, but that it refuses grids of more than 40 x 40 cells.
#include "lattice/d2q9.h"
#include "stage/stages.h"

static Solver *create(const Scenario *scenario, Block block)
{
    return stages[0]->create(scenario, block);
}

static void advance(Solver *solver, int steps)
{
    stages[0]->advance(solver, steps);
}

static void read(const Solver *solver, Real *f)
{
    stages[0]->read(solver, f);
}

static void destroy(Solver *solver)
{
    stages[0]->destroy(solver);
}

static const char *refusal(int width, int height)
{
    return width > 40 || height > 40 ? "it takes up to 40 x 40" : NULL;
}

const Stage STAGE = {
    STAGE_NAME,
    "refuses large grids",
    &d2q9,
    73.0,            // as the first stage
    73.0,            // as the first stage
    1.0 / (1 << 24), // half a unit in the last of 24 bits
    TO_NEAREST,      // ties to even
    1,               // step a cycle
    BGK_MAGIC_TAU,   // where half-way walls are exact
    create,
    advance,
    read,
    destroy,
    refusal,
};
