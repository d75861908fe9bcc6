#include "gpu/packet.h"

#include "host/fail.h"

void check_waits(const int *timed_out)
{
    int is = 0;
    CHECK(cudaMemcpy(&is, timed_out, sizeof is, cudaMemcpyDeviceToHost));
    if (is)
        fail(EXIT_MACHINE,
             "a thread block waited %d s in vain for another one; all are to be resident together",
             LONGEST_WAIT_S);
}
