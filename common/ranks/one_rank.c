// What ranks.h and messages.h promise, in a build without MPI.
#include "ranks/messages.h"
#include "ranks/ranks.h"

#include <string.h>

int open_messages(void)
{
    return 0;
}

void close_messages(void)
{
}

void abort_ranks(int exit_code)
{
    (void)exit_code;
}

int is_first_to_call(void)
{
    return 1;
}

int rank_count(void)
{
    return 1;
}

int this_rank(void)
{
    return 0;
}

int local_rank(void)
{
    return 0;
}

int ranks_on_host(void)
{
    return 1;
}

const char *mpi_library(void)
{
    return "none";
}

int mpi_takes_device_memory(void)
{
    return 0;
}

void broadcast_bytes(void *data, int bytes)
{
    (void)data, (void)bytes;
}

void gather_bytes(const void *own, int bytes, void *all)
{
    memcpy(all, own, (size_t)bytes);
}

int largest_on_all(int number)
{
    return number;
}

void send_bytes(int rank, const void *bytes, size_t count)
{
    (void)rank, (void)bytes, (void)count; // there is none to send to
}

void receive_bytes(int rank, void *bytes, size_t count)
{
    (void)rank, (void)bytes, (void)count;
}
