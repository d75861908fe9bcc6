#include "simulation/samples.h"

#include "host/allocate.h"

#include <stdlib.h>

/** Samples that wait at most, and the most bytes of their populations. */
enum { MOST_SAMPLES = 1024, MOST_BYTES = 64 << 20 };

struct Samples {
    Simulation *simulation;
    TimeSeries *series;
    Sampled sampled;     // its arrays are where the state lives
    CellNumber capacity; // for samples
    CellNumber waiting;
    long step[MOST_SAMPLES];
    double *rows;             // of all, at home
    Real *nodes, *nodes_home; // of all, [samples][3][nodes]: where the state lives, and at home; NULL: none
};

static int compare_cells(const void *a, const void *b)
{
    const CellNumber x = *(const CellNumber *)a, y = *(const CellNumber *)b;
    return (x > y) - (x < y);
}

/** Lists the cells in which populations come back from bodies, each once; returns how many. */
static CellNumber list_links(const LinkList *links, size_t directions, CellNumber *list)
{
    CellNumber count = 0;
    for (size_t n = 0; n < links->count; n++)
        list[n] = (CellNumber)(links->link[n].population / directions);
    qsort(list, links->count, sizeof *list, compare_cells);
    for (size_t n = 0; n < links->count; n++)
        if (n == 0 || list[n] != list[count - 1])
            list[count++] = list[n];
    return count;
}

static CellNumber list_inflow(const Scenario *s, CellNumber *list)
{
    CellNumber count = 0;
    for (size_t cell = 0; cell < cell_count(s); cell += (size_t)s->width)
        if (s->type[cell] == INFLOW)
            list[count++] = (CellNumber)cell;
    return count;
}

static CellNumber list_probes(const Scenario *s, const Probes *probes, CellNumber *list)
{
    for (int n = 0; n < probes->count; n++) {
        Position at = probes->cell[n];
        at.z = is_in_space(s) ? at.z : 0;
        list[n] = (CellNumber)cell_at(s, at);
    }
    return (CellNumber)probes->count;
}

static void *upload(const Memory *memory, const void *data, size_t bytes)
{
    void *there = memory->allocate(bytes);
    memory->upload(there, data, bytes);
    return there;
}

static SampledLink *find_sampled(const LinkList *links, size_t directions, const CellNumber *list,
                                 CellNumber in_list, CellNumber count)
{
    SampledLink *sampled = allocate((links->count + 1) * sizeof *sampled);
    for (size_t n = 0; n < links->count; n++) {
        const Link *link = &links->link[n];
        const CellNumber cell = (CellNumber)(link->population / directions);
        const CellNumber *found = bsearch(&cell, list, in_list, sizeof *list, compare_cells);
        sampled[n] =
            (SampledLink){(CellNumber)(found - list) + count * (CellNumber)(link->population % directions),
                          (signed char)link->ex, (signed char)link->ey, (signed char)link->ez};
    }
    return sampled;
}

Samples *begin_samples(Simulation *simulation, TimeSeries *series)
{
    const Scenario *s = scenario_of(simulation);
    const Memory *memory = memory_of(simulation);
    const size_t directions = (size_t)directions_of(s), links = series->links.count;
    const size_t rows = links ? cell_count(s) / (size_t)s->width : 0;
    CellNumber *list = allocate((links + rows + (size_t)series->probes->count + 1) * sizeof *list);
    Samples *samples = allocate(sizeof *samples);
    Sampled *p = &samples->sampled;
    samples->simulation = simulation;
    samples->series = series;
    p->links = (CellNumber)links;
    p->inflow = list_links(&series->links, directions, list);
    p->probes = p->inflow + (links ? list_inflow(s, list + p->inflow) : 0);
    const CellNumber count = p->probes + list_probes(s, series->probes, list + p->probes);
    p->row = FORCE_NUMBERS + 3 * (count - p->probes);
    const size_t bytes = count * directions * sizeof(Real), of_nodes = node_bytes(s);
    const size_t fit = bytes + of_nodes ? MOST_BYTES / (bytes + of_nodes) : MOST_SAMPLES;
    samples->capacity = fit < 1 ? 1 : fit < MOST_SAMPLES ? (CellNumber)fit : MOST_SAMPLES;
    SampledLink *link = find_sampled(&series->links, directions, list, p->inflow, count);
    p->link = upload(memory, link, (links + 1) * sizeof *link);
    p->batch = listed_batch(simulation, list, count);
    p->batch.f = memory->allocate(samples->capacity * bytes);
    p->partial = memory->allocate(samples->capacity * SAMPLERS * FORCE_NUMBERS * sizeof *p->partial);
    p->rows = memory->allocate(samples->capacity * p->row * sizeof *p->rows);
    samples->rows = allocate(samples->capacity * p->row * sizeof *samples->rows);
    if (of_nodes > 0) {
        samples->nodes = memory->allocate(samples->capacity * of_nodes);
        samples->nodes_home = allocate(samples->capacity * of_nodes);
    }
    free(link);
    free(list);
    return samples;
}

