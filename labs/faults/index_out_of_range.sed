# from: 02_soa stages/02_soa/solver.cu
# The cell and the direction have changed places in one of the kernel's calls of `at`. All three are integers.
s/from\[at(cell, i, cells)\]/from[at(i, cell, cells)]/
