# MPI sends what leaves before it is there.
/cudaStreamSynchronize(solver->outer)/d
