# expects: create. takes 21.0 bytes of device memory for each cell, expected 20.*NOT DONE: see TODO\(2\) and TODO\(3\)
s/^    Cell \*type;/    Cell *type, *again;/
s/^    CHECK(cudaMalloc((void \*\*)&solver->type, cells));/&\n    CHECK(cudaMalloc((void **)\&solver->again, cells));\n    CHECK(cudaMemcpy(solver->again, scenario->type, cells, cudaMemcpyHostToDevice));/
s/physics, solver->type,/physics, solver->again,/
s/= .* == ALL_LINKS ? type\[cell\] : FLUID;/= type[cell];/
s/stopped != 0/1/
s/stopped << 1 >> i & 1/1/
