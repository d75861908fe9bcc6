# expects: ranks wait for each other for ever.*all ranks send first.*NOT DONE: see TODO\(2\)
/MPI_Sendrecv(out, count/{N
c\
    MPI_Send(out, count, MPI_FLOAT, above, 0, MPI_COMM_WORLD);\
    MPI_Recv(in, count, MPI_FLOAT, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
