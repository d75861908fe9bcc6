/**
 * @file fake.h
 * Stages for tests that hold all populations in one array at home, f[directions * cell + i].
 */
#ifndef FAKE_H
#define FAKE_H

#include "host/allocate.h"
#include "stage/stage.h"

#include <stdlib.h>

/** Stage.write of a stage whose `create` has set the start. */
static inline void write_nothing(Solver *solver, Cells cells, const Real *f)
{
    (void)solver, (void)cells, (void)f;
}

/** Makes of a function that reads all populations a Stage.read. */
static inline void read_some(void (*read_all)(const Solver *, Real *), const Solver *solver,
                             const Scenario *s, Cells cells, Real *f)
{
    const size_t directions = (size_t)directions_of(s);
    Real *all = (Real *)allocate(population_count(s) * sizeof *all);
    read_all(solver, all);
    for (CellNumber n = 0; n < cells.count; n++)
        for (size_t i = 0; i < directions; i++)
            f[cells.count * i + n] = all[directions * (cells.list ? cells.list[n] : cells.first + n) + i];
    free(all);
}

#endif
