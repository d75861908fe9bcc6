#include "form.h"
#include "traffic/transactions.h"

/** Sectors that the first warp of a block of this width touches with values of `bytes` bytes in rows of 4096,
 * `moved` cells to the right, as `lbm traffic` counts them. */
static int sectors(unsigned width, unsigned bytes, unsigned moved)
{
    Request request = {.lanes = 0xffffffff};
    for (unsigned thread = 0; thread < WARP; thread++)
        request.address[thread] = (thread / width * 4096 + thread % width + moved) * bytes;
    return sectors_of(&request, bytes).count;
}

/** The sweep of the stage for which the arithmetic above holds. */
static Table *open_sweep(void)
{
    Table *sweep = open_table("table");
    const char *stage = cell_text(sweep, 0, "stage");
    if (strcmp(stage, "02_soa") != 0)
        wrong("%s: expected a sweep of 02_soa, got one of %s", answer("table"), stage);
    return sweep;
}

static double speed_of(const Table *sweep, const char *key)
{
    const char *shape = answer(key);
    char x[16] = "", y[16] = "";
    int end = 0;
    if (sscanf(shape, "%15[0-9]x%15[0-9]%n", x, y, &end) != 2 || shape[end] != '\0')
        wrong("%s: expected a block shape such as 32x8, got \"%s\"", key, shape);
    for (int row = 0; row < row_count(sweep); row++)
        if (strcmp(cell_text(sweep, row, "block_x"), x) == 0 &&
            strcmp(cell_text(sweep, row, "block_y"), y) == 0)
            return cell_number(sweep, row, "mlups_mean");
    wrong("%s: expected a block shape of your table, got \"%s\"", key, shape);
}

/** Fastest and slowest in the table. */
static void find_extremes(const Table *sweep, double *fastest, double *slowest)
{
    *fastest = *slowest = cell_number(sweep, 0, "mlups_mean");
    for (int row = 1; row < row_count(sweep); row++) {
        *fastest = fmax(*fastest, cell_number(sweep, row, "mlups_mean"));
        *slowest = fmin(*slowest, cell_number(sweep, row, "mlups_mean"));
    }
}

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)",
         "how many rows does a warp of this block reach into, and how many bytes does it want of each?");
    expect_answer("sectors_32x8", sectors(32, 4, 0), 0.0);
    expect_answer("sectors_8x32", sectors(8, 4, 0), 0.0);
    expect_answer("sectors_4x64", sectors(4, 4, 0), 0.0);
    expect_answer("sectors_1x256", sectors(1, 4, 0), 0.0);
    part("TODO(2)", "in each row that the warp reaches into: where does it begin and end, and how many "
                    "sectors of 32 bytes does that touch?");
    expect_answer("moved_32x8", sectors(32, 4, 1), 0.0);
    expect_answer("moved_8x32", sectors(8, 4, 1), 0.0);
    expect_answer("types_32x8", sectors(32, 1, 0), 0.0);
    expect_answer("types_8x32", sectors(8, 1, 0), 0.0);
    part("TODO(3)", "2 x 2 blocks of 256 threads, and 33 x 9 cells");
    expect_answer("idle_percent", 100.0 * (1.0 - 33.0 * 9.0 / 1024.0), 0.01);

    part("TODO(4)", "any guess will do that could come out");
    expect_prediction("prediction", 0.001, 1000.0);
    Table *sweep = open_sweep();
    double fastest, slowest;
    find_extremes(sweep, &fastest, &slowest);
    part("TODO(5)", "the first and the last row; what is within 2 % of it counts as well");
    if (!(speed_of(sweep, "best") >= 0.98 * fastest))
        wrong("best: there are faster shapes than %s", answer("best"));
    if (!(speed_of(sweep, "worst") <= 1.02 * slowest))
        wrong("worst: there are slower shapes than %s", answer("worst"));
    close_table(sweep);
    part("TODO(6)", "mlups_mean of the fastest over that of the slowest");
    expect_answer("ratio", fastest / slowest, 0.03);
    part("TODO(7)", "compare their block_x with your answers to TODO(1) and TODO(2)");
    expect_sentence("why");
    compare_prediction("prediction", fastest / slowest);
}
