// What mpirun starts: the student's solver on all ranks, and stage 00 on rank 0, to compare.
#include "hard_grids.h"
#include "host/fail.h"
#include "on_ranks.h"
#include "ranks/plain_mpi.h"
#include "run_flow.h"
#include "simulation/simulation.h"

// A number that is overwritten while it is sent may or may not arrive right: requests that are begun and
// never waited for are counted instead.
static int open_messages;
#define MPI_Isend(...)      (open_messages++, MPI_Isend(__VA_ARGS__))
#define MPI_Irecv(...)      (open_messages++, MPI_Irecv(__VA_ARGS__))
#define MPI_Wait(...)       (open_messages--, MPI_Wait(__VA_ARGS__))
#define MPI_Waitall(n, ...) (open_messages -= (n), MPI_Waitall(n, __VA_ARGS__))

#include EXERCISE

extern const Stage stage_00_cpu_aos;

static Scenario small_flow(const char *name, int width, int height)
{
    const Parameters parameters = {.width = width, .height = height, .tau = 0.8, .u = 0.1};
    return create_scenario(find_flow(name), parameters);
}

static int rank_of_row(int y, int height)
{
    int rank = 0;
    while ((long long)height * (rank + 1) / rank_count() <= y)
        rank++;
    return rank;
}

/** Compares a result with that of stage 00; returns whether it is right. */
static int is_right(const Snapshot *r, const Snapshot *expected)
{
    const Scenario *s = r->scenario;
    for (size_t n = 0; n < DIRECTIONS * cell_count(s); n++) {
        const int cell = (int)(n / DIRECTIONS), x = cell % s->width, y = cell / s->width;
        if (is_wall(s->type[cell]) || fabs(r->f[n] - expected->f[n]) <= 1e-6)
            continue;
        printf("first wrong population: cell x=%d y=%d, a row of rank %d, direction %d: expected %.4g, got "
               "%.4g\n"
               "  (%d ranks; %s, %d x %d, after step %ld; as stored, f - w)\n",
               x, y, rank_of_row(y, s->height), (int)(n % DIRECTIONS), expected->f[n], r->f[n], rank_count(),
               s->flow->name, s->width, s->height, r->step);
        return 0;
    }
    return 1;
}

/** Runs a flow, looks at it after each step, and ends the program if it is wrong. */
static void run(Scenario s, int steps)
{
    Snapshot r = create_snapshot(&s);
    Simulation *solver = begin_simulation(&STAGE, &s, small_block);
    for (int n = 1; n <= steps; n++) {
        Snapshot expected = run_flow(&stage_00_cpu_aos, &s, small_block, n);
        advance_simulation(solver, 1);
        read_snapshot(&r, solver);
        if (!is_right(&r, &expected))
            exit(EXIT_CHECK);
        destroy_snapshot(&expected);
    }
    end_simulation(solver);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** Messages so long that MPI does not send them before they are received. */
static void run_wide(void)
{
    run(small_flow("poiseuille", 32768, 9), 2);
}

/** Many steps at once: ranks wait for each other in the exchange only. */
static void run_at_once(void)
{
    enum { STEPS = 30 };
    Scenario s = small_flow("cavity", 37, 11);
    Snapshot r = run_flow(&STAGE, &s, small_block, STEPS),
             expected = run_flow(&stage_00_cpu_aos, &s, small_block, STEPS);
    if (open_messages > 0) {
        printf(
            "first wrong message: %d begun with MPI_Isend or MPI_Irecv in %d steps, and neither MPI_Wait nor "
            "MPI_Waitall was called for them\n  (%d ranks; %s, %d x %d)\n",
            open_messages, STEPS, rank_count(), s.flow->name, s.width, s.height);
        exit(EXIT_CHECK);
    }
    if (!is_right(&r, &expected))
        exit(EXIT_CHECK);
    destroy_snapshot(&r);
    destroy_snapshot(&expected);
    destroy_scenario(&s);
}

static void run_walls(void)
{
    run(small_flow("cavity", 13, 12), 6);
    run(small_flow("poiseuille", 5, 9), 6);
    run(small_flow("channel_cylinder", 60, 23), 6);
    run(create_maze(31, 15, 4), 6);
}

int main(int count, char **arguments)
{
    static const Stage *const stage[] = {&STAGE};
    begin_ranks(stage, 1);
    printf(STARTED "\n");
    fflush(stdout); // it may end abruptly
    const char *task = count > 1 ? arguments[1] : "box";
    if (strcmp(task, "wide") == 0)
        run_wide();
    else if (strcmp(task, "at_once") == 0)
        run_at_once();
    else if (strcmp(task, "walls") == 0)
        run_walls();
    else
        run(small_flow("taylor_green", 37, 11), 6);
    printf(RIGHT "\n");
    return EXIT_GOOD;
}
