# from: 02_soa stages/02_soa/solver.cu
# The grid and the block have changed places in the launch. Both are a dim3.
s/LAUNCH(step, solver->grid, solver->block,/LAUNCH(step, solver->block, solver->grid,/
