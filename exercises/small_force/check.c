#include "form.h"

static const double nu = (0.9330127 - 0.5) / 3.0, u = 0.05;

/** What a step adds to population 1 of a channel of that height. */
static double added(int height)
{
    return 3.0 / 9.0 * 8.0 * nu * u / ((height - 2.0) * (height - 2.0));
}

/** Percent of the peak speed that a run of a channel has lost: within these bounds, or another stage ran. */
static double lost(const char *key, int height, double least, double most)
{
    Table *run = open_table(key);
    double peak = -INFINITY;
    for (int row = 0; row < row_count(run); row++)
        peak = fmax(peak, cell_number(run, row, "ux"));
    if (row_count(run) % height != 0)
        wrong("%s: expected a channel of %d rows, got a table of %d cells", key, height, row_count(run));
    close_table(run);
    const double loss = 100.0 * (u - peak) / u;
    if (!(loss >= least && loss <= most))
        wrong("%s: expected a loss of %g to %g %%, got %.3g %%: of which stage is this table?", key, least,
              most, loss);
    return loss;
}

/** The student's number may be rounded to a tenth. */
static void expect_lost(const char *key, double measured)
{
    if (!(fabs(number(key) - measured) <= 0.1 + 0.02 * fabs(measured)))
        wrong("%s: your table says otherwise than %g %%", key, number(key));
}

/** Population 1 in the middle, as it is stored: without its weight. */
static void expect_population(void)
{
    const double shifted = (3.0 * u + 3.0 * u * u) / 9.0;
    if (fabs(number("population") - (shifted + 1.0 / 9.0)) <= 0.01 * shifted)
        wrong("population: %g is all of it; shifted means without its weight w_1", number("population"));
    expect_answer("population", shifted, 0.03);
}

void check(void)
{
    open_form(exercise_file);
    part("TODO(1)", "w_1 = 1/9; L is the number of fluid rows");
    expect_answer("force_34", 3.0 * added(34), 0.02);
    expect_answer("added_34", added(34), 0.02);
    expect_answer("added_66", added(66), 0.02);
    part("TODO(2)",
         "between 2^k and 2^(k+1) numbers of 11 bits are 2^(k-10) apart; the scale 2^15 shifts k, no more");
    expect_population();
    expect_answer("spacing", ldexp(1.0, -16), 0.03);
    part("TODO(3)", "any guess will do that could come out");
    expect_prediction("prediction", 0.0, 100.0);

    const double lost_34 = lost("table_34", 34, 1.0, 100.0), lost_66 = lost("table_66", 66, 10.0, 100.0),
                 exact = lost("table_fp32", 66, -1.0, 1.0);
    part("TODO(4)", "100 (0.05 - largest ux) / 0.05");
    expect_lost("lost_34", lost_34);
    expect_lost("lost_66", lost_66);
    expect_lost("lost_fp32", exact);
    part("TODO(5)", "what is added to what, and how large is the one beside the other?");
    expect_sentence("why");
    compare_prediction("prediction", lost_66);
}
