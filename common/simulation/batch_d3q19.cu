#include "gpu/gpu.h"
#include "lattice/d3q19.h"
#include "simulation/batch_loops.h"

#ifndef __HIP_DEVICE_COMPILE__ // a table of constants would go to the device, too, without its functions
const BatchLoops d3q19_on_device = BATCH_LOOPS;
#endif
