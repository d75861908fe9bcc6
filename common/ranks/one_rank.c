// What ranks.h promises, in a build without MPI.
#include "ranks/ranks.h"

#include <string.h>

static Task *the_task;

void begin_ranks(const Stage *const *stages, int count)
{
    (void)stages, (void)count;
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

void set_task(Task *task)
{
    the_task = task;
}

void do_on_all_ranks(int part)
{
    the_task(part);
}

void gather_bytes(const void *own, int bytes, void *all)
{
    memcpy(all, own, (size_t)bytes);
}

int is_sane_on_all_ranks(const Solver *solver)
{
    (void)solver; // no stage runs on ranks
    return 0;
}
