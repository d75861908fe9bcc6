# from: 02_soa stages/02_soa/solver.cu
# Threads without a cell go on as if they had one.
/x >= physics.width/,+1d
