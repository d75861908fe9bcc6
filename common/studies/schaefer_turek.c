#include "studies/schaefer_turek.h"

#include "result/forces.h"

#include <math.h>
#include <string.h>

static int is_published(const Scenario *s)
{
    return strcmp(s->flow->name, "channel_cylinder") == 0 && fabs(s->re - 20.0) < 1e-6;
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
    return is_published(r->scenario) ? fabs(force(r).drag / 5.5795 - 1.0) : NAN;
}

double lift_deviation(const Snapshot *r)
{
    return is_published(r->scenario) ? fabs(force(r).lift - 0.0106) : NAN;
}

double pressure_deviation(const Snapshot *r)
{
    const double published = 0.11752 / 0.04; // they have u = 0.2
    return is_published(r->scenario) ? fabs(pressure_difference(r, stream_density(r)) / published - 1.0)
                                     : NAN;
}
