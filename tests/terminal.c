#include "check.h"
#include "run_lbm.h"

#include <pty.h>
#include <signal.h>

enum { ROWS = 12, ROOM = 1 << 22 };

/** The program in a terminal of its own, and all that it wrote there. */
typedef struct {
    pid_t pid;
    int terminal;
    size_t length;
    char *text;
} Session;

static const char *terminal_type = "xterm";

static Session open_session(const char *line, int columns)
{
    setenv("TERM", terminal_type, 1);
    Call call;
    parse_call(&call, line);
    fflush(stdout);
    Session s = {0};
    const struct winsize window = {.ws_col = (unsigned short)columns, .ws_row = ROWS};
    s.pid = forkpty(&s.terminal, NULL, NULL, &window);
    if (s.pid < 0) // no /dev/pts in here; and to signal process -1 is to signal every process there is
        SKIP("there is no pseudo-terminal");
    if (s.pid == 0)
        become_lbm(&call);
    s.text = calloc(1, ROOM);
    return s;
}

/** Reads on until the terminal shows the part, or until the program is gone. */
static int read_until(Session *s, const char *part)
{
    while (!strstr(s->text, part)) {
        const size_t room = ROOM - 1 - s->length;
        const ssize_t count = read(s->terminal, s->text + s->length, room < 4096 ? room : 4096);
        if (count <= 0)
            return 0;
        s->length += (size_t)count;
    }
    return 1;
}

