# expects: 37 x 21.*NOT DONE: see TODO\(1\)
s|(cells + solver->block.x - 1) / solver->block.x|cells / solver->block.x|
