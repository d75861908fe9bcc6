#include "program/traffic.h"

#include "host/allocate.h"
#include "host/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void record_traffic(const TrafficSettings *settings, int count, char **arguments)
{
    (void)settings;
    char path[PATH_SIZE + 16] = "";
    const ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE);
    snprintf(path + (length > 0 ? length : 0), 16, "_traffic");
    char **words = allocate(((size_t)count + 3) * sizeof *words);
    words[0] = path;
    words[1] = (char[]){"traffic"};
    memcpy(words + 2, arguments, (size_t)count * sizeof *words);
    fflush(stdout);
    execv(path, words);
    fail(EXIT_MACHINE, "%s: %s; the build makes it where the compiler is gcc or clang", path,
         strerror(errno));
}
