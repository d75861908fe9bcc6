/**
 * @file ranks.h
 * The ranks of MPI: the programs that mpirun has started together, one a GPU. Rank 0 runs the commands; the
 * others wait until it calls a function for a stage that runs on all of them (simulation/on_all_ranks.h).
 *
 * In a build without MPI, and where mpirun has not started the program, there is one rank, and nothing is
 * done for it.
 */
#ifndef RANKS_H
#define RANKS_H

#include "stage/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * To be called before the program reads, prints or writes anything; `stages` are those that it has. Returns
 * on rank 0. The other ranks stay in here and end when rank 0 does. From now on what ends one rank ends all:
 * `fail` with one line of each host, whichever ranks fail, and its exit code. A request for an end
 * (interrupt.h) that another rank receives as a signal is passed on to rank 0 when it next looks or waits.
 */
void begin_ranks(const Stage *const *stages, int count);

/** How many ranks there are. */
int rank_count(void);

/** The number of this rank, from 0 on. */
int this_rank(void);

/** Its number among the ranks on the same host. */
int local_rank(void);

/** How many ranks there are on the same host. */
int ranks_on_host(void);

/** Name and version of the MPI library in use; "none" for one rank without it. */
const char *mpi_library(void);

/** Whether the MPI library in use says that it takes pointers to a GPU's memory. */
int mpi_takes_device_memory(void);

/** What all ranks do together besides their work for stages; rank 0 chooses the part of it. */
typedef void Task(int part);

/** Sets the task. To be called on all ranks, before begin_ranks. */
void set_task(Task *task);

/** Has all ranks do a part of the task; to be called on rank 0. */
void do_on_all_ranks(int part);

/** Gives rank 0 the bytes that all ranks have at `own`, in the order of the ranks; to be called on all of
 * them. `all` is not used on the others. */
void gather_bytes(const void *own, int bytes, void *all);

#ifdef __cplusplus
}
#endif

#endif
