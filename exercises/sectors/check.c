#include "form.h"
#include "traffic/transactions.h"

/** Sectors that a warp touches whose threads' addresses are `stride` bytes apart, as `lbm traffic` counts
 * them. */
static int sectors(unsigned start, unsigned stride, unsigned bytes)
{
    Request request = {.lanes = 0xffffffff};
    for (unsigned thread = 0; thread < WARP; thread++)
        request.address[thread] = start + thread * stride;
    return sectors_of(&request, bytes).count;
}

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)",
         "write down the addresses of the first three threads, and the sector (address / 32) of each");
    expect_answer("sectors_aos", sectors(0, 36, 4), 0.0);
    expect_answer("used_percent", 100.0 * 32 * 4 / (32.0 * sectors(0, 36, 4)), 0.01);
    part("TODO(2)", "how many bytes lie between the first and the last that the warp reads?");
    expect_answer("sectors_soa", sectors(0, 4, 4), 0.0);
    expect_answer("sectors_moved", sectors(4, 4, 4), 0.0);
    expect_answer("sectors_type", sectors(0, 1, 1), 0.0);

    part("TODO(3)", "any guess will do that could come out");
    expect_prediction("prediction", 0.001, 1000.0);
    Table *bench = open_table("table");
    const char *size = answer("size");
    const double speedup = bench_mlups(bench, "02_soa", size) / bench_mlups(bench, "01_naive_gpu", size);
    close_table(bench);
    part("TODO(4)", "column mlups_mean of the two rows of that size");
    expect_answer("speedup", speedup, 0.02);
    part("TODO(5)",
         "what becomes of the rest of a sector after the request? Who reads it next, and from where?");
    expect_sentence("why");
    compare_prediction("prediction", speedup);
}
