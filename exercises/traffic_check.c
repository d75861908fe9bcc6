/**
 * @file traffic_check.c
 * A program beside a check whose exercise is about memory: runs the student's kernels on the emulator with
 * the recorder (traffic/recorder.h), and refuses a kernel whose neighbouring threads touch scattered
 * addresses.
 */
#include "host/fail.h"
#include "simulation/simulation.h"
#include "stage/stage.h"
#include "traffic/recorder.h"
#include "traffic/report.h"
#include "traffic/source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const Stage STAGE;

/** Of requests at the border of the grid, which wrap round: they touch a sector or two more. */
static const double tolerance = 1.2;

/**
 * The most sectors that a request needs whose threads access `size` bytes each: neighbours' addresses lie
 * STRIDE times as far apart as they need to, and the first is not aligned.
 */
static double enough(unsigned size)
{
    static const struct {
        unsigned size, apart;
    } strides[] = {
        STRIDES{0, 0}
    };
    unsigned apart = size;
    for (int n = 0; strides[n].size > 0; n++)
        if (strides[n].size == size)
            apart = strides[n].apart;
    return apart < SECTOR ? apart + 1 : WARP;
}

/** The share of all sectors below which an instruction does not matter. */
static const double negligible = 0.005;

static double sectors_per_request(const Instruction *instruction)
{
    return (double)instruction->sums.sectors / (double)instruction->sums.requests;
}

/** Sectors that an instruction touches beside those that are enough; 0 if it keeps to the bound. */
static double excess(const Instruction *instruction)
{
    const double most = tolerance * enough(instruction->size), each = sectors_per_request(instruction);
    return !is_shared(instruction->access) && each > most ? (each - most) * (double)instruction->sums.requests
                                                          : 0.0;
}

static double sectors_of_all(const Recording *recording)
{
    double all = 0.0;
    for (int k = 0; k < recording->count; k++)
        all += (double)(sum_of(&recording->kernel[k], LOAD).sectors +
                        sum_of(&recording->kernel[k], STORE).sectors);
    return all;
}

/** The worst instruction, if possible one in the student's own file; NULL if all are fine. */
static const Instruction *find_worst(const Recording *recording, SourceLine *line)
{
    const Instruction *worst = NULL;
    const double all = sectors_of_all(recording);
    SourceLine at;
    int worst_is_own = 0;
    for (int k = 0; k < recording->count; k++)
        for (int n = 0; n < recording->kernel[k].instruction_count; n++) {
            const Instruction *here = &recording->kernel[k].instruction[n];
            if (excess(here) <= negligible * all)
                continue;
            find_lines(&here->place, 1, &at);
            const int is_own = strcmp(last_part(at.file), last_part(EXERCISE)) == 0;
            if (worst && (is_own < worst_is_own || (is_own == worst_is_own && excess(here) <= excess(worst))))
                continue;
            worst = here;
            worst_is_own = is_own;
            *line = at;
        }
    return worst;
}

#ifdef RECORD // the exercise has no solver, but a record() of its own
#include RECORD
#else
static const Block block = {32, 8};

/** What one cycle of the solver does; the one before it is not looked at. */
static const Recording *record(void)
{
    const Parameters parameters = {.width = 256, .height = 32, .tau = 0.8, .u = 0.1};
    Scenario s = create_scenario(find_flow("poiseuille"), parameters);
    Simulation *solver = begin_simulation(&STAGE, &s, block);
    advance_simulation(solver, STAGE.cycle);
    begin_recording();
    advance_simulation(solver, STAGE.cycle);
    const Recording *recording = end_recording();
    end_simulation(solver);
    destroy_scenario(&s);
    return recording;
}
#endif

int main(void)
{
    prepare_recorder();
    SourceLine line;
    const Instruction *worst = find_worst(record(), &line);
    if (!worst)
        return EXIT_GOOD;
    printf("right, but %s:%d, a %s of %u byte%s, touches %.1f sectors a request where %.1f are enough\n",
           last_part(line.file), line.line, access_name(worst->access), worst->size,
           worst->size > 1 ? "s" : "", sectors_per_request(worst), enough(worst->size));
    return EXIT_CHECK;
}
