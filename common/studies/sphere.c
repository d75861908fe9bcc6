#include "studies/sphere.h"

#include "result/forces.h"

#include <math.h>
#include <string.h>

double sphere_drag_deviation(const Snapshot *r)
{
    const Scenario *s = r->scenario;
    if (strcmp(s->flow->name, "sphere") != 0 || fabs(s->re - 100.0) >= 1e-6)
        return NAN;
    LinkList links = find_links(s);
    const double drag = force_on_bodies(r, &links).drag;
    destroy_links(&links);
    return fabs(drag / 1.087 - 1.0);
}
