#include "check_exercise.h"

#include "own_lines.h"
#include "run_flow.h"
#include "simulation/simulation.h"
#include "traffic.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/** Processor time that a check may take before it counts as endless; LBM_CHECK_SECONDS sets another. */
enum { SECONDS = 60 };
enum { MOST_KIB = 1024 }; // that a check may print

/** The part that runs now. Shared with the process that reports, so that it survives a crash. */
typedef struct {
    char todo[64], look_at[512];
    int done; // check() has returned
} Part;

static Part *current;

void part(const char *todo, const char *look_at)
{
    snprintf(current->todo, sizeof current->todo, "%s", todo);
    snprintf(current->look_at, sizeof current->look_at, "%s", look_at);
}

void wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    fflush(stdout);
    _exit(EXIT_CHECK); // at once: a sanitizer would complain of what was not freed
}

void expect_near(const char *what, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        wrong("%s: expected %.6g, got %.6g", what, expected, got);
}

const char *direction_name(int i)
{
    static const char *const names[9] = {"0 rest", "1 E",  "2 N",  "3 W", "4 S",
                                         "5 NE",   "6 NW", "7 SW", "8 SE"};
    return names[i];
}

Scenario small_flow(const char *name, int width, int height)
{
    const Parameters parameters = {.width = width, .height = height, .tau = 0.8, .u = 0.1};
    return create_scenario(find_flow(name), parameters);
}

/** Rounding in so many steps: of arithmetic, and of storage for populations of this size. */
static double tolerance(const Stage *stage, const Snapshot *expected)
{
    double largest = 0.0;
    for (size_t n = 0; n < DIRECTIONS * cell_count(expected->scenario); n++)
        largest = fmax(largest, fabs(expected->f[n]));
    return 1e-6 + 4.0 * stage->epsilon * largest * sqrt(expected->step + 1.0);
}

void expect_populations(const Snapshot *r, const Snapshot *expected, double allowed, const char *how)
{
    const Scenario *s = r->scenario;
    size_t first = 0, count = 0, all = 0;
    for (size_t n = 0; n < DIRECTIONS * cell_count(s); n++) {
        if (is_wall(s->type[n / DIRECTIONS]))
            continue;
        all++;
        if (!(fabs(r->f[n] - expected->f[n]) <= allowed) && count++ == 0)
            first = n;
    }
    if (count == 0)
        return;
    printf("first wrong population: cell x=%d y=%d, direction %s: expected %.4g, got %.4g\n",
           (int)(first / DIRECTIONS % s->width), (int)(first / DIRECTIONS / s->width),
           direction_name(first % DIRECTIONS), expected->f[first], r->f[first]);
    wrong("  (%s, %d x %d, after step %ld%s; as stored, f - w; %zu of %zu are wrong)", s->flow->name,
          s->width, s->height, r->step, how, count, all);
}

void expect_snapshot(const Stage *stage, const Snapshot *r, const Snapshot *expected)
{
    expect_populations(r, expected, tolerance(stage, expected), "");
}

void expect_same(const Stage *stage, const Scenario *s, int steps, int stride)
{
    Snapshot r = create_snapshot(s);
    Simulation *solver = begin_simulation(stage, s, small_block);
    for (int n = 0; n <= steps; n += stride) {
        Snapshot expected = run_flow(&stage_00_cpu_aos, s, small_block, n);
        if (n > 0)
            advance_simulation(solver, stride);
        read_snapshot(&r, solver);
        expect_snapshot(stage, &r, &expected);
        destroy_snapshot(&expected);
    }
    end_simulation(solver);
    destroy_snapshot(&r);
}

void expect_flow(const Stage *stage, const char *flow, int width, int height, int steps)
{
    Scenario s = small_flow(flow, width, height);
    expect_same(stage, &s, steps, 1);
    destroy_scenario(&s);
}

/** Ends the check if two orders of the threads differ; the populations at rest are looked at last. */
static void compare_orders(const Snapshot *r, const Snapshot *forward, const char *order)
{
    const Scenario *s = r->scenario;
    for (size_t n = 0; n < DIRECTIONS * cell_count(s); n++) {
        const int cell = (int)(n % cell_count(s)), i = (int)(n / cell_count(s) + 1) % DIRECTIONS;
        const Real got = r->f[DIRECTIONS * cell + i], first = forward->f[DIRECTIONS * cell + i];
        if (!(got == first) && !is_wall(s->type[cell]))
            wrong("a race: after step %ld cell x=%d y=%d, direction %s is %.4g with the threads in the order "
                  "\"forward\" and %.4g in the order \"%s\"",
                  r->step, cell % s->width, cell / s->width, direction_name(i), first, got, order);
    }
}

static Snapshot run_in_order(const Stage *stage, const Scenario *s, const char *order, int steps)
{
    setenv("LBM_THREAD_ORDER", order, 1);
    Snapshot r = run_flow(stage, s, small_block, steps);
    unsetenv("LBM_THREAD_ORDER");
    return r;
}

