/**
 * @file process_pool.c
 * Jobs in processes of their own: what they print, return and end with.
 */
#include "host/process_pool.h"

#include "host/clock.h"
#include "host/fail.h"

#include "check.h"
#include "refused.h"

#include <signal.h>
#include <unistd.h>

enum { JOBS = 9 };
static const int backwards[JOBS] = {8, 7, 6, 5, 4, 3, 2, 1, 0};

/** Prints two lines; the later jobs are sooner done than the first ones. */
static int say(int n, const void *context)
{
    printf("%s %d begins\n", (const char *)context, n);
    fflush(stdout);
    usleep((unsigned)(JOBS - n) * 5000);
    printf("%s %d ends\n", (const char *)context, n);
    return n;
}

/** What it prints with so many workers, begun in an order; the sum goes through the exit code. */
static int run_captured_in(const int *order, int workers, Job *job, char *text, size_t size)
{
    FILE *output = tmpfile();
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(output), STDERR_FILENO);
        exit(run_process_pool(JOBS, workers, job, "job", order));
    }
    int status = -1;
    waitpid(child, &status, 0);
    const ssize_t length = pread(fileno(output), text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    fclose(output);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int run_captured(int workers, Job *job, char *text, size_t size)
{
    return run_captured_in(NULL, workers, job, text, size);
}

TEST(what_jobs_print_stays_in_their_order)
{
    char alone[2048], beside[2048];
    for (int workers = 2; workers <= 2 * JOBS; workers += JOBS - 2) {
        EXPECT(run_captured(1, say, alone, sizeof alone) == JOBS * (JOBS - 1) / 2);
        EXPECT(run_captured(workers, say, beside, sizeof beside) == JOBS * (JOBS - 1) / 2);
        EXPECT(strlen(alone) > 100 && strcmp(alone, beside) == 0);
        EXPECT(run_captured_in(backwards, workers, say, beside, sizeof beside) == JOBS * (JOBS - 1) / 2);
        EXPECT(strcmp(alone, beside) == 0);
    }
}

/** Says when it begins: standard error does not wait for other jobs. */
static int say_at_once(int n, const void *context)
{
    (void)context;
    fprintf(stderr, "%d", n);
    usleep(30000);
    return n;
}

TEST(jobs_begin_in_the_order_that_is_asked_for)
{
    char text[JOBS + 1];
    EXPECT(run_captured(2, say_at_once, text, sizeof text) == JOBS * (JOBS - 1) / 2);
    EXPECT(text[0] <= '1' && text[JOBS - 1] >= '7'); // the two that run may be either one's first
    EXPECT(run_captured_in(backwards, 2, say_at_once, text, sizeof text) == JOBS * (JOBS - 1) / 2);
    EXPECT(text[0] >= '7' && text[JOBS - 1] <= '1');
}

static int wait_for_all(int n, const void *context)
{
    (void)context;
    usleep(300000);
    return n;
}

TEST(jobs_run_at_the_same_time)
{
    const double start = now();
    EXPECT(run_process_pool(JOBS, JOBS, wait_for_all, NULL, NULL) == JOBS * (JOBS - 1) / 2);
    EXPECT(now() - start < 0.3 * (JOBS - 1));
}

static int print_much(int n, const void *context)
{
    (void)context;
    for (int line = 0; line < 20000; line++)
        printf("%d\n", n);
    return 0;
}

TEST(what_does_not_fit_a_pipe_is_printed_too)
{
    static char text[JOBS * 20000 * 2 + 1];
    EXPECT(run_captured(4, print_much, text, sizeof text) == 0);
    EXPECT(strlen(text) == sizeof text - 1);
}

/* ---- Jobs that end the program ---- */

static int fail_at_4(int n, const void *context)
{
    if (n == 4)
        fail(EXIT_MACHINE, "job 4 has had enough");
    return say(n, context);
}

static int die_at_4(int n, const void *context)
{
    if (n == 4)
        raise(SIGKILL);
    return say(n, context);
}

TEST(a_job_that_fails_ends_the_program_as_it_would_alone)
{
    char text[2048];
    EXPECT(run_captured(3, fail_at_4, text, sizeof text) == EXIT_MACHINE);
    EXPECT(strstr(text, "job 3 ends") && !strstr(text, "job 5"));
    EXPECT(strstr(text, "lbm: job 4 has had enough\n"));
}

/** As a program ends that no signal does. */
static int end_at_4(int n, const void *context)
{
    if (n == 4)
        _exit(128 + SIGTERM);
    return say(n, context);
}

TEST(a_job_that_is_killed_is_told)
{
    char text[2048];
    EXPECT(run_captured(3, die_at_4, text, sizeof text) == EXIT_MACHINE);
    EXPECT(strstr(text, "was ended by signal 9 (Killed), perhaps for want of memory\n"));
    EXPECT(run_captured(3, end_at_4, text, sizeof text) == EXIT_MACHINE);
    EXPECT(strstr(text, "was ended by signal 15 (Terminated)\n"));
}

TEST(no_job_is_left_behind)
{
    char text[2048];
    int ends[2];
    EXPECT(pipe(ends) ==
           0); // each job holds an end: nothing to read, and no end of file, as long as one is there
    run_captured(JOBS, fail_at_4, text, sizeof text);
    close(ends[1]);
    EXPECT(read(ends[0], text, 1) == 0);
    close(ends[0]);
}
