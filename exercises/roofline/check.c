#include "form.h"

#include <strings.h>

/** In TFLOP/s. No GPU has fewer than 4 operations for each byte that it copies. */
static double data_sheet_peak(double copy)
{
    const double peak = number("peak");
    if (!(peak >= 4e-3 * copy && peak <= 300.0))
        wrong("peak: expected TFLOP/s in single precision, without tensor cores, from %.3g for such a "
              "bandwidth to 300, got %g",
              4e-3 * copy, peak);
    return peak;
}

/** The copy bandwidth that the student read off, which must be the table's where that tells. */
static double copy_bandwidth(const Table *bench)
{
    const double measured = head_number(bench, "copy");
    if (!isnan(measured))
        expect_answer("copy", measured, 0.01);
    return number("copy");
}

static void expect_percent(const char *key, const Table *bench, const char *stage, double limit)
{
    expect_answer(key, 100.0 * bench_mlups(bench, stage, answer("size")) / limit, 0.02);
}

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)",
         "nine populations in, nine out, one type in; how many grids lie in memory is another question");
    expect_answer("bytes_02", 73.0, 0.0);
    expect_answer("bytes_03", 73.0, 0.0);
    expect_answer("bytes_04", 37.0, 0.0);
    part("TODO(2)", "150 over the bytes");
    expect_answer("intensity_02", 150.0 / 73.0, 0.02);
    expect_answer("intensity_04", 150.0 / 37.0, 0.02);
    part("TODO(3)", "any guess will do that could come out");
    expect_prediction("prediction", 0.0, 100.0);

    Table *bench = open_table("table");
    part("TODO(4)", "copy: in the head of the table, # copy: ... GB/s; peak: in the data sheet");
    const double copy = copy_bandwidth(bench), peak = data_sheet_peak(copy);
    part("TODO(5)", "operations per second over bytes per second, peak over copy: 1 TFLOP/s is 1000 "
                    "operations per nanosecond");
    expect_answer("balance", 1e3 * peak / copy, 0.02);
    const char *bound = 1e3 * peak / copy > 150.0 / 73.0 ? "memory" : "arithmetic";
    if (strcasecmp(answer("bound_02"), bound) != 0)
        wrong("bound_02: \"%s\" is not right; which of balance and intensity is larger?", answer("bound_02"));
    part("TODO(6)", "bytes per second over bytes per update; 1 MLUPS is 1e6 updates a second");
    expect_answer("limit_02", 1e3 * copy / 73.0, 0.02);
    expect_answer("limit_04", 1e3 * copy / 37.0, 0.02);
    part("TODO(7)", "mlups_mean over the limit; 03 has the limit of 02");
    expect_percent("percent_02", bench, "02_soa", 1e3 * copy / 73.0);
    expect_percent("percent_03", bench, "03_aa", 1e3 * copy / 73.0);
    expect_percent("percent_04", bench, "04_aa_fp16s", 1e3 * copy / 37.0);
    part("TODO(8)", "memory that is held, and memory that is moved");
    expect_sentence("why");
    compare_prediction("prediction", number("percent_04"));
    close_table(bench);
}
