#include "form.h"

/** What one update of a stage takes. */
typedef struct {
    double nanoseconds, bytes, nanojoules;
} Cost;

static Cost cost_of(const Table *table, const char *stage)
{
    const int row = find_row(table, "stage", stage, "size", answer("size"));
    const double glups = 1e-3 * cell_number(table, row, "mlups_mean");
    return (Cost){1.0 / glups, cell_number(table, row, "gbs") / glups,
                  cell_number(table, row, "counted_w") / glups};
}

/** Watts before the first case, "; 133 W before the first case" in the head of the table. */
static double idle_power(const Table *table)
{
    const char *text = head_text(table, "energy");
    const char *end = text ? strstr(text, " W before the first case") : NULL;
    if (!end)
        wrong("the head of the table does not say what the GPU drew before the first case: expected a table "
              "of lbm bench --energy on a GPU whose power can be read");
    while (end > text && strchr("0123456789.", end[-1]))
        end--;
    return strtod(end, NULL);
}

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)", "one watt is one joule a second, one GLUPS 10^9 updates a second; 10^12 nJ are 1 kJ");
    expect_answer("update_nj", 15.0, 0.0);
    expect_answer("flow_kj", 15.0, 0.0);
    part("TODO(2)", "any guess will do that could come out");
    expect_prediction("prediction", 0.1, 100.0);

    Table *table = open_table("table");
    const double idle = idle_power(table);
    const Cost a = cost_of(table, "02_soa"), b = cost_of(table, "35_async");
    part("TODO(3)", "in the head of the table, # energy: ... W before the first case");
    expect_answer("idle", idle, 0.01);
    part("TODO(4)", "counted_w over mlups_mean, which is in MLUPS: 1000 MLUPS are 1 GLUPS");
    expect_answer("nj_02", a.nanojoules, 0.01);
    expect_answer("nj_35", b.nanojoules, 0.01);
    part("TODO(5)", "the same with the idle power: idle watts over GLUPS");
    expect_answer("idle_nj_02", idle * a.nanoseconds, 0.01);
    expect_answer("idle_nj_35", idle * b.nanoseconds, 0.01);
    part("TODO(6)",
         "bytes a second over updates a second: gbs over GLUPS, a small number where five steps share "
         "one load");
    expect_answer("bytes_35", b.bytes, 0.02);
    part("TODO(7)", "the update's energy less its idle part, over its bytes; 1 nJ is 1000 pJ");
    expect_answer("pj_per_byte_02", 1e3 * (a.nanojoules - idle * a.nanoseconds) / a.bytes, 0.02);
    expect_answer("pj_per_byte_35", 1e3 * (b.nanojoules - idle * b.nanoseconds) / b.bytes, 0.02);
    part("TODO(8)", "both take the time of 02; what does the GPU draw while 35 runs, and what in the rest?");
    const double with_35 = b.nanojoules + idle * (a.nanoseconds - b.nanoseconds);
    expect_answer("kj_02", a.nanojoules, 0.01);
    expect_answer("kj_35", with_35, 0.01);
    part("TODO(9)", "what else does a stage do with a byte, beside loading and storing it?");
    expect_sentence("why");
    compare_prediction("prediction", a.nanojoules / with_35);
    close_table(table);
}
