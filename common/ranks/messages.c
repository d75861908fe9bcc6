#define _POSIX_C_SOURCE 200809L // nanosleep

#include "ranks/messages.h"

#include "host/clock.h"
#include "ranks/ranks.h"

#include "ranks/plain_mpi.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double patience = 1e-3; // seconds that a rank waits for rank 0 before it rests between two looks

static int is_open, count = 1, rank, local, local_count = 1;
static char library[MPI_MAX_LIBRARY_VERSION_STRING] = "none";

/* Memory that the ranks of a host share. */
static MPI_Win window;
static atomic_int *calls;

int rank_count(void)
{
    return count;
}

int this_rank(void)
{
    return rank;
}

int local_rank(void)
{
    return local;
}

int ranks_on_host(void)
{
    return local_count;
}

const char *mpi_library(void)
{
    return library;
}

int mpi_takes_device_memory(void)
{
#ifdef MPIX_CUDA_AWARE_SUPPORT
    return is_open && MPIX_Query_cuda_support();
#else
    return 0;
#endif
}

/** Whether mpirun, or what does its work in another MPI or under Slurm, has started this program. */
static int was_started_by_mpirun(void)
{
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMIX_RANK") || getenv("PMI_RANK");
}

static void open_shared_memory(void)
{
    MPI_Comm host;
    MPI_Aint bytes;
    int unit;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &local);
    MPI_Comm_size(host, &local_count);
    MPI_Win_allocate_shared(local == 0 ? sizeof *calls : 0, sizeof *calls, MPI_INFO_NULL, host, &calls,
                            &window);
    MPI_Win_shared_query(window, 0, &bytes, &unit, &calls);
    if (local == 0)
        atomic_init(calls, 0);
    MPI_Barrier(host);
    MPI_Comm_free(&host);
}

int open_messages(void)
{
    int length = 0;
    if (!was_started_by_mpirun())
        return 0;
    MPI_Init(NULL, NULL);
    is_open = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_library_version(library, &length);
    library[strcspn(library, ",\n")] = '\0'; // what follows says who built it
    open_shared_memory();
    return 1;
}

void close_messages(void)
{
    if (!is_open)
        return;
    MPI_Win_free(&window);
    MPI_Finalize();
}

void abort_ranks(int exit_code)
{
    if (is_open)
        MPI_Abort(MPI_COMM_WORLD, exit_code);
}

int is_first_to_call(void)
{
    return !is_open || atomic_fetch_add(calls, 1) == 0;
}

void broadcast_bytes(void *data, int bytes)
{
    const double start = now();
    MPI_Request request;
    int done = !is_open;
    if (is_open)
        MPI_Ibcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    while (!done) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (!done && now() - start > patience)
            nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
    }
}

void gather_bytes(const void *own, int bytes, void *all)
{
    if (is_open)
        MPI_Gather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else
        memcpy(all, own, (size_t)bytes);
}

int largest_on_all(int number)
{
    if (is_open)
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return number;
}

enum { MOST_AT_A_TIME = 1 << 30 }; // bytes of a message, which an int counts

static int piece(size_t left)
{
    return left < MOST_AT_A_TIME ? (int)left : MOST_AT_A_TIME;
}

void send_bytes(int to, const void *bytes, size_t size)
{
    for (size_t sent = 0; sent < size; sent += MOST_AT_A_TIME)
        MPI_Send((const char *)bytes + sent, piece(size - sent), MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

void receive_bytes(int from, void *bytes, size_t size)
{
    for (size_t got = 0; got < size; got += MOST_AT_A_TIME)
        MPI_Recv((char *)bytes + got, piece(size - got), MPI_BYTE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}
