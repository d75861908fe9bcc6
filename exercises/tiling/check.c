#include "form.h"

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)", "whose thread reads population i of a cell? Does any other?");
    expect_answer("reads", 1.0, 0.0);
    expect_answer("reads_tiled", 1.0, 0.0);
    part("TODO(2)", "34 x 10 cells instead of 32 x 8");
    expect_answer("halo_percent", 100.0 * (34.0 * 10.0 - 256.0) / 256.0, 0.02);
    expect_answer("shared_bytes", 34.0 * 10.0 * 36.0, 0.0);
    part("TODO(3)", "eight neighbours and the cell itself, however often each loads it; nine populations in "
                    "and nine out are 72 bytes");
    expect_answer("type_reads", 9.0, 0.0);
    expect_answer("bytes_best", 73.0, 0.0);
    expect_answer("bytes_worst", 81.0, 0.0);

    part("TODO(4)", "any guess will do that could come out");
    expect_prediction("prediction", 0.001, 1000.0);
    Table *bench = open_table("table");
    const char *size = answer("size");
    const double ratio = bench_mlups(bench, "exercise_tiling", size) / bench_mlups(bench, "02_soa", size);
    close_table(bench);
    part("TODO(5)", "column mlups_mean of the two rows of that size");
    expect_answer("ratio", ratio, 0.02);
    part("TODO(6)", "what is read more than once? Which of these reads did the caches not serve already?");
    expect_sentence("why");
    compare_prediction("prediction", ratio);
}
