#include "gpu/gpu.h"
#include "lattice/d2q9.h"
#include "simulation/batch_loops.h"

#ifndef __HIP_DEVICE_COMPILE__ // a table of constants would go to the device, too, without its functions
const BatchLoops d2q9_on_device = BATCH_LOOPS;
#endif
