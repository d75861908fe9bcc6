# expects: first wrong message: 60 begun .*many steps at once.*NOT DONE: see TODO\(2\)
/MPI_Sendrecv(out, count/{N
c\
    MPI_Request sent[2];\
    MPI_Isend(out, count, MPI_FLOAT, above, 0, MPI_COMM_WORLD, &sent[0]);\
    MPI_Isend(out + count, count, MPI_FLOAT, below, 0, MPI_COMM_WORLD, &sent[1]);\
    MPI_Recv(in, count, MPI_FLOAT, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
/MPI_Sendrecv(out + count/{N
c\
    MPI_Recv(in + count, count, MPI_FLOAT, above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
