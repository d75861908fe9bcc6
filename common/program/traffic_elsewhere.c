#include "program/traffic.h"

#include "host/allocate.h"
#include "host/fail.h"
#include "ranks/ranks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int run_traffic(int count, char **arguments)
{
    if (strcmp(mpi_library(), "none") != 0)
        fail(EXIT_USAGE, "mpirun started traffic on %d rank(s); it takes a program that is started alone",
             rank_count());
    char path[PATH_SIZE + 16] = "";
    const ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE);
    snprintf(path + (length > 0 ? length : 0), 16, "_traffic");
    char **words = allocate(((size_t)count + 3) * sizeof *words);
    words[0] = path;
    words[1] = (char[]){"traffic"};
    memcpy(words + 2, arguments, (size_t)count * sizeof *words);
    fflush(stdout);
    execv(path, words);
    fail(EXIT_MACHINE, "%s: %s; it is built with lbm and lbm_NAME where gcc is there", path, strerror(errno));
}
