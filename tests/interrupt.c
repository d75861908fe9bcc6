#define _GNU_SOURCE // unshare

#include "host/interrupt.h"
#include "check.h"
#include "host/fail.h"
#include "output/output_file.h"
#include "run_lbm.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ---- A C library with bad luck: the linker leads these calls here ---- */

/** Where a signal comes, or the call fails. */
typedef enum { NOWHERE, OPENED, SYNCED, CLOSED, RENAMED, UNLINKING } Moment;

static Moment strikes_at, fails_at;
static int striking, is_unlucky; // only the child is
static long pause_ms;            // for another thread to take the signal

FILE *__real_fopen(const char *path, const char *mode);
int __real_fsync(int file);
int __real_fclose(FILE *file);
int __real_rename(const char *from, const char *to);
int __real_unlink(const char *path);
int __real_raise(int number);

static int fate(Moment moment, int result)
{
    if (is_unlucky && strikes_at == moment) {
        kill(getpid(), striking);
        sleep_ms(pause_ms);
    }
    if (!is_unlucky || fails_at != moment)
        return result;
    errno = ENOSPC;
    return -1;
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    FILE *file = __real_fopen(path, mode);
    fate(OPENED, 0);
    return file;
}

int __wrap_fsync(int file)
{
    return fate(SYNCED, __real_fsync(file));
}

int __wrap_fclose(FILE *file)
{
    return fate(CLOSED, __real_fclose(file));
}

int __wrap_rename(const char *from, const char *to)
{
    const int fails = is_unlucky && fails_at == RENAMED;
    return fate(RENAMED, fails ? -1 : __real_rename(from, to));
}

int __wrap_unlink(const char *path)
{
    fate(UNLINKING, 0);
    return __real_unlink(path);
}

static int raise_does_nothing; // as where process 1 has no handler

int __wrap_raise(int number)
{
    return raise_does_nothing ? 0 : __real_raise(number);
}

/* ---- Files of a child that has it ---- */

/** Runs it in a child. */
static Outcome in_child(void (*action)(void))
{
    fflush(stdout);
    Running child = {.out = tmpfile(), .err = tmpfile()};
    child.pid = fork();
    if (child.pid < 0) {
        perror("fork");
        exit(1);
    }
    if (child.pid == 0) {
        dup2(fileno(child.err), STDERR_FILENO);
        alarm(60);
        is_unlucky = 1;
        action();
        _exit(0);
    }
    return finish(child);
}

static void write_new(void)
{
    OutputFile o;
    begin_file(&o, "file");
    print(&o, "new\nnew\n");
    finish_file(&o);
}

static void write_caught(void)
{
    catch_signals();
    write_new();
}

static void check_caught(void)
{
    catch_signals();
    check_writable("file");
}

/** It is the second signal that strikes. */
static void write_deferred(void)
{
    catch_signals();
    defer_signals();
    raise(SIGINT);
    write_new();
}

static int deadly[128], deadly_count;

/** Finds out which signals end a program that does nothing about them; SIGXFSZ is made an error instead. */
__attribute__((constructor)) static void find_deadly(void)
{
    for (int number = 1; number <= SIGRTMAX; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL) // a sanitizer's
            continue;
        int status;
        const pid_t pid = fork();
        if (pid == 0) {
            setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
            signal(number, SIG_DFL);
            raise(number);
            _exit(0);
        }
        waitpid(pid, &status, WUNTRACED);
        if (WIFSTOPPED(status)) {
            kill(pid, SIGKILL);
            waitpid(pid, NULL, 0);
        } else if (WIFSIGNALED(status) && number != SIGKILL && number != SIGXFSZ) {
            deadly[deadly_count++] = number;
        }
    }
}

/** Whether the child dies of that signal and leaves the file whole, old or new, and nothing else. */
static int dies_cleanly(void (*action)(void), Moment moment, int number)
{
    empty_folder();
    write_file("file", "old\n");
    strikes_at = moment;
    striking = number;
    const Outcome o = in_child(action);
    strikes_at = NOWHERE;
    const int clean = o.killed && o.code == 128 + number && count_files() == 1 && lines_of("file") > 0;
    if (!clean)
        printf("signal %d at moment %d: code %d, %d files\n", number, moment, o.code, count_files());
    return clean;
}

