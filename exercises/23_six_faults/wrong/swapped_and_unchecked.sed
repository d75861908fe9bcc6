# expects: first wrong population.*1050 x 250.*small grids are right.*NOT DONE: see TODO\(1\)
s/ LAUNCH(step, solver->grid, solver->block/ BARE_LAUNCH(step, solver->block, solver->grid/
