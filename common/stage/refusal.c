#include "stage/refusal.h"

#include "host/fail.h"

int takes_flow(const Stage *stage, const Flow *flow)
{
    return stage->lattice == flow->lattice;
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
    fail(EXIT_USAGE, "%s computes on %s, and %s is a flow on %s: it takes %s", stage->name,
         stage->lattice->name, flow->name, flow->lattice->name, names);
}

const char *stage_refusal(const Stage *stage, int width, int height)
{
    return stage->refusal ? stage->refusal(width, height) : NULL;
}

void check_grid(const Stage *stage, int width, int height)
{
    const char *refusal = stage_refusal(stage, width, height);
    if (refusal)
        fail(EXIT_USAGE, "%s refuses %d x %d cells: %s", stage->name, width, height, refusal);
}
