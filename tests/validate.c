#include "validate.h"
#include "allocate.h"

#include "check.h"

#include <stdlib.h>

static const Block small_block = {32, 8};

/** A stage that never moves. */
typedef struct {
    const Scenario *scenario;
    float value; /* added to all populations that are read */
} Frozen;

static Solver *freeze(const Scenario *scenario, Block block)
{
    (void)block;
    Frozen *frozen = allocate(sizeof *frozen);
    frozen->scenario = scenario;
    return (Solver *)frozen;
}

static Solver *freeze_with_nan(const Scenario *scenario, Block block)
{
    Solver *solver = freeze(scenario, block);
    ((Frozen *)solver)->value = NAN;
    return solver;
}

static void stay(Solver *solver, int steps)
{
    (void)solver, (void)steps;
}

static void read_frozen(const Solver *solver, Real *f)
{
    const Frozen *frozen = (const Frozen *)solver;
    initial_populations(frozen->scenario, f);
    for (size_t n = 0; n < DIRECTIONS * cell_count(frozen->scenario); n++)
        f[n] += frozen->value;
}

static void thaw(Solver *solver)
{
    free(solver);
}

static Stage frozen_stage(Solver *(*create)(const Scenario *, Block))
{
    const Stage stage = {"frozen", "nothing", 73.0,        73.0, 1.0 / (1 << 24), TO_NEAREST, 1,
                         create,   stay,      read_frozen, thaw};
    return stage;
}

TEST(a_stage_that_does_not_move_fails)
{
    const Stage frozen = frozen_stage(freeze);
    EXPECT(validate(&frozen, small_block) >= 8); /* all but conserved mass, and the change that is NaN or 0 */
}

TEST(a_stage_of_nan_fails_in_every_row)
{
    const Stage nan = frozen_stage(freeze_with_nan);
    EXPECT(validate(&nan, small_block) == 18);
}
