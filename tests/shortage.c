/**
 * What the machine lacks is no bad input: memory to draw with, and files that may be open at a time.
 */
#include "check.h"
#include "flow/bodies.h"
#include "host/interrupt.h"
#include "output/checkpoint.h"
#include "output/figure.h"
#include "output/plot.h"
#include "program/options.h"
#include "refused.h"

#include <stdint.h>
#include <sys/resource.h>

/* ---- Files ---- */

static struct rlimit most_files;

/** A sanitizer opens some at the end. */
static void open_again(void)
{
    setrlimit(RLIMIT_NOFILE, &most_files);
}

/** No file can be opened after that, until the program fails. */
static void open_no_more(void)
{
    getrlimit(RLIMIT_NOFILE, &most_files);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, most_files.rlim_max});
    add_cleanup(open_again);
}

static void read_a_checkpoint(void)
{
    Real *f = NULL;
    Scenario s = {.flow = find_flow("cavity")};
    open_no_more();
    read_checkpoint("/bin/sh", &s, f); // any file that is there
}

static void read_a_mask(void)
{
    open_no_more();
    read_mask("/bin/sh");
}

static void read_options(void)
{
    const Option none[] = {{0}};
    char file[] = "@/bin/sh", *arguments[] = {file};
    open_no_more();
    parse_options(none, NULL, 1, arguments);
}

TEST(too_many_open_files_are_no_bad_input)
{
    void (*const readers[])(void) = {read_a_checkpoint, read_options, read_a_mask};
    for (int n = 0; n < (can_read_png() ? 3 : 2); n++) {
        char text[4096];
        EXPECT(exit_code_of(readers[n], text, sizeof text) == EXIT_MACHINE);
        EXPECT(strstr(text, "Too many open files"));
    }
}

/* ---- Memory to draw with ---- */

static const double at[] = {0.0, 1.0, 2.0};
static const Panel panel = {"a panel", "steps", 0, 1, {{"a curve", at, at, 3, 1, 0}}};

static void plot(void)
{
    write_plot("shortage.svg", "a plot", "of a curve", &panel, 1);
}

static void draw(void)
{
    Scenario s = create_scenario(find_flow("poiseuille"), (Parameters){.width = 4, .height = 4});
    const Snapshot r = initial_snapshot(&s);
    write_figure("shortage.png", &r, &(Look){.field = SPEED, .slice = middle_slice(&s)}, "a stage");
}

static void (*drawn)(void);

/** Draws where the process may take one MiB more than it has. */
static void draw_in_a_corner(void)
{
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%zu", &pages) != 1)
        exit(EXIT_GOOD);
    fclose(file);
    const rlim_t most = pages * (size_t)sysconf(_SC_PAGESIZE) + (1 << 20);
    setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
    drawn();
}

TEST(without_memory_for_fonts_nothing_is_drawn)
{
#ifdef __SANITIZE_ADDRESS__
    SKIP("a sanitizer takes more addresses than there is memory");
#endif
    void (*const masks[])(void) = {plot, draw};
    if (!can_draw())
        SKIP("built without Cairo");
    for (int n = 0; n < 2; n++) {
        char text[4096];
        drawn = masks[n];
        EXPECT(exit_code_of(draw_in_a_corner, text, sizeof text) == EXIT_MACHINE);
        EXPECT(strstr(text, "lbm: not enough memory: 8.0 MiB needed") == text && strstr(text, "but not for"));
        EXPECT(access("shortage.svg", F_OK) != 0 && access("shortage.png", F_OK) != 0);
    }
}

static int is_unlucky;

#ifdef HAVE_CAIRO // with bad luck: the linker leads this call here
void *__real_cairo_create(void *surface);
void *__wrap_cairo_create(void *surface);

void *__wrap_cairo_create(void *surface)
{
    return __real_cairo_create(is_unlucky ? NULL : surface);
}
#endif

TEST(a_plot_that_fails_halfway_is_not_written)
{
    char text[4096];
    if (!can_draw())
        SKIP("built without Cairo");
    is_unlucky = 1;
    EXPECT(exit_code_of(plot, text, sizeof text) == EXIT_MACHINE);
    is_unlucky = 0;
    EXPECT(strstr(text, "lbm: cannot write shortage.svg: ") == text && access("shortage.svg", F_OK) != 0);
    EXPECT(exit_code_of(plot, text, sizeof text) == EXIT_GOOD && remove("shortage.svg") == 0);
}