TEST(no_deadly_signal_leaves_a_half_written_file)
{
    for (int n = 0; n < deadly_count; n++) {
        for (Moment moment = OPENED; moment <= RENAMED; moment++)
            EXPECT(dies_cleanly(write_caught, moment, deadly[n]));
        EXPECT(dies_cleanly(check_caught, OPENED, deadly[n]));
        EXPECT(dies_cleanly(check_caught, UNLINKING, deadly[n]));
    }
}

TEST(no_second_signal_leaves_a_half_written_file)
{
    for (int n = 0; n < deadly_count; n++)
        for (Moment moment = OPENED; moment <= RENAMED; moment++)
            if (deadly[n] != SIGHUP && deadly[n] != SIGPIPE)
                EXPECT(dies_cleanly(write_deferred, moment, deadly[n]));
}

TEST(neither_hang_ups_nor_broken_pipes_are_a_second_signal)
{
    const int numbers[] = {SIGHUP, SIGPIPE};
    for (int n = 0; n < 2; n++) {
        empty_folder();
        strikes_at = OPENED;
        striking = numbers[n];
        EXPECT(in_child(write_deferred).code == 0);
        strikes_at = NOWHERE;
        EXPECT(count_files() == 1 && lines_of("file") == 2);
    }
}

static void *wait_for_signals(void *unused)
{
    for (;;)
        pause();
    return unused;
}

/** As CUDA's do, a second thread takes the signals that the first one blocks. */
static void write_beside_a_thread(void)
{
    pthread_t thread;
    pause_ms = 50;
    catch_signals();
    pthread_create(&thread, NULL, wait_for_signals, NULL);
    write_new();
    wait_for_signals(NULL);
}

TEST(signals_that_come_to_another_thread_leave_no_half_written_file)
{
    EXPECT(dies_cleanly(write_beside_a_thread, OPENED, SIGTERM));
}

TEST(a_file_that_fails_at_its_end_leaves_the_old_one)
{
    const Moment moments[] = {SYNCED, CLOSED, RENAMED};
    for (int n = 0; n < 3; n++) {
        empty_folder();
        write_file("file", "old\n");
        fails_at = moments[n];
        const Outcome o = in_child(write_new);
        fails_at = NOWHERE;
        EXPECT(o.code == EXIT_MACHINE && is_one_line(o.err));
        EXPECT(strstr(o.err, "cannot write file: No space left on device"));
        EXPECT(count_files() == 1 && lines_of("file") == 1);
    }
}

/* ---- Files that others left, or write now ---- */

/** As if programs of the same process number had been killed. */
static void write_over_leftovers(void)
{
    char name[64];
    snprintf(name, sizeof name, ".file.%ld", (long)getpid());
    write_file(name, "half");
    write_file(".file.unfinished-0", "half");
    write_new();
}

TEST(what_a_killed_program_left_is_not_in_the_way)
{
    const Outcome o = in_child(write_over_leftovers);
    EXPECT(o.code == 0 && !*o.err);
    EXPECT(lines_of("file") == 2 && lines_of(".file.unfinished-0") == -1 && count_files() == 2);
}

TEST(what_another_program_writes_is_left_alone)
{
    write_file(".file.unfinished-0", "whole\n");
    const int file = open(".file.unfinished-0", O_RDONLY);
    EXPECT(file >= 0 && flock(file, LOCK_EX) == 0);
    EXPECT(in_child(write_new).code == 0 && in_child(check_caught).code == 0);
    EXPECT(lines_of("file") == 2 && lines_of(".file.unfinished-0") == 1 && count_files() == 2);
    close(file);
    EXPECT(in_child(check_caught).code == 0);
    EXPECT(lines_of("file") == 2 && count_files() == 1);
}