void expect_no_race(const Stage *stage, const char *flow, int width, int height, int steps)
{
    static const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    Scenario s = small_flow(flow, width, height);
    for (int n = 1; n <= steps; n++) {
        Snapshot forward = run_in_order(stage, &s, "forward", n);
        for (int k = 0; k < 3; k++) {
            Snapshot r = run_in_order(stage, &s, orders[k], n);
            compare_orders(&r, &forward, orders[k]);
            destroy_snapshot(&r);
        }
        destroy_snapshot(&forward);
    }
    destroy_scenario(&s);
}

int crashes(void (*call)(void))
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        call();
        _exit(EXIT_GOOD);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        fail(EXIT_MACHINE, "can't start a process");
    return !WIFEXITED(status) || WEXITSTATUS(status) != EXIT_GOOD;
}

static long seconds_allowed(void)
{
    const char *text = getenv("LBM_CHECK_SECONDS");
    if (!text)
        return SECONDS;
    char *end;
    errno = 0;
    const long seconds = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || seconds < 1 || seconds > 1000000)
        fail(EXIT_USAGE, "LBM_CHECK_SECONDS is \"%s\"; it takes an integer from 1 to 1000000", text);
    return seconds;
}

enum { PATIENCE = 10 }; // seconds on the clock for each of processor time

/**
 * From here on this process, and any that it starts, ends by SIGXCPU after so much processor time; and this
 * one by SIGALRM when PATIENCE times as much has passed on the clock.
 */
static void limit_time(long seconds)
{
    alarm((unsigned)seconds * PATIENCE);
    const struct rlimit limit = {(rlim_t)seconds, (rlim_t)seconds + 1};
    if (setrlimit(RLIMIT_CPU, &limit) != 0)
        fail(EXIT_MACHINE, "can't limit the check's time: %s", strerror(errno));
}

/** From here on this process ends when its parent does, however that ends. */
static void end_with(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        _exit(EXIT_MACHINE);
}

/** Prints into the pipe; a line at a time, so that a crash loses none. */
static void print_into(const int ends[2])
{
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

/**
 * Shows at once what the check prints until it ends, and ends it if that is too much: then shown is more than
 * MOST_KIB KiB. Returns its status. What it has started may hold the pipe open for longer, which is not
 * waited for.
 */
static int watch(pid_t child, int from, long *shown)
{
    char text[4096];
    struct pollfd output = {.fd = from, .events = POLLIN};
    int status = 0;
    for (;;) {
        const int ended = waitpid(child, &status, WNOHANG) != 0;
        const ssize_t count = poll(&output, 1, ended ? 0 : 10) > 0 ? read(from, text, sizeof text) : 0;
        if (count > 0) {
            *shown += (long)fwrite(text, 1, (size_t)count, stdout);
            fflush(stdout);
        } else if (output.revents)
            output.fd = -1; // nothing more comes
        const int too_much = *shown > 1024 * MOST_KIB;
        if (too_much && !ended) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
        }
        if (too_much || (ended && count <= 0))
            return status;
    }
}

/**
 * The check runs in a process of its own: a crash is an answer too, and so are a loop without an end, a wait
 * for nothing and a flood of output. Its argument is another form than the student's.
 */
int main(int argc, char **argv)
{
    if (argc > 1)
        exercise_file = argv[1];
    const long seconds = seconds_allowed();
    signal(SIGCHLD, SIG_DFL);
    current = mmap(NULL, sizeof *current, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ends[2];
    const pid_t parent = getpid();
    const pid_t child = current == MAP_FAILED || pipe(ends) != 0 ? -1 : fork();
    if (child == 0) {
        end_with(parent);
        print_into(ends);
        limit_time(seconds);
        part("\"Task\" in README.md", "the task asks you to write what a stage, or a solution, already does");
        expect_own_lines();
        check();
        expect_neighbours();
        current->done = 1;
        exit(EXIT_GOOD);
    }
    if (child < 0)
        fail(EXIT_MACHINE, "can't start the check");
    close(ends[1]);
    long shown = 0;
    const int status = watch(child, ends[0], &shown);
    if (shown > 1024 * MOST_KIB)
        printf("\nit printed more than %d KiB: is there a print in a loop?\n", MOST_KIB);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_GOOD && current->done) {
        printf("DONE\n");
        return EXIT_GOOD;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        printf("it had not ended after %ld seconds of processor time: is there a loop without an end?\n",
               seconds);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        printf("it had not ended after %ld seconds: what does it wait for?\n", seconds * PATIENCE);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_GOOD)
        printf("it ended before the check did: what calls exit?\n");
    else if (WIFSIGNALED(status))
        printf("it crashed: %s\n", strsignal(WTERMSIG(status)));
    printf("Look at: %s\nNOT DONE: see %s\n", current->look_at, current->todo);
    return EXIT_CHECK;
}
