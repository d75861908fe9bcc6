// The first stage, but that it refuses grids of more than 40 x 40 cells.
#include "lattice/d2q9.h"
#include "stage/stages.h"

static Solver *create(const Scenario *scenario, const CellType *type, Block block)
{
    return stages[0]->create(scenario, type, block);
}

static void advance(Solver *solver, int steps)
{
    stages[0]->advance(solver, steps);
}

static void write(Solver *solver, Cells cells, const Real *f)
{
    stages[0]->write(solver, cells, f);
}

static void read(const Solver *solver, Cells cells, Real *f)
{
    stages[0]->read(solver, cells, f);
}

static void destroy(Solver *solver)
{
    stages[0]->destroy(solver);
}

static const char *reason(int width, int height)
{
    return width > 40 || height > 40 ? "it takes up to 40 x 40" : NULL;
}

const Stage STAGE = {
    .name = STAGE_NAME,
    .summary = "refuses large grids",
    .lattice = &d2q9,
    .bytes_per_update = 73.0,   // as the first stage
    .bytes_per_cell = 73.0,     // as the first stage
    .epsilon = 1.0 / (1 << 24), // half a unit in the last of 24 bits
    .rounding = TO_NEAREST,     // ties to even
    .cycle = 1,
    .magic_tau = BGK_MAGIC_TAU,
    .create = create,
    .write = write,
    .advance = advance,
    .read = read,
    .destroy = destroy,
    .unsupported = reason,
};
