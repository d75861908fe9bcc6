#include "lattice/d3q19.h"
#include "simulation/batch_loops.h"

const BatchLoops d3q19_on_host = BATCH_LOOPS;
