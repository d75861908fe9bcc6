# from: 02_soa stages/02_soa/solver.cu
# Blocks of 64 x 32 threads, twice as many as a block may have, and nobody asks whether the launch began.
s|#include "gpu/gpu.h"|&\n#include "gpu/unchecked_launch.h"|
s/LAUNCH(step, solver->grid, solver->block,/const dim3 block = {64, 32, 1};\n        UNCHECKED_LAUNCH(step, solver->grid, block,/
