# MPI gets pointers to the GPU's memory without being asked whether it takes them.
/mpi_takes_device_memory/,+1d
