# expects: CUDA: invalid (configuration )?argument.*NOT DONE: see TODO\(3\)
s/LAUNCH(step, solver->grid, solver->block,/LAUNCH(step, solver->block, solver->grid,/
