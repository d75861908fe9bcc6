#include "form.h"

enum { STAGES = 4 };
static const char *const stages[STAGES] = {"01_naive_gpu", "02_soa", "03_aa", "04_aa_fp16s"};
static const double bytes[STAGES] = {73.0, 73.0, 73.0, 37.0};
static const double h100_copy = 3018.0, h100[STAGES] = {11141.0, 35744.0, 35813.0, 59197.0};
static const double most_of_a_copy = 1.2; // two measurements, perhaps of a cache

/** The answer "mlups_01" for the first stage. */
static void expect_of_stage(const char *what, int n, double expected)
{
    char key[32];
    snprintf(key, sizeof key, "%s_%.2s", what, stages[n]);
    expect_answer(key, expected, 0.02);
}

/** Share of the copy that a stage of the H100 reaches. */
static double share(int n)
{
    return 1e-3 * h100[n] * bytes[n] / h100_copy;
}

/** MLUPS in the table: of lbm bench, or of the page that measures in a browser. */
static double measured(const Table *table, int n, double copy)
{
    const int row = find_row(table, "stage", stages[n], "size", answer("size"));
    const double mlups = cell_number(table, row, head_text(table, "block") ? "mlups_mean" : "mlups");
    const double reached = 1e-3 * mlups * bytes[n] / copy;
    if (!(reached > 0.0 && reached <= most_of_a_copy))
        wrong(
            "%s at %s: it moves %.3g times as many bytes a second as the copy; expected up to %g: was the copy "
            "as large as the grid?",
            stages[n], answer("size"), reached, most_of_a_copy);
    return mlups;
}

/** GB/s of the copy: the page makes one for each size, and in two ways, of which the faster counts. */
static double copy_of(const Table *table)
{
    char grid[64];
    snprintf(grid, sizeof grid, " grid of %s x %s cells", answer("size"), answer("size"));
    const char *text = head_text_with(table, "copy", " grid of ") ? head_text_with(table, "copy", grid)
                                                                  : head_text(table, "copy");
    double first = NAN, second = 0.0;
    if (!text || sscanf(text, "%lf GB/s by %*[^,], %lf", &first, &second) < 1)
        wrong("%s has no line # copy of a grid of %s x %s cells", answer("table"), answer("size"),
              answer("size"));
    return fmax(first, second);
}

static void refuse_cpu(const Table *table)
{
    const char *device = head_text(table, "device");
    if (device && strstr(device, "software"))
        wrong("%s is \"%s\": a CPU that imitates a GPU says nothing about one", answer("table"), device);
}

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)", "bytes a second over those of the copy: MLUPS times bytes are MB/s");
    for (int n = 0; n < STAGES; n++)
        expect_of_stage("percent", n, 100.0 * share(n));

    Table *table = open_table("table");
    refuse_cpu(table);
    const double of_table = copy_of(table);
    part("TODO(2)",
         "the first number in the line # copy above the columns of the table, for your size of the grid");
    expect_answer("copy", of_table, 0.01);
    part("TODO(3)", "the copy times the H100's percentage, in bytes a second, over the bytes of an update");
    for (int n = 0; n < STAGES; n++)
        expect_of_stage("mlups", n, 1e3 * of_table * share(n) / bytes[n]);
    part("TODO(4)", "1, 2, 3 or 4: any of them could come out");
    expect_prediction("prediction", 1.0, STAGES);

    part("TODO(5)", "the stage's row over your mlups_..., 1 if the prediction was exact");
    double farthest = -1.0;
    int which = 0;
    for (int n = 0; n < STAGES; n++) {
        const double ratio = measured(table, n, of_table) / (1e3 * of_table * share(n) / bytes[n]);
        expect_of_stage("ratio", n, ratio);
        if (fabs(log(ratio)) > farthest) {
            farthest = fabs(log(ratio));
            which = n + 1;
        }
    }
    part("TODO(6)", "what else does a kernel need: instructions, registers, warps in flight, caches?");
    expect_sentence("why");
    compare_prediction("prediction", which);
    printf(
        "why: for example, an H200 has as many multiprocessors as an H100, and faster memory. With the same "
        "requests in\n  flight a stage can't use all of it (docs/results.md, \"From an H100 to an H200\")\n");
    close_table(table);
}