TEST(what_is_no_leftover_stays)
{
    EXPECT(mkfifo(".file.unfinished-0", 0600) == 0 && mkdir(".file.unfinished-1", 0700) == 0);
    EXPECT(in_child(write_new).code == 0 && lines_of("file") == 2 && count_files() == 3);
    for (int n = 2; n < 100; n++) {
        char name[32];
        snprintf(name, sizeof name, ".file.unfinished-%d", n);
        EXPECT(mkfifo(name, 0600) == 0);
    }
    const Outcome o = in_child(write_new);
    EXPECT(o.code == 3 && is_one_line(o.err) &&
           strstr(o.err, "the 100 names of its temporary file are in use"));
    EXPECT(lines_of("file") == 2 && count_files() == 101 && rmdir(".file.unfinished-1") == 0);
}

enum { WRITERS = 4, TIMES = 100 };

TEST(programs_may_write_one_file_at_a_time)
{
    pid_t writer[WRITERS];
    fflush(stdout);
    for (int n = 0; n < WRITERS; n++)
        if ((writer[n] = fork()) == 0) {
            for (int k = 0; k < TIMES; k++)
                (k % 3 ? write_new : check_caught)();
            _exit(0);
        }
    for (int n = 0, status = 1; n < WRITERS; n++)
        EXPECT(waitpid(writer[n], &status, 0) == writer[n] && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT(lines_of("file") == 2 && count_files() == 1);
}

/* ---- A program that no signal ends ---- */

static void go_on_after_a_signal(void)
{
    catch_signals();
    raise_does_nothing = 1;
    kill(getpid(), SIGTERM);
}

/** The signal comes to the first process of a container, which it would not end. */
static void begin_as_process_1(void)
{
    int status = 0;
    if (unshare(CLONE_NEWPID) != 0 && unshare(CLONE_NEWUSER | CLONE_NEWPID) != 0)
        _exit(SKIPPED);
    const pid_t pid = fork();
    if (pid == 0) {
        catch_signals();
        kill(getpid(), striking);
        _exit(getpid() != 1);
    }
    waitpid(pid, &status, 0);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

TEST(a_signal_ends_what_raise_does_not)
{
    EXPECT(in_child(go_on_after_a_signal).code == 128 + SIGTERM);
}

TEST(a_signal_ends_process_1)
{
    for (int n = 0; n < deadly_count; n++) {
        striking = deadly[n];
        const int code = in_child(begin_as_process_1).code;
        if (code == SKIPPED)
            SKIP("not permitted here: a first process");
        EXPECT(code == 128 + deadly[n]);
    }
}

/* ---- The program, signalled whenever ---- */

static unsigned random_below(unsigned *state, unsigned bound)
{
    *state = 1664525u * *state + 1013904223u;
    return (*state >> 8) % bound;
}

/** Sends a signal, then one that ends at once; both at random moments. */
static int leaves_nothing(const char *line, unsigned *state)
{
    const int first = deadly[random_below(state, (unsigned)deadly_count)],
              at_once[] = {SIGINT, SIGTERM, SIGQUIT}, second = at_once[random_below(state, 3)];
    Call call;
    parse_call(&call, line);
    const Running running = start(&call);
    nanosleep(&(struct timespec){0, random_below(state, 12000000)}, NULL);
    kill(running.pid, first);
    nanosleep(&(struct timespec){0, random_below(state, 2) * random_below(state, 2000000)}, NULL);
    kill(running.pid, second);
    const int code = finish(running).code, left = count_temporary_files();
    if (left > 0 || (code != 128 + first && code != 128 + second))
        printf("signals %d and %d: code %d, %d temporary files\n", first, second, code, left);
    empty_folder();
    return left == 0 && (code == 128 + first || code == 128 + second);
}

TEST(signals_at_any_moment_leave_no_half_written_file)
{
    unsigned state = (unsigned)time(NULL);
    printf("seed %u\n", state);
    for (int n = 0; n < 80; n++) {
        EXPECT(leaves_nothing(
            "run STAGE cavity --size 9 --tau 0.8 --steps 999999999 --every 1 --csv a.csv --quiet", &state));
        EXPECT(leaves_nothing("run STAGE cavity --size 9 --tau 0.8 --steps 999999999 --vtk a.vti", &state));
        EXPECT(leaves_nothing(
            "run STAGE cavity --size 9 --tau 0.8 --steps 999999999 --checkpoint a.vti --save 1 --quiet",
            &state));
        EXPECT(leaves_nothing("bench STAGE --sizes 8 --csv a.csv", &state));
    }
}
