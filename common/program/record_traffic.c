#include "program/traffic.h"

#include "gpu/device.h"
#include "host/allocate.h"
#include "traffic/recorder.h"
#include "traffic/report.h"

#include <stdio.h>
#include <stdlib.h>

/** All kernels that a stage uses are launched in one cycle; the first one may differ. */
static const Recording *record_cycle(const TrafficSettings *t, const Scenario *s)
{
    Solver *solver = t->stage->create(s, t->block);
    t->stage->advance(solver, t->stage->cycle);
    begin_recording();
    t->stage->advance(solver, t->stage->cycle);
    const Recording *recording = end_recording();
    t->stage->destroy(solver);
    return recording;
}

static void print_limit(const TrafficSettings *t, const Recording *recording, double updates)
{
    double read = 0.0, written = 0.0;
    for (int n = 0; n < recording->count; n++) {
        read += (double)recording->kernel[n].read / updates;
        written += (double)recording->kernel[n].written / updates;
    }
    printf("\nan update reads at least %.2f bytes of DRAM and writes %.2f (%s states %.4g in all):\n"
           "%g GB/s allow %.1f GLUPS\n",
           read, written, t->stage->name, t->stage->bytes_per_update, t->bandwidth,
           t->bandwidth / (read + written));
}

static void write_csv(const TrafficSettings *t, const Scenario *s, const Recording *recording)
{
    OutputFile file;
    begin_file(&file, t->csv);
    print(&file, "# stage: %s\n# flow: %s, %d x %d cells\n# block: %u x %u threads\n# steps: %d\n",
          t->stage->name, s->flow->name, s->width, s->height, t->block.x, t->block.y, t->stage->cycle);
    write_rows(&file, recording, t->lines);
    finish_file(&file);
}

void record_traffic(const TrafficSettings *t, int count, char **arguments)
{
    (void)count, (void)arguments;
    prepare_recorder();
    Scenario s = create_scenario(t->flow, t->parameters);
    check_block(s.width, s.height, t->block);
    printf("stage     %s: %s\n", t->stage->name, t->stage->summary);
    printf("flow      %s, %d x %d cells at tau %g\n", s.flow->name, s.width, s.height, s.tau);
    printf("block     %u x %u threads\n", t->block.x, t->block.y);
    printf("recorded  %d step%s\n", t->stage->cycle, t->stage->cycle > 1 ? "s" : "");
    const Recording *recording = record_cycle(t, &s);
    for (int n = 0; n < recording->count; n++) {
        int count = 0;
        LineSums *lines = t->lines ? lines_of(&recording->kernel[n], &count) : NULL;
        print_kernel(&recording->kernel[n], lines, count);
        free(lines);
    }
    print_limit(t, recording, (double)cell_count(&s) * t->stage->cycle);
    if (*t->csv)
        write_csv(t, &s, recording);
    destroy_scenario(&s);
}
