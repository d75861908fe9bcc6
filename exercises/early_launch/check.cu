#include "check_exercise.h"
#include "own_lines.h"
#include "run_flow.h"
#include "simulation/simulation.h"
#include "watched_launches.h"

#include <ctype.h>

#include EXERCISE

static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};

/** Ends the check unless all launches are by LAUNCH_DEPENDENT, in the solver's stream. */
static void expect_dependent_launches(const Scenario *s)
{
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    memset(&seen, 0, sizeof seen);
    advance_simulation(solver, 3);
    if (seen.dependent == 0 || seen.others > 0)
        wrong("3 steps: %d launches by LAUNCH_DEPENDENT, and %d others; expected some, and no others",
              seen.dependent, seen.others);
    if (seen.stream != solver_of(solver)->stream)
        wrong("LAUNCH_DEPENDENT in another stream than solver->stream; expected that one");
    end_simulation(solver);
}

/** Launches that overlap, of the first steps: a graph of them, whatever the student's graph is. */
static void expect_overlap(const Scenario *s, int steps)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    Snapshot expected = run_flow(&stage_00_cpu_aos, s, small_block, steps), r = create_snapshot(s);
    for (int k = 0; k < 4; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        Simulation *solver = begin_simulation(&STAGE, s, small_block);
        CHECK(cudaStreamBeginCapture(solver_of(solver)->stream, cudaStreamCaptureModeGlobal));
        for (; solver_of(solver)->steps < steps; solver_of(solver)->steps++)
            launch_step(solver_of(solver), solver_of(solver)->steps);
        CHECK(cudaStreamEndCapture(solver_of(solver)->stream, &graph));
        CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
        CHECK(cudaGraphLaunch(executable, solver_of(solver)->stream));
        CHECK(cudaStreamSynchronize(solver_of(solver)->stream));
        read_now(&STAGE, solver, steps, &r);
        expect_snapshot(&STAGE, &r, &expected);
        CHECK(cudaGraphExecDestroy(executable));
        CHECK(cudaGraphDestroy(graph));
        end_simulation(solver);
    }
    unsetenv("LBM_THREAD_ORDER");
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
}

#ifndef __CUDACC__
/** Ends the check unless a step is right though the types of all cells are lost behind the wait, and each
 * block lets the next launch begin before its work is done. */
static void expect_early_work(const Scenario *s)
{
    Snapshot expected = run_flow(&stage_00_cpu_aos, s, small_block, 1), r = create_snapshot(s);
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    const unsigned blocks = solver_of(solver)->grid.x * solver_of(solver)->grid.y;
    memset(&watched, 0, sizeof watched);
    watched.scenario = s;
    watched.types = (CellType *)solver_of(solver)->type;
    advance_simulation(solver, 1);
    watched.types = NULL;
    read_snapshot(&r, solver);
    expect_snapshot(&STAGE, &r, &expected);
    end_simulation(solver);
    part("TODO(1)", "right, but slow: when may the next launch begin, if this one says so late or never?");
    for (unsigned n = 0; n < blocks; n++)
        if (watched.collides[n] && !watched.triggers[n])
            wrong("no thread of block %u of %u calls trigger_dependent_launch before it collides", n, blocks);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
}
#endif

/** The student's file without comments and white space. */
static char *read_squeezed(void)
{
    FILE *file = fopen(exercise_file, "r");
    if (!file)
        fail(EXIT_MACHINE, "can't read %s", exercise_file);
    char *text = NULL;
    size_t count = 0, room = 0;
    for (int c = fgetc(file), last = 0, comment = 0; c != EOF; last = c, c = fgetc(file)) {
        if (!comment && last == '/' && (c == '/' || c == '*')) {
            comment = c;
            count--;
        } else if (comment == '/' ? c == '\n' : comment == '*' && last == '*' && c == '/')
            comment = 0;
        else if (!comment && !isspace(c)) {
            if (count + 1 >= room)
                text = (char *)reallocate(text, room = 2 * room + 4096);
            text[count++] = (char)c;
        }
    }
    fclose(file);
    if (!text)
        fail(EXIT_MACHINE, "%s is empty", exercise_file);
    text[count] = '\0';
    return text;
}

/** Whether the parameter before the last one has a `restrict`, in a declaration without white space. */
static int restricts_source(const char *declaration)
{
    const char *from = declaration, *to = declaration;
    for (const char *c = declaration; *c != ')' && *c != '\0'; c++)
        if (*c == ',') {
            from = to;
            to = c;
        }
    const char *promise = strstr(from, "restrict");
    return promise && promise < to;
}

/** Ends the check if a promise to the compiler says that nobody writes to the populations meanwhile. */
static void expect_no_promise(void)
{
    char *text = read_squeezed();
    const char *kernel = strstr(text, "voidstep(");
    if (!kernel)
        wrong("the file has no `void step(`; expected the kernel, in this spelling");
    for (; kernel; kernel = strstr(kernel + 1, "voidstep("))
        if (restricts_source(kernel))
            wrong("the parameter of step before the last one, `from`, is __restrict__; expected it without");
    if (strstr(text, "__ldg(&from") || strstr(text, "__ldg(from"))
        wrong("the populations are loaded by __ldg; expected ordinary loads");
    free(text);
}

