#include "studies/past_bodies.h"

#include "result/forces.h"

#include <math.h>
#include <string.h>

static int is(const Snapshot *r, const char *flow, double re)
{
    return strcmp(r->scenario->flow->name, flow) == 0 && fabs(r->scenario->re - re) < 1e-6;
}

static Force force(const Snapshot *r)
{
    LinkList links = find_links(r->scenario);
    const Force force = force_on_bodies(r, &links);
    destroy_links(&links);
    return force;
}

double drag_deviation(const Snapshot *r)
{
    return is(r, "channel_cylinder", 20.0) ? fabs(force(r).drag / 5.5795 - 1.0) : NAN;
}

double lift_deviation(const Snapshot *r)
{
    return is(r, "channel_cylinder", 20.0) ? fabs(force(r).lift - 0.0106) : NAN;
}

double pressure_deviation(const Snapshot *r)
{
    const double published = 0.11752 / 0.04; // they have u = 0.2
    return is(r, "channel_cylinder", 20.0) ? fabs(pressure_difference(r, stream_density(r)) / published - 1.0)
                                           : NAN;
}

double sphere_drag_deviation(const Snapshot *r)
{
    return is(r, "sphere", 100.0) ? fabs(force(r).drag / 1.087 - 1.0) : NAN;
}
