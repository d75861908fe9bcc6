#include "lattice/d2q9.h"
#include "simulation/batch_loops.h"

const BatchLoops d2q9_on_host = BATCH_LOOPS;
