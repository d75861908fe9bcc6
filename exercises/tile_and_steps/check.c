#include "check_exercise.h"

#include EXERCISE

/** A form for people; several at a time. */
static const char *text_of(const Kernel *kernel, Form form)
{
    static char text[4][96];
    static int next;
    char *const own = text[next = (next + 1) % 4];
    if (kernel->dimensions == 2)
        snprintf(own, sizeof text[0], "%d steps, strips of %d columns, %d warps", form.steps,
                 LANES * form.columns, form.warps);
    else
        snprintf(own, sizeof text[0], "%d steps, a tile of 32 x %d columns, %d warps", form.steps,
                 form.warps * form.columns, form.warps);
    return own;
}

static void expect_share(const Kernel *kernel, Form form, double expected)
{
    const double got = owned_share(kernel, &form);
    if (!(fabs(got - expected) <= 1e-6))
        wrong("owned share, %s: expected %.4g, got %.4g", text_of(kernel, form), expected, got);
}

static void expect_fit(const char *name, Gpu gpu, const Kernel *kernel, Form form, int expected)
{
    if (!fits(&gpu, kernel, &form) != !expected)
        wrong("%s: %s: this form %s, but fits() says that it %s", name, text_of(kernel, form),
              expected ? "fits" : "does not fit", expected ? "does not" : "fits");
}

static void expect_limit(const char *by, double got, const Kernel *kernel, Form form, double expected)
{
    if (!(fabs(1e-9 * got - expected) <= 1e-3 * expected))
        wrong("GLUPS of an H200 by %s, %s: expected %.4g, got %.4g", by, text_of(kernel, form), expected,
              1e-9 * got);
}

static void expect_bytes(const Kernel *kernel, Form form, double expected)
{
    expect_limit("bytes", limit_by_bytes(&h200, kernel, &form), kernel, form, expected);
}

static void expect_instructions(const Kernel *kernel, Form form, double expected)
{
    expect_limit("instructions", limit_by_instructions(&h200, kernel, &form), kernel, form, expected);
}

static void expect_choice(const char *name, Gpu gpu, const Kernel *kernel, Form expected)
{
    const Form got = choose(&gpu, kernel);
    if (got.warps != expected.warps || got.columns != expected.columns || got.steps != expected.steps)
        wrong("%s in %s: expected %s, got %s", name, kernel->dimensions == 2 ? "the plane" : "space",
              text_of(kernel, expected), text_of(kernel, got));
}

static void check_shares(void)
{
    part("TODO(1)",
         "each step loses a cell at either end. A strip is as long as the columns of its 32 lanes");
    expect_share(&plane, (Form){12, 2, 5}, 54.0 / 64);
    expect_share(&plane, (Form){12, 1, 1}, 30.0 / 32);
    part("TODO(1)", "a tile loses cells along y too: it has as many rows as all warps of its block");
    expect_share(&space, (Form){8, 3, 3}, 26.0 * 18 / (32 * 24));
    expect_share(&space, (Form){16, 3, 1}, 30.0 * 46 / (32 * 48));
    part("TODO(1)", "what is left if the halo is as long as the strip or the tile, or longer?");
    expect_share(&space, (Form){8, 1, 4}, 0.0);
    expect_share(&space, (Form){8, 2, 20}, 0.0);
    expect_share(&plane, (Form){12, 1, 17}, 0.0);
}

