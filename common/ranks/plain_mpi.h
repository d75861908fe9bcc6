/**
 * @file plain_mpi.h
 * MPI as C has it, for C and for CUDA C: mpi.h of some libraries gives C++ more, which needs a library of its
 * own.
 */
#ifndef PLAIN_MPI_H
#define PLAIN_MPI_H

#define OMPI_SKIP_MPICXX  1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#endif
