#include "stage/unsupported.h"

#include "host/fail.h"

#include <stdio.h>
#include <string.h>

int takes_flow(const Stage *stage, const Flow *flow)
{
    return stage->lattice == flow->lattice && (stage->read_nodes || !has_membrane(flow));
}

const Flow *first_flow(const Stage *stage)
{
    const Flow *flow = flows;
    while (!takes_flow(stage, flow))
        flow++;
    return flow;
}

void check_lattice(const Stage *stage, const Flow *flow)
{
    if (takes_flow(stage, flow))
        return;
    char names[1024] = "";
    for (int n = 0; n < flow_count; n++)
        if (takes_flow(stage, &flows[n]))
            append_name(names, sizeof names, flows[n].name);
    fail(EXIT_USAGE, "%s computes on %s, and %s is a flow on %s%s: it takes %s", stage->name,
         stage->lattice->name, flow->name, flow->lattice->name, has_membrane(flow) ? " with a membrane" : "",
         names);
}

/** The largest height below a refused one at which a stage takes grids of that width; 0: none. */
static int largest_height(const Stage *stage, int width, int refused)
{
    int taken = 0;
    while (refused - taken > 1) {
        const int middle = taken + (refused - taken) / 2;
        if (stage->unsupported(width, middle))
            refused = middle;
        else
            taken = middle;
    }
    return taken;
}

const char *stage_reason(const Stage *stage, int width, int height)
{
    static char text[300];
    const char *reason = stage->unsupported ? stage->unsupported(width, height) : NULL;
    if (!reason)
        return NULL;
    snprintf(text, sizeof text, "%s", reason); // the next call may change the reason
    const int largest = largest_height(stage, width, height);
    const size_t used = strlen(text);
    if (largest > 0)
        snprintf(text + used, sizeof text - used, "; at this width up to %d x %d", width, largest);
    return text;
}

const char *device_reason(const Stage *stage)
{
    return stage_reason(stage, 1, 1);
}

void check_grid(const Stage *stage, int width, int height)
{
    const char *reason = stage_reason(stage, width, height);
    if (reason)
        fail(EXIT_USAGE, "%s refuses %d x %d cells: %s", stage->name, width, height, reason);
}
