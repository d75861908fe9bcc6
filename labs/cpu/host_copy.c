// Prints what the memory is seen to copy, in GB/s: in place by one thread, and by as many as OMP_NUM_THREADS
// says.
#include "host/standard_output.h"
#include "speed/machine.h"

#include <stdio.h>

int main(void)
{
    const HostCopy copy = measure_host_copy();
    printf("%.1f %.1f\n", copy.in_place, copy.all_cores);
    check_standard_output();
    return 0;
}