void end_samples(Samples *samples)
{
    const Memory *memory = memory_of(samples->simulation);
    const Sampled *p = &samples->sampled;
    memory->release((void *)p->link);
    release_list(samples->simulation, &p->batch);
    memory->release(p->batch.f);
    memory->release(p->partial);
    memory->release(p->rows);
    memory->release(samples->nodes);
    free(samples->rows);
    free(samples->nodes_home);
    free(samples);
}

/** Where a sample of the nodes begins in an array of them. */
static Real *nodes_of(const Samples *samples, Real *nodes, CellNumber sample)
{
    return nodes ? nodes + sample * (node_bytes(samples->series->scenario) / sizeof *nodes) : NULL;
}

static void read_sample(Samples *samples)
{
    const Batch *c = &samples->sampled.batch;
    const size_t size = (size_t)c->cells.count * (size_t)directions_of(scenario_of(samples->simulation));
    if (c->cells.count)
        read_cells(samples->simulation, c->cells, c->f + samples->waiting * size);
    if (samples->nodes)
        stage_of(samples->simulation)
            ->read_nodes(solver_of(samples->simulation), nodes_of(samples, samples->nodes, samples->waiting));
    samples->step[samples->waiting++] = current_step(samples->simulation);
}

static void fetch_rows(Samples *samples)
{
    const BatchLoops *loops = loops_of(samples->simulation);
    const Sampled *p = &samples->sampled;
    if (p->batch.cells.count && samples->waiting) {
        loops->add_sample(*p, samples->waiting * SAMPLERS);
        loops->fold_sample(*p, samples->waiting * FORCE_NUMBERS);
        memory_of(samples->simulation)
            ->fetch(samples->rows, p->rows, samples->waiting * p->row * sizeof *p->rows);
    }
    if (samples->nodes && samples->waiting)
        memory_of(samples->simulation)
            ->fetch(samples->nodes_home, samples->nodes,
                    samples->waiting * node_bytes(samples->series->scenario));
    samples->waiting = 0;
}

static Force force_of(const Samples *samples, const double *row, long step, double *density)
{
    const CellNumber inflow = samples->sampled.probes - samples->sampled.inflow;
    *density = inflow ? row[3] / inflow : 1.0;
    return scale_force(scenario_of(samples->simulation), row, *density, step);
}

void collect_samples(Samples *samples)
{
    const CellNumber count = samples->waiting;
    double density;
    fetch_rows(samples);
    for (CellNumber n = 0; n < count; n++) {
        const double *row = samples->rows + n * samples->sampled.row;
        add_sample(samples->series, force_of(samples, row, samples->step[n], &density), row + FORCE_NUMBERS,
                   nodes_of(samples, samples->nodes_home, n));
    }
}

void take_sample(Samples *samples)
{
    if (samples->waiting == samples->capacity)
        collect_samples(samples);
    read_sample(samples);
}

/** Takes the one sample that then waits, and brings it home. */
static void fetch_sample(Samples *samples)
{
    collect_samples(samples);
    read_sample(samples);
    fetch_rows(samples);
}

Force force_now(Samples *samples, double *density)
{
    fetch_sample(samples);
    return force_of(samples, samples->rows, samples->step[0], density);
}

ShapeSample shape_now(Samples *samples)
{
    fetch_sample(samples);
    return find_shape(samples->series->scenario, samples->nodes_home, samples->step[0]);
}
