# expects: first wrong population: .*2 ranks.*NOT DONE: see TODO\(2\)
s/MPI_Sendrecv(out, count/MPI_Sendrecv(out, count \/ 3/
