#define _GNU_SOURCE // sched_getaffinity

#include "host/process_pool.h"

#include "host/allocate.h"
#include "host/fail.h"
#include "host/standard_output.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

/** A job under way. What it prints comes through a pipe, what it returns through memory. */
typedef struct {
    pid_t process; /**< 0: not begun, or waited for */
    int output;    /**< what it prints; kept open until that is copied */
    int over;      /**< whether it is known to run no more */
} Worker;

/** One for each job; none while no jobs are done. */
static Worker *volatile workers;
static volatile sig_atomic_t worker_count;

int core_count(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

/** Safe in a signal handler. */
static void end_workers(void)
{
    for (int n = 0; n < worker_count; n++)
        if (workers[n].process > 0)
            kill(workers[n].process, SIGKILL);
}

/** What a worker does first: it forgets the others, and ends when the program does, however that ends. */
static void become_worker(pid_t program, const int ends[2])
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != program)
        _exit(EXIT_MACHINE);
#endif
    for (int n = 0; n < worker_count; n++)
        if (workers[n].process > 0)
            close(workers[n].output);
    worker_count = 0;
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
}

static void begin(int n, Job *job, const void *context, int *returned)
{
    int ends[2];
    sigset_t all, before;
    const pid_t program = getpid();
    flush_standard_output();
    if (pipe(ends) != 0)
        fail(EXIT_MACHINE, "can't open a pipe: %s", strerror(errno));
    sigfillset(&all);
    // A signal is to find the table of workers as it is, in both processes.
    sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t process = fork();
    if (process == 0)
        become_worker(program, ends);
    else if (process > 0)
        workers[n] = (Worker){process, ends[0], 0};
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (process < 0)
        fail(EXIT_MACHINE, "can't start a process: %s", strerror(errno));
    if (process == 0) {
        returned[n] = job(n, context);
        flush_standard_output();
        _exit(EXIT_GOOD);
    }
    close(ends[1]);
}

/** Copies what the job prints next. Returns whether it prints no more. */
static int copy_output(int n)
{
    char text[4096];
    const ssize_t bytes = read(workers[n].output, text, sizeof text);
    if (bytes > 0)
        fwrite(text, 1, (size_t)bytes, stdout);
    flush_standard_output();
    return bytes == 0;
}

static int is_running(const Worker *worker)
{
    return worker->process > 0 && !worker->over;
}

/** Waits until the first prints something, or another is over. Returns whether the first is. */
static int wait_for_output(int first)
{
    const int count = worker_count - first;
    struct pollfd *polled = allocate((size_t)count * sizeof *polled);
    for (int n = 0; n < count; n++)
        polled[n] = (struct pollfd){.fd = is_running(&workers[first + n]) ? workers[first + n].output : -1};
    if (workers[first].process > 0)
        polled[0] = (struct pollfd){.fd = workers[first].output, .events = POLLIN};
    if (poll(polled, (nfds_t)count, -1) < 0 && errno != EINTR)
        fail(EXIT_MACHINE, "can't wait for a process: %s", strerror(errno));
    for (int n = 1; n < count; n++)
        workers[first + n].over |= (polled[n].revents & POLLHUP) != 0;
    const int ready = polled[0].revents != 0;
    free(polled);
    return ready && copy_output(first);
}

/** The signal that ended a process, 0 if none did; one that it caught may be in its exit code. */
static int ending_signal(int status)
{
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128 : 0;
}

/** Ends the program as the job has ended, unless that was well. */
static void finish(int n)
{
    int status = 0;
    close(workers[n].output);
    while (waitpid(workers[n].process, &status, 0) < 0 && errno == EINTR)
        continue;
    workers[n].process = 0;
    const int number = ending_signal(status);
    if (number)
        fail(EXIT_MACHINE, "a process of this program was ended by signal %d (%s)%s", number,
             strsignal(number), number == SIGKILL ? ", perhaps for want of memory" : "");
    if (WEXITSTATUS(status) != EXIT_GOOD) { // it has said why
        end_workers();
        exit(WEXITSTATUS(status));
    }
}

void *allocate_shared(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        fail(EXIT_MACHINE, "can't share memory between processes: %s", strerror(errno));
    return memory;
}

void free_shared(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}

int run_process_pool(int count, int most, Job *job, const void *context, const int *order)
{
    int sum = 0;
    for (int n = 0; n < count && most <= 1; n++)
        sum += job(n, context);
    if (most <= 1)
        return sum;
    int *returned = allocate_shared((size_t)count * sizeof *returned);
    workers = allocate((size_t)count * sizeof *workers);
    memset(workers, 0, (size_t)count * sizeof *workers);
    worker_count = count;
    add_cleanup(end_workers);
    int begun = 0;
    for (int first = 0; first < count;) {
        int running = 0;
        for (int n = first; n < count; n++)
            running += is_running(&workers[n]);
        for (; begun < count && running < most; running++, begun++)
            begin(order ? order[begun] : begun, job, context, returned);
        if (wait_for_output(first)) {
            finish(first);
            sum += returned[first++];
        }
    }
    worker_count = 0;
    free(workers);
    free_shared(returned, (size_t)count * sizeof *returned);
    return sum;
}