/** Ends the check at the first cut of 2 GRAPH_STEPS + 1 steps into three parts that gives another result. */
static void expect_any_parts(const Scenario *s)
{
    enum { G = GRAPH_STEPS };
    static const int parts[][3] = {
        {2 * G + 1, 0,         0    },
        {G,         G,         1    },
        {1,         G,         G    },
        {G - 1,     1,         G + 1},
        {1,         2 * G - 1, 1    }
    };
    Snapshot expected = run_flow(&stage_00_cpu_aos, s, small_block, 2 * G + 1), r = create_snapshot(s);
    for (int k = 0; k < 5; k++) {
        char look_at[256];
        snprintf(look_at, sizeof look_at,
                 "graphs of %d steps, advance by %d, %d and %d: in which array does a graph begin, and where "
                 "are the populations when it begins?",
                 G, parts[k][0], parts[k][1], parts[k][2]);
        part("TODO(3) and TODO(4)", look_at);
        setenv("LBM_THREAD_ORDER", orders[k % 4], 1);
        Simulation *solver = begin_simulation(&STAGE, s, small_block);
        for (int n = 0; n < 3; n++)
            advance_simulation(solver, parts[k][n]);
        read_snapshot(&r, solver);
        expect_snapshot(&STAGE, &r, &expected);
        end_simulation(solver);
    }
    unsetenv("LBM_THREAD_ORDER");
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
}

/** Advances, and ends the check if the CPU launches more graphs and single steps than `most`. */
static void expect_launches(Simulation *solver, int steps, const char *from, int most, const char *expected)
{
    part("TODO(4)", "the CPU launches a graph as often as whole graphs fit into the steps that are left");
    memset(&seen, 0, sizeof seen);
    advance_simulation(solver, steps);
    const int single = seen.dependent - seen.captured + seen.others;
    if (seen.graphs + single > most || seen.others > 0)
        wrong("%d steps, from an %s step on: %d graphs and %d single launches; expected %s", steps, from,
              seen.graphs, single, expected);
}

/** Ends the check unless the steps of whole graphs take few launches by the CPU. */
static void expect_few_launches(const Scenario *s)
{
    enum { G = GRAPH_STEPS };
    graphs_alive = streams_alive = 0;
    Simulation *solver = begin_simulation(&STAGE, s, small_block);
    advance_simulation(solver, 2);
    expect_launches(solver, 4 * G + 1, "even", 2 * G, "4 graphs, and 1 other");
    part("TODO(3)", "right, but slow: a graph is captured once, and launched often");
    if (seen.captured > 0)
        wrong("%d launches are captured while the solver advances; expected 0, since the graph is there",
              seen.captured);
    advance_simulation(solver, 1); // now it is an even step
    expect_launches(solver, G, "even", 1, "1 graph");
    advance_simulation(solver, 1 + G % 2);
    expect_launches(solver, 2 * G + 1, "odd", G + 2, "a single launch, then graphs");
    end_simulation(solver);
    part("TODO(3)", "who destroys the graph, what it was made of, and the stream?");
    if (graphs_alive != 0 || streams_alive != 0)
        wrong("%d graphs and %d streams are left when the solver is destroyed; expected 0", graphs_alive,
              streams_alive);
}

void check(void)
{
    Scenario cavity = small_flow("cavity", 46, 21), channel = small_flow("channel_cylinder", 46, 21);
    part("TODO(1) and TODO(2)", "each step on its own is wrong, whatever overlaps");
    expect_same(&STAGE, &cavity, 12, 1);
    part("TODO(1) and TODO(2)", "how does launch_step launch a step?");
    expect_dependent_launches(&cavity);
    part("TODO(1)", "launches that overlap: a block begins, and stores or loads a population that the launch "
                    "before it still works on");
    expect_overlap(&cavity, 9);
    expect_overlap(&channel, 9);
#ifndef __CUDACC__
    part("TODO(1)", "right, but slow: the types of the cells never change. What needs them, and could be "
                    "done before the wait? (Types that are loaded behind it are walls in this check.)");
    expect_early_work(&channel);
#endif
    part("TODO(1)",
         "right here, by luck: what does __restrict__ promise of an array that a kernel only reads, "
         "with const or without, and is it true while the launch before still runs?");
    expect_no_promise();

    part("TODO(3)", "how many steps must a graph have so that launching it costs little beside them? And "
                    "what becomes of the steps of an advance that do not fill a graph?");
    if (GRAPH_STEPS < 20 || GRAPH_STEPS > 1000)
        wrong("GRAPH_STEPS is %d; expected 20 to 1000", GRAPH_STEPS);
    expect_any_parts(&cavity);
    expect_any_parts(&channel);
    expect_few_launches(&cavity);
    destroy_scenario(&cavity);
    destroy_scenario(&channel);
}
