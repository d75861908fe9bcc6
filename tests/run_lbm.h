/**
 * @file run_lbm.h
 * For tests of the program: runs it, in a folder that is made for the test and removed after it, and keeps
 * what it said. The build defines LBM, its path.
 */
#ifndef RUN_LBM_H
#define RUN_LBM_H

#include "occurrences.h"
#include "stage/stages.h"
#include "stage/unsupported.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/** What the program said, and its exit code, or 128 + the signal that killed it. */
typedef struct {
    int code, killed;
    char out[16384], err[16384];
} Outcome;

/** The arguments of one call. */
typedef struct {
    char *argument[40];
    int count;
    char text[2048];
} Call;

/** A call that still runs. */
typedef struct {
    pid_t pid;
    FILE *out, *err;
} Running;

/** The first stage that takes a flow and has the same bits in every run; the first of all for what is no flow. */
static inline const char *stage_for(const char *name)
{
    const Flow *flow = name ? find_flow(name) : NULL;
    int n = 0;
    while (flow && n < stage_count - 1 && (!takes_flow(stages[n], flow) || stages[n]->varies))
        n++;
    return stages[n]->name;
}

/** Splits a line at blanks. STAGE stands for what stage_for gives for the next word, '' for an empty
 * argument. */
static inline void parse_call(Call *call, const char *line)
{
    snprintf(call->text, sizeof call->text, "%s", line);
    call->argument[0] = LBM;
    call->count = 1;
    for (char *word = strtok(call->text, " "); word; word = strtok(NULL, " "))
        call->argument[call->count++] = strcmp(word, "''") == 0 ? "" : word;
    call->argument[call->count] = NULL;
    for (int n = 1; n < call->count; n++)
        if (strcmp(call->argument[n], "STAGE") == 0)
            call->argument[n] = (char *)stage_for(call->argument[n + 1]);
}

/** Turns the child into the program; a minute is more than any test takes. */
static inline void become_lbm(const Call *call)
{
#ifdef __SANITIZE_ADDRESS__ // blocks that run together are slow there
    alarm(180);
#else
    alarm(60);
#endif
    execv(LBM, call->argument);
    _exit(126);
}

static inline Running start(const Call *call)
{
    fflush(stdout);
    Running running = {.out = tmpfile(), .err = tmpfile()};
    running.pid = fork();
    if (running.pid < 0) { // to signal process -1 would be to signal every process there is
        perror("fork");
        exit(1);
    }
    if (running.pid == 0) {
        dup2(fileno(running.out), STDOUT_FILENO);
        dup2(fileno(running.err), STDERR_FILENO);
        become_lbm(call);
    }
    return running;
}

/** What a stream of the program holds so far. */
static inline void read_stream(FILE *stream, char *text, size_t size)
{
    const ssize_t length = pread(fileno(stream), text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
}

/** The outcome of a call that has ended with this status. */
static inline Outcome outcome_of(const Running *running, int status)
{
    static Outcome outcome;
    outcome.killed = WIFSIGNALED(status);
    outcome.code = outcome.killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    read_stream(running->out, outcome.out, sizeof outcome.out);
    read_stream(running->err, outcome.err, sizeof outcome.err);
    return outcome;
}

static inline Outcome finish(Running running)
{
    int status = 0;
    waitpid(running.pid, &status, 0);
    const Outcome outcome = outcome_of(&running, status);
    fclose(running.out);
    fclose(running.err);
    return outcome;
}

static inline Outcome vlbm(const char *format, va_list arguments)
{
    char line[1024];
    Call call;
    vsnprintf(line, sizeof line, format, arguments);
    parse_call(&call, line);
    return finish(start(&call));
}

/** Runs the program with a line (printf-like). */
__attribute__((format(printf, 1, 2))) static inline Outcome lbm(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Outcome o = vlbm(format, arguments);
    va_end(arguments);
    return o;
}

/** Whether a call ended well and said nothing on standard error. */
static inline int ended_well(Outcome o)
{
    if (o.code != 0 || *o.err)
        printf("exit code %d, %s\n", o.code, o.err);
    return o.code == 0 && !*o.err;
}

/** The same of a line. */
__attribute__((format(printf, 1, 2))) static inline int is_good(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const Outcome o = vlbm(format, arguments);
    va_end(arguments);
    return ended_well(o);
}

static inline void sleep_ms(long ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
}

/** Sends a signal some time after the program printed a part. */
static inline Outcome interrupt(const char *line, const char *part, long ms, int number)
{
    Call call;
    char text[8192] = "";
    parse_call(&call, line);
    const Running running = start(&call);
    for (int n = 0; n < 6000 && !strstr(text, part); n++) {
        sleep_ms(10);
        read_stream(running.out, text, sizeof text);
    }
    sleep_ms(ms);
    kill(running.pid, number);
    return finish(running);
}

/** Whether a text is exactly one line. */
static inline int is_one_line(const char *text)
{
    return occurrences(text, "\n") == 1 && text[strlen(text) - 1] == '\n';
}

/** Lines of a table of cells before the first cell. */
enum { CSV_HEAD = 2 };

/** Number of lines of a file, -1 if there is none. */
static inline int lines_of(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    int lines = 0;
    for (int c = getc(file); c != EOF; c = getc(file))
        lines += c == '\n';
    fclose(file);
    return lines;
}

/** Whether two files have the same bytes. */
static inline int are_equal(const char *a, const char *b)
{
    char command[512];
    snprintf(command, sizeof command, "cmp %s %s", a, b);
    return system(command) == 0;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

/** Counts the files in the folder. */
static inline int count_files(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

/** Outputs on their way have names that begin with a dot. */
static inline int count_temporary_files(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count +=
            entry->d_name[0] == '.' && strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

/** Removes all files in the folder. */
static inline void empty_folder(void)
{
    DIR *folder = opendir(".");
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(entry->d_name);
    closedir(folder);
}

__attribute__((weak)) void before_each_test(void); // as in check.h
void before_each_test(void)
{
    empty_folder();
}

static char test_folder[] = "run_lbm.XXXXXX";
static pid_t owner;

__attribute__((constructor)) static void enter_folder(void)
{
    owner = getpid();
    if (!mkdtemp(test_folder) || chdir(test_folder) != 0)
        _exit(2); // not exit: leave_folder would empty the folder that we are in
}

__attribute__((destructor)) static void leave_folder(void)
{
    if (getpid() != owner) // a child of the test
        return;
    empty_folder();
    if (chdir("..") == 0)
        rmdir(test_folder);
}

#endif
