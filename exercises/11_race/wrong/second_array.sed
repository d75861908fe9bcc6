# expects: 56721 bytes of device memory are taken for 777 cells; expected at most 28749.*NOT DONE: see TODO\(1\) and TODO\(2\)
s|float \*f; // populations now.*|float *f, *next;|
s/grid\[at(cell, opposite(i), cells)\] = f\[i\];.*/grid[at(cell, i, cells)] = f[i];/
/void stream_step/s/float \*__restrict__ grid)/const float *from, float *to)/
/two populations on a link/,/^}/c\
    for (int i = 0; i < 9; i++) {\
        const Landing landing = boundary(\&physics, type, x, y, i);\
        to[at(landing.cell, landing.direction, cells)] = from[at(cell, i, cells)] + landing.gain;\
    }\
}
s/CHECK(cudaMalloc((void \*\*)&solver->f, bytes));/&\n    CHECK(cudaMalloc((void **)\&solver->next, bytes));\n    CHECK(cudaMemset(solver->next, 0, bytes));/
s/CHECK(cudaFree(solver->f));/&\n    CHECK(cudaFree(solver->next));/
s/LAUNCH(stream_step, .*/LAUNCH(stream_step, solver->grid, solver->block, solver->scenario->physics, solver->type, solver->f, solver->next);\n        float *swap = solver->f; solver->f = solver->next; solver->next = swap;/
