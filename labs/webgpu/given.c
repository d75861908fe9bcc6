// build/webgpu_given FLOW N: what the kernels of a flow of N x N cells are given, as they have it in memory: Physics, and
// the type of each cell. The flow is that of lbm bench, which begins at rest.
#include "flow/scenario.h"
#include "host/fail.h"
#include "speed/speed.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        fail(EXIT_USAGE, "webgpu_given takes a flow and the cells of a side, such as cavity 64");
    const Flow *flow = find_flow(argv[1]);
    char *rest;
    const long side = strtol(argv[2], &rest, 10);
    if (!flow || *rest || side < 1 || side > 16384)
        fail(
            EXIT_USAGE,
            "webgpu_given takes a flow that lbm list names and the cells of a side, up to 16384, not \"%s %s\"",
            argv[1], argv[2]);
    Scenario scenario =
        create_scenario(flow, (Parameters){.width = (int)side, .height = (int)side, .tau = measured_tau});
    fwrite(&scenario.physics, sizeof scenario.physics, 1, stdout);
    fwrite(scenario.type, sizeof *scenario.type, cell_count(&scenario), stdout);
    if (fflush(stdout) != 0)
        fail(EXIT_MACHINE, "cannot write to the standard output");
    destroy_scenario(&scenario);
    return 0;
}
