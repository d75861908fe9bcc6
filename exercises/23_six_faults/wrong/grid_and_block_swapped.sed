# expects: CUDA: invalid (configuration )?argument.*small grids are right.*NOT DONE: see TODO\(1\)
s/LAUNCH(step, solver->grid, solver->block/LAUNCH(step, solver->block, solver->grid/
