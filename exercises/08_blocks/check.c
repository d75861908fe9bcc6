#include "form.h"

/** Sectors that the first warp of a block touches, whose rows are `width` threads wide, a divisor of 32 or
 * more. */
static int sectors(int width)
{
    const int across = width < 32 ? width : 32;
    return 32 / across * ((4 * across + 31) / 32);
}

static double speed_of(const Table *sweep, const char *shape)
{
    char x[16] = "", y[16] = "";
    if (sscanf(shape, "%15[0-9]x%15[0-9]", x, y) != 2)
        wrong("expected a block shape such as 32x8, got \"%s\"", shape);
    return cell_number(sweep, find_row(sweep, "block_x", x, "block_y", y), "mlups_mean");
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
    open_form(EXERCISE);
    part("TODO(1)",
         "how many rows does a warp of this block reach into, and how many bytes does it want of each?");
    expect_answer("sectors_32x8", sectors(32), 0.0);
    expect_answer("sectors_8x32", sectors(8), 0.0);
    expect_answer("sectors_4x64", sectors(4), 0.0);
    expect_answer("sectors_1x256", sectors(1), 0.0);
    part("TODO(2)", "2 x 2 blocks of 256 threads, and 33 x 9 cells");
    expect_answer("idle_percent", 100.0 * (1.0 - 33.0 * 9.0 / 1024.0), 0.01);

    part("TODO(3)", "a prediction can't be wrong, only missing");
    number("prediction");
    Table *sweep = open_table("table");
    double fastest, slowest;
    find_extremes(sweep, &fastest, &slowest);
    part("TODO(4)", "the first and the last row; what is within 2 % of it counts as well");
    if (!(speed_of(sweep, answer("best")) >= 0.98 * fastest))
        wrong("best: there are faster shapes than %s", answer("best"));
    if (!(speed_of(sweep, answer("worst")) <= 1.02 * slowest))
        wrong("worst: there are slower shapes than %s", answer("worst"));
    close_table(sweep);
    part("TODO(5)", "mlups_mean of the one over that of the other");
    expect_answer("ratio", fastest / slowest, 0.03);
    part("TODO(6)", "compare their block_x with your answers to TODO(1)");
    expect_sentence("why");
    compare_prediction("prediction", fastest / slowest);
}
