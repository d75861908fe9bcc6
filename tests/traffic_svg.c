/**
 * @file traffic_svg.c
 * The pictures of the command `traffic`, and the lines that it takes and refuses.
 */
#include "check.h"
#include "run_lbm.h"

#include <stdlib.h>

static char picture[1 << 20];

/** The stage's traffic on so many cells a side, drawn: what the program said; the picture's text goes to
 * `picture`. */
static Outcome draw_grid(const char *arguments, int size)
{
    char line[512];
    snprintf(line, sizeof line, "traffic %s --size %d --svg a.svg", arguments, size);
    empty_folder();
    const Outcome o = lbm("%s", line);
    FILE *file = fopen("a.svg", "r");
    picture[file ? fread(picture, 1, sizeof picture - 1, file) : 0] = '\0';
    if (file)
        fclose(file);
    return o;
}

static Outcome draw(const char *arguments)
{
    return draw_grid(arguments, 64);
}

/** The number of the first line of the report that goes on with `code`. */
static int line_with(const Outcome *o, const char *code)
{
    const char *line = strstr(o->out, code);
    while (line && line > o->out && *line != ':')
        line--;
    return line ? atoi(line + 1) : 0;
}

static int draw_line_with(const char *stage, const char *code)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments, "traffic %s --size 64 --lines", stage);
    const Outcome o = lbm(arguments);
    const int line = line_with(&o, code);
    EXPECT(line > 0);
    snprintf(arguments, sizeof arguments, "%s --line %d", stage, line);
    EXPECT(draw(arguments).code == 0);
    return line;
}

TEST(every_stage_of_a_gpu_is_drawn)
{
    for (int n = 0; n < stage_count; n++) {
        if (!runs_on_gpu(stages[n]) || stage_reason(stages[n], 64, 64))
            continue;
        const Outcome o = draw_grid(stages[n]->name, stages[n]->lattice->dimensions == 2 ? 64 : 16);
        EXPECT(o.code == 0 && !*o.err && count_files() == 1);
        EXPECT(strstr(picture, "</svg>\n") && strstr(picture, "class=\"used\""));
    }
}

TEST(without_a_line_it_is_the_one_with_most_sectors)
{
    EXPECT(draw("01_naive_gpu").code == 0);
    EXPECT(strstr(picture, ">kernel step, 01_naive_gpu/solver.cu:"));
    EXPECT(strstr(picture, "of 4 bytes by 32 lanes: 32 sectors; used bytes: 128 of 1024 (12.5%)"));
}

TEST(a_line_of_the_solver_is_drawn)
{
    draw_line_with("02_soa", "  f[i] = from[");
    EXPECT(strstr(picture, "load of 4 bytes by 32 lanes: 4 sectors; used bytes: 128 of 128 (100.0%)"));
    draw_line_with("02_soa", "  to[at(");
    EXPECT(strstr(picture, "store of 4 bytes by 32 lanes: 5 sectors; used bytes: 128 of 160 (80.0%)"));
}

TEST(a_line_of_a_header_is_drawn)
{
    char arguments[128];
    const Outcome o = lbm("traffic 02_soa --size 64 --lines");
    const int line = line_with(&o, "  const int wall = is_wall(");
    const char *const files[] = {"d2q9.h", "lattice/d2q9.h"};
    for (int n = 0; n < 2; n++) {
        snprintf(arguments, sizeof arguments, "02_soa --line %s:%d", files[n], line);
        EXPECT(draw(arguments).code == 0);
        EXPECT(strstr(picture, "kernel step, lattice/d2q9.h:") &&
               strstr(picture, "load of 1 byte by 32 lanes"));
    }
}

TEST(accesses_of_a_line_are_drawn_below_each_other)
{
    draw_line_with("35_async", "  copy_async(");
    EXPECT(occurrences(picture, ">kernel several_steps, ") == 2);
    EXPECT(strstr(picture, ">load of 8 bytes by 32 lanes: ") &&
           strstr(picture, ">shared store of 8 bytes by 32 lanes: "));
}

/** Whether a call ends with that exit code and one line, in which both parts are, and leaves no file behind.
 */
static int refuses(const char *line, int code, const char *part, const char *other)
{
    empty_folder();
    const Outcome o = lbm("%s", line);
    const int is_right = o.code == code && is_one_line(o.err) && strstr(o.err, part) &&
                         strstr(o.err, other) && count_files() == 0;
    if (!is_right)
        printf("lbm %s: exit code %d, %s\n", line, o.code, o.err);
    return is_right;
}

TEST(a_line_without_accesses_is_refused)
{
    EXPECT(refuses("traffic 02_soa --size 64 --svg a.svg --line 1", 2, "--line 1:", "d2q9.h:"));
    EXPECT(refuses("traffic 02_soa --size 64 --svg a.svg --line none.cu:37 --csv a.csv", 2, "none.cu:37",
                   "solver.cu:"));
    EXPECT(
        refuses("traffic 02_soa --size 64 --svg a.svg --line olver.cu:37", 2, "olver.cu:37", "solver.cu:"));
}

TEST(options_that_make_no_sense_are_refused)
{
    const char *const lines[] = {"0", "x", "37x", ":37", "d2q9.h:", "d2q9.h", "37:d2q9.h", "-1", "''"};
    for (size_t n = 0; n < sizeof lines / sizeof *lines; n++) {
        char call[128];
        snprintf(call, sizeof call, "traffic 02_soa --size 64 --svg a.svg --line %s", lines[n]);
        EXPECT(refuses(call, 2, "--line", "FILE:LINE"));
    }
    EXPECT(refuses("traffic 02_soa --size 64 --line 37", 2, "--line", "--svg F.svg"));
    EXPECT(refuses("traffic 02_soa --size 64 --svg a --csv a", 2, "\"a\"", "two"));
}

TEST(a_path_that_can_not_be_written_is_refused_before_any_work)
{
    EXPECT(refuses("traffic 02_soa --size 64 --svg none/a.svg", 3, "none/a.svg", "No such"));
    EXPECT(!*lbm("traffic 02_soa --size 64 --svg none/a.svg").out);
    EXPECT(!*lbm("traffic 02_soa --size 64 --csv none/a.csv").out);
    EXPECT(refuses("traffic 02_soa --svg .", 3, " .:", "directory"));
}