/** Reads to the end; returns the exit code, or -1 if a signal killed it. */
static int close_session(Session *s)
{
    read_until(s, "this is never shown");
    int status;
    waitpid(s->pid, &status, 0);
    close(s->terminal);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char enter[] = "\033[?1049h", leave[] = "\033[?1049l", hide[] = "\033[?25l",
                  reveal[] = "\033[?25h", home[] = "\033[H", half_block[] = "\u2580";

/** The text after the last time that it holds the part; "" if it does not. */
static const char *after_last(const char *text, const char *part)
{
    const char *rest = "";
    for (text = strstr(text, part); text; text = strstr(rest, part))
        rest = text + strlen(part);
    return rest;
}

/** Whether the last things done to screen and cursor are to restore them. */
static int is_restored(const char *text)
{
    const char *since = after_last(text, enter);
    return strstr(since, leave) && strstr(since, reveal) && !strstr(after_last(since, reveal), hide);
}

TEST(watch_draws_and_restores_the_terminal)
{
    Session s = open_session("run STAGE cavity --size 64 --tau 0.8 --steps 4000 --watch", 100);
    EXPECT(close_session(&s) == 0);
    EXPECT(strstr(s.text, enter) && strstr(s.text, hide) && is_restored(s.text));
    EXPECT(strstr(s.text, "of 4000") && strstr(s.text, "Ctrl-C"));
    EXPECT(strstr(after_last(s.text, leave), "MLUPS")); // the report comes after

    // 11 of the 12 rows are 22 pixels; the square flow is as wide
    const char *frame = after_last(s.text, home);
    EXPECT(occurrences(frame, half_block) == 22 * 11);
    free(s.text);
}

/** In space a frame has the shape of the slice: here 20 x 20 cells, and without --slice 4 x 20. */
TEST(watch_draws_a_slice)
{
    const int columns[] = {22, 4};
    for (int n = 0; n < 2; n++) {
        char line[128];
        snprintf(line, sizeof line, "run STAGE duct --size 4x20x20 --steps 40 --watch%s",
                 n ? "" : " --slice x=1");
        Session s = open_session(line, 100);
        EXPECT(close_session(&s) == 0);
        EXPECT(occurrences(after_last(s.text, home), half_block) == columns[n] * 11);
        free(s.text);
    }
}

TEST(watch_fits_the_line_below_into_the_window)
{
    Session s = open_session("run STAGE poiseuille --size 9 --steps 3000 --watch", 40);
    EXPECT(close_session(&s) == 0);
    const char *text = after_last(s.text, "\033[12;1H");
    EXPECT(strncmp(text, "step ", 5) == 0 && strcspn(text, "\033") == 40);
    free(s.text);
}

TEST(watch_restores_the_terminal_when_interrupted)
{
    Session s =
        open_session("run STAGE cavity --size 64 --tau 0.8 --steps 999999999 --watch --csv a.csv", 100);
    EXPECT(read_until(&s, "Ctrl-C"));
    const char interrupt = 3;
    EXPECT(write(s.terminal, &interrupt, 1) == 1);
    EXPECT(close_session(&s) == 130);
    EXPECT(is_restored(s.text));
    EXPECT(strstr(after_last(s.text, leave), "interrupted at step "));
    EXPECT(lines_of("a.csv") == CSV_HEAD + 64 * 64);
    free(s.text);
}

TEST(watch_restores_the_terminal_when_killed_by_two_signals)
{
    Session s = open_session("run STAGE cavity --size 64 --tau 0.8 --steps 999999999 --watch", 100);
    EXPECT(read_until(&s, "Ctrl-C"));
    kill(s.pid, SIGSTOP);
    kill(s.pid, SIGINT);
    kill(s.pid, SIGTERM);
    kill(s.pid, SIGCONT);
    EXPECT(close_session(&s) == -1);
    EXPECT(is_restored(s.text));
    free(s.text);
}

/** Closes the terminal under a program that draws; returns its exit code, or -1 if a signal killed it. */
static int code_after_hang_up(Session *s)
{
    EXPECT(read_until(s, "Ctrl-C"));
    close(s->terminal);
    int status;
    waitpid(s->pid, &status, 0);
    free(s->text);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char watched[] = "run STAGE cavity --size 64 --tau 0.8 --steps 999999999 --watch --csv a.csv";

TEST(a_terminal_that_hangs_up_costs_no_outputs)
{
    Session s = open_session(watched, 100);
    EXPECT(code_after_hang_up(&s) == 128 + SIGHUP);
    EXPECT(lines_of("a.csv") == CSV_HEAD + 64 * 64 && count_files() == 1);
}

/** The kernel tells the shell of it, here one that never tells the program. */
TEST(a_terminal_that_is_gone_hung_up)
{
    setenv("TERM", terminal_type, 1);
    Session s = {0};
    Call call;
    parse_call(&call, watched);
    const struct winsize window = {.ws_col = 100, .ws_row = ROWS};
    fflush(stdout);
    s.pid = forkpty(&s.terminal, NULL, NULL, &window);
    if (s.pid < 0)
        SKIP("there is no pseudo-terminal");
    if (s.pid == 0) {
        const pid_t program = fork();
        if (program == 0)
            become_lbm(&call);
        signal(SIGHUP, SIG_IGN);
        int status = 0;
        _exit(waitpid(program, &status, 0) == program && WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
    s.text = calloc(1, ROOM);
    EXPECT(code_after_hang_up(&s) == 128 + SIGHUP);
    EXPECT(lines_of("a.csv") == CSV_HEAD + 64 * 64 && count_files() == 1);
}

TEST(a_dumb_terminal_gets_no_escape_codes)
{
    terminal_type = "dumb";
    Session s = open_session("run STAGE cavity --size 64 --tau 0.8 --steps 4 --watch", 100);
    EXPECT(close_session(&s) == 2);
    EXPECT(strstr(s.text, "TERM=dumb") && !strchr(s.text, '\033'));
    free(s.text);
    s = open_session("run STAGE cavity --size 64 --tau 0.8 --steps 3000", 100);
    EXPECT(close_session(&s) == 0);
    EXPECT(strstr(s.text, "steps ") && !strchr(s.text, '\033'));
    free(s.text);
    terminal_type = "xterm";
}

TEST(watch_restores_the_terminal_when_quit)
{
    Session s = open_session(watched, 100);
    EXPECT(read_until(&s, "Ctrl-C"));
    const char quit = 28; // Ctrl-backslash
    EXPECT(write(s.terminal, &quit, 1) == 1);
    EXPECT(close_session(&s) == -1);
    EXPECT(is_restored(s.text));
    free(s.text);
}

TEST(watch_shows_errors_after_the_picture)
{
    Session s = open_session("run STAGE cavity --size 34 --tau 0.5051 --u 0.17 --steps 100000 --watch", 100);
    EXPECT(close_session(&s) == 1);
    EXPECT(is_restored(s.text));
    EXPECT(strstr(after_last(s.text, leave), "diverged by step "));
    free(s.text);
}

TEST(watch_restores_the_terminal_while_stopped)
{
    Session s = open_session("run STAGE cavity --size 64 --tau 0.8 --steps 999999999 --watch", 100);
    EXPECT(read_until(&s, "Ctrl-C"));
    kill(s.pid, SIGTSTP);
    EXPECT(read_until(&s, leave));
    int status;
    EXPECT(waitpid(s.pid, &status, WUNTRACED) == s.pid && WIFSTOPPED(status));
    s.length = 0;
    memset(s.text, 0, ROOM);
    kill(s.pid, SIGCONT);
    EXPECT(read_until(&s, enter) && read_until(&s, "Ctrl-C"));
    kill(s.pid, SIGTERM);
    EXPECT(close_session(&s) == 128 + SIGTERM);
    EXPECT(is_restored(s.text));
    free(s.text);
}

TEST(progress_is_shown_and_wiped)
{
    Session s = open_session("run STAGE cavity --size 64 --tau 0.8 --steps 3000", 100);
    EXPECT(close_session(&s) == 0);
    EXPECT(strstr(s.text, "% [") && strstr(s.text, " MLUPS, ") && strstr(s.text, " left"));
    EXPECT(strstr(s.text, "left\r\033[Ksteps ")); // the report stands where the bar was
    EXPECT(!strstr(s.text, enter));
    free(s.text);
}

TEST(progress_is_drawn_now_and_then)
{
    Session s = open_session("run STAGE cavity --size 8 --tau 0.8 --steps 200000", 100); // 200 pauses
    EXPECT(close_session(&s) == 0);
    EXPECT(occurrences(s.text, "% [") < 100);
    free(s.text);
}

TEST(quiet_run_shows_no_progress)
{
    Session s = open_session("run STAGE cavity --size 64 --tau 0.8 --steps 3000 --quiet", 100);
    EXPECT(close_session(&s) == 0);
    EXPECT(s.length == 0);
    free(s.text);
}
