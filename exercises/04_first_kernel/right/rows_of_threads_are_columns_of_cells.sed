# expects: A remark: all is right, but .* not coalesced.*DONE
s/const int x = .*/const int x = blockIdx.y * blockDim.y + threadIdx.y;/
s/const int y = .*/const int y = blockIdx.x * blockDim.x + threadIdx.x;/
s/LAUNCH(step, solver->grid, solver->block,/const dim3 grid = {solver->grid.y, solver->grid.x, 1}, block = {solver->block.y, solver->block.x, 1};\n        LAUNCH(step, grid, block,/