static void check_fits(void)
{
    Gpu large = h200, small = h200;
    large.registers *= 4;
    part("TODO(2)",
         "registers of a thread: other, and for each of its columns working, and waiting for each step");
    expect_fit("H200", h200, &plane, (Form){12, 2, 5}, 1);
    expect_fit("H200", h200, &space, (Form){8, 3, 3}, 1);
    expect_fit("H200", h200, &space, (Form){8, 3, 4}, 0);
    expect_fit("H200", h200, &space, (Form){8, 4, 2}, 0);
    part("TODO(2)", "registers of an SM: those of all threads of all its warps");
    expect_fit("H200", h200, &space, (Form){12, 3, 3}, 0);
    expect_fit("H200", h200, &plane, (Form){16, 2, 5}, 0);
    part("TODO(2)", "the registers of an SM may all be taken: each of these 512 threads is given 128");
    expect_fit("H200", h200, &plane, (Form){16, 1, 8}, 1);
    part("TODO(2)", "a thread of this form needs 170 registers; how many is it given?");
    expect_fit("H200", h200, &plane, (Form){12, 2, 6}, 0);
    part("TODO(2)", "no thread has more than MOST_REGISTERS, however many the SM has");
    expect_fit("four times the registers", large, &space, (Form){8, 3, 4}, 0);
    expect_fit("four times the registers", large, &space, (Form){16, 3, 3}, 1);
    part("TODO(2)", "shared memory: see shared_bytes in marching.h");
    small.shared_bytes = 101376;
    expect_fit("99 KiB of shared memory", small, &space, (Form){8, 3, 3}, 1);
    small.shared_bytes = 65536;
    expect_fit("64 KiB of shared memory", small, &space, (Form){8, 3, 3}, 0);
    expect_fit("64 KiB of shared memory", small, &space, (Form){8, 1, 3}, 1);
    part("TODO(2)", "shared memory may be full");
    small.shared_bytes = shared_bytes(&space, &(Form){8, 3, 2});
    expect_fit("no more shared memory than this", small, &space, (Form){8, 3, 2}, 1);
}

static void check_limits(void)
{
    part("TODO(3)", "four bytes for each number; a sweep loads and stores a cell once for all its steps");
    expect_bytes(&plane, (Form){12, 2, 5}, 408.91);
    part("TODO(3)", "in space a tile loads 1.64 times as many cells as it owns");
    expect_bytes(&space, (Form){8, 3, 3}, 126.59);
    expect_bytes(&space, (Form){8, 3, 1}, 51.959);
    part("TODO(4)", "a fused operation is one instruction and two of the FLOP; work on the halo counts, too");
    expect_instructions(&plane, (Form){12, 2, 5}, 376.31);
    expect_instructions(&space, (Form){8, 3, 3}, 120.73);
    expect_instructions(&space, (Form){8, 3, 1}, 138.54);
}

static void check_choices(void)
{
    Gpu gpu = h200;
    part("TODO(5)", "try all that fit; the lower of the two limits counts");
    expect_choice("H200", h200, &plane, (Form){12, 2, 5});
    expect_choice("H200", h200, &space, (Form){8, 3, 3});
    part("TODO(5)", "of forms with the same limit take the one with the fewest warps");
    gpu.flops /= 2.0;
    expect_choice("half the arithmetic of an H200", gpu, &space, (Form){8, 3, 2});
    gpu = h200;
    gpu.bandwidth /= 2.0;
    expect_choice("half the bandwidth of an H200", gpu, &plane, (Form){12, 1, 8});
    part("TODO(5)", "more registers are more warps or more columns: is every form tried?");
    gpu = h200;
    gpu.registers *= 2;
    expect_choice("twice the registers of an H200", gpu, &space, (Form){16, 3, 3});
    expect_choice("twice the registers of an H200", gpu, &plane, (Form){12, 3, 6});
    gpu.registers *= 2;
    gpu.shared_bytes *= 4;
    expect_choice("four times the registers and shared memory of an H200", gpu, &space, (Form){32, 3, 3});
    gpu = h200;
    gpu.bandwidth /= 4.0;
    Kernel light = plane;
    light.waiting = 1;
    light.working = 5;
    expect_choice("a quarter of the bandwidth, and a kernel of few registers", gpu, &light,
                  (Form){12, 4, 12});
    gpu = h200;
    gpu.shared_bytes = 65536;
    expect_choice("an H200 with 64 KiB of shared memory", gpu, &space, (Form){8, 1, 2});
}

void check(void)
{
    check_shares();
    check_fits();
    check_limits();
    check_choices();
    const Kernel *const kernels[] = {&plane, &space};
    for (int k = 0; k < 2; k++) {
        const Form form = choose(&my_gpu, kernels[k]);
        printf("my_gpu: %s\n", fits(&my_gpu, kernels[k], &form) ? text_of(kernels[k], form) : "no form fits");
    }
}
