#include "check_exercise.h"
#include "hard_grids.h"
#include "on_ranks.h"
#include "run_flow.h"

#include EXERCISE

#include <sys/wait.h>

enum { PATIENCE = 20, TIMED_OUT = 124 }; // seconds; what timeout says by its exit code

/* ---- The kernels, one rank ---- */

/** Arrays of a slab on the device, whose numbers are all different. */
typedef struct {
    Physics physics;
    size_t width, cells;
    float *to, *halo_buffer; // on the device
    CellType *type;
    float *numbers; // the same on the host
} Arrays;

static Arrays create_arrays(const Scenario *s)
{
    Arrays a = {s->physics, (size_t)s->width, cell_count(s), NULL, NULL, NULL, NULL};
    const size_t count = 9 * a.cells, halo_buffer = 6 * a.width;
    a.numbers = (float *)malloc((count + halo_buffer) * sizeof(float));
    for (size_t n = 0; n < count + halo_buffer; n++)
        a.numbers[n] = n < count ? (float)n : -1.0f - (float)(n - count);
    CHECK(cudaMalloc((void **)&a.to, count * sizeof(float)));
    CHECK(cudaMalloc((void **)&a.halo_buffer, halo_buffer * sizeof(float)));
    CHECK(cudaMalloc((void **)&a.type, a.cells));
    CHECK(cudaMemcpy(a.to, a.numbers, count * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(a.halo_buffer, a.numbers + count, halo_buffer * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(a.type, s->type, a.cells, cudaMemcpyHostToDevice));
    return a;
}

static void destroy_arrays(Arrays *a)
{
    CHECK(cudaFree(a->to));
    CHECK(cudaFree(a->halo_buffer));
    CHECK(cudaFree(a->type));
    free(a->numbers);
}

static const char *up_or_down(int n)
{
    return n < 3 ? "up" : "down";
}

static void expect_pack_halo(int width, int height)
{
    Scenario s = small_flow("taylor_green", width, height);
    Arrays a = create_arrays(&s);
    const dim3 line = {(unsigned)(width + 31) / 32, 1, 1}, threads = {32, 1, 1};
    float *got = (float *)malloc(6 * a.width * sizeof(float));
    LAUNCH(pack_halo, line, threads, a.physics, a.to, a.halo_buffer);
    CHECK(cudaMemcpy(got, a.halo_buffer, 6 * a.width * sizeof(float), cudaMemcpyDeviceToHost));
    for (int n = 0; n < 6; n++)
        for (int x = 0; x < width; x++) {
            const int row = n < 3 ? height - 1 : 0;
            const size_t cell = row * a.width + x, from = at(cell, halo_direction(n), a.cells);
            const float number = got[n * a.width + x];
            const size_t other = number >= 0.0f ? (size_t)number : 0;
            if (!(number == (float)from))
                wrong("first wrong outgoing number: row n=%d, x=%d, which goes %s: expected population "
                      "%s of cell x=%d y=%d, got %s %s of cell x=%d y=%d (%d x %d, ghost rows included)",
                      n, x, up_or_down(n), direction_name(halo_direction(n)), x, row,
                      number >= 0.0f ? "population" : "what was there before, and no population",
                      direction_name(other / a.cells), (int)(other % a.cells % a.width),
                      (int)(other % a.cells / a.width), width, height);
        }
    free(got);
    destroy_arrays(&a);
    destroy_scenario(&s);
}

/** Which number a population is to hold after `unpack_halo`: a received one, or the one that was there.
 */
static float expected_after_unpack(const Arrays *a, const Scenario *s, int x, int y, int i)
{
    for (int n = 0; n < 6; n++) {
        const Destination origin = boundary(&s->physics, s->type, x, y, opposite(i));
        if (i == halo_direction(n) && y == (n < 3 ? 1 : s->height - 2) && origin.cell != y * a->width + x)
            return a->numbers[9 * a->cells + n * a->width + x];
    }
    return a->numbers[at(y * a->width + x, i, a->cells)];
}

static const char *origin_of(const Scenario *s, float number)
{
    return number < -3.0f * s->width ? "what came from above"
           : number < 0.0f           ? "what came from below"
                                     : "what was there";
}

static void expect_unpack_halo(Scenario s)
{
    Arrays a = create_arrays(&s);
    const dim3 line = {(unsigned)(s.width + 31) / 32, 1, 1}, threads = {32, 1, 1};
    float *got = (float *)malloc(9 * a.cells * sizeof(float));
    LAUNCH(unpack_halo, line, threads, a.physics, a.type, a.halo_buffer, a.to);
    CHECK(cudaMemcpy(got, a.to, 9 * a.cells * sizeof(float), cudaMemcpyDeviceToHost));
    for (int y = 1; y < s.height - 1; y++)
        for (int x = 0; x < s.width; x++)
            for (int i = 0; i < 9 && !is_wall(s.type[y * s.width + x]); i++) {
                const float expected = expected_after_unpack(&a, &s, x, y, i);
                const float number = got[at(y * a.width + x, i, a.cells)];
                if (!(number == expected))
                    wrong("first wrong number after `unpack_halo`: cell x=%d y=%d, direction %s: expected %s "
                          "(number %g), got %s (number %g) (%d x %d, ghost rows included)",
                          x, y, direction_name(i), origin_of(&s, expected), expected, origin_of(&s, number),
                          number, s.width, s.height);
            }
    free(got);
    destroy_arrays(&a);
    destroy_scenario(&s);
}

/* ---- The messages, several ranks ---- */

/** Has mpirun start on_ranks.cu and keeps what rank 0 says. Returns whether that took too long. */
static int start_ranks(int ranks, const char *task, char *said, size_t size)
{
    char command[4096];
    snprintf(command, sizeof command,
             "timeout -k 5 ${LBM_CHECK_PATIENCE:-%d} " MPIRUN " %d '" ON_RANKS "' %s 2>/dev/null", PATIENCE,
             ranks, task);
    FILE *output = popen(command, "r");
    if (!output)
        fail(EXIT_MACHINE, "can't start mpirun");
    said[fread(said, 1, size - 1, output)] = '\0';
    const int status = pclose(output);
    return WIFEXITED(status) && WEXITSTATUS(status) == TIMED_OUT;
}

/** Ends the check unless so many ranks do a task right. */
static void expect_ranks(int ranks, const char *task)
{
    char said[4096];
    const int timed_out = start_ranks(ranks, task, said, sizeof said);
    const char *first = strstr(said, "first wrong");
    if (first)
        wrong("%.*s", (int)(strcspn(first, ")") + 1), first);
    if (timed_out)
        wrong("%d ranks wait for each other for ever", ranks);
    if (!strstr(said, RIGHT))
        wrong("%d ranks %s; for what MPI says of that, run %s %d '%s' %s", ranks,
              strstr(said, STARTED) ? "ended before they were done" : "did not start", MPIRUN, ranks,
              ON_RANKS, task);
}

void check(void)
{
    part("TODO(1)",
         "the populations that the step pushes out of the slab lie in its ghost rows, the first and the last "
         "row. What goes up has been pushed into the upper one");
    expect_pack_halo(37, 5);
    expect_pack_halo(3, 3);

    part("TODO(3)",
         "no walls here. What is received from below belongs into the first row above the ghost row");
    expect_unpack_halo(small_flow("taylor_green", 37, 7));
    expect_unpack_halo(small_flow("taylor_green", 3, 3));
    part("TODO(3)", "a wall in a ghost row sends back what the cell itself has sent: that is there already, "
                    "and no received number may overwrite it");
    expect_unpack_halo(small_flow("cavity", 13, 5));
    expect_unpack_halo(create_maze(31, 9, 5));
    part("TODO(1) and TODO(3)",
         "one rank, which is above and below itself, and for which MPI is not started");
    expect_flow(&STAGE, "taylor_green", 37, 11, 4);
    expect_flow(&STAGE, "cavity", 13, 9, 4);

    part("TODO(2)", "two ranks: the same one is above and below. Which of its two messages is which, and is "
                    "there a rank of each number that you name?");
    expect_ranks(2, "box");
    part("TODO(2)",
         "two ranks did it right. With three, above and below are two different ranks. The grid is "
         "periodic: which rank is above the last one?");
    expect_ranks(3, "box");
    expect_ranks(4, "box");
    part("TODO(2) and TODO(3)", "without walls all is right");
    for (int ranks = 2; ranks <= 4; ranks++)
        expect_ranks(ranks, "walls");
    part("TODO(2)",
         "step by step all is right, and not in many steps at once. When may a number be overwritten "
         "that is on its way?");
    expect_ranks(3, "at_once");
    expect_ranks(4, "at_once");
    part("TODO(2)", "short messages are right. Long ones wait until someone receives them: what happens if "
                    "all ranks send first, and receive then?");
    for (int ranks = 2; ranks <= 4; ranks++)
        expect_ranks(ranks, "wide");
}
