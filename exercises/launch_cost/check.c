#include "form.h"

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)", "cells times bytes; 3000 GB/s are 3000 bytes a nanosecond, so mind the unit");
    expect_answer("bytes_64", 73.0 * 64 * 64, 0.001);
    expect_answer("microseconds_64", 73.0 * 64 * 64 / 3000e3, 0.02);
    part("TODO(2)", "MLUPS are cells per microsecond; a step takes the launch and what the cells need");
    expect_answer("speed_64", 64 * 64 / (3.0 + 73.0 * 64 * 64 / 3000e3), 0.02);

    part("TODO(3)", "any guess will do that could come out");
    expect_prediction("prediction", 0.001, 1000.0);
    Table *bench = open_table("table");
    const double small = bench_mlups(bench, "02_soa", "64"), large = bench_mlups(bench, "02_soa", "4096");
    close_table(bench);
    part("TODO(4)", "cells over mlups_mean");
    expect_answer("step_64", 64 * 64 / small, 0.02);
    expect_answer("step_4096", 4096.0 * 4096.0 / large, 0.02);
    part("TODO(5)", "N x N cells at the MLUPS of 4096 take step_64 microseconds: solve for N");
    expect_answer("half_size", sqrt(64 * 64 / small * large), 0.03);
    part("TODO(6)", "what could be done with fewer launches, or with several grids?");
    expect_sentence("idea");
    compare_prediction("prediction", large / small);
    printf(
        "idea: for example several steps in one launch, the launches of many steps recorded once as a CUDA "
        "graph, or several grids in one launch\n");
}
