#include "check.h"
#include "host/fail.h"
#include "output/png_picture.h"
#include "run_lbm.h"

#include <signal.h>

/** The number that follows a mark in a text; NaN if there is none. */
static double number_after(const char *text, const char *mark)
{
    const char *found = strstr(text, mark);
    return found ? atof(found + strlen(mark)) : NAN;
}

TEST(forces_are_printed_and_written)
{
    const Outcome o = lbm("run STAGE channel_cylinder --size 66x22 --steps 2000 --sample 40 --forces f.csv");
    EXPECT(o.code == 0 && !*o.err);
    EXPECT(occurrences(o.out, "\nstep ") == 10); // a tenth of the run each, and the end
    EXPECT(strstr(o.out, "step      2000: drag "));
    EXPECT(number_after(o.out, "\ndrag      last ") > 4.0);
    EXPECT(number_after(o.out, "\npressure  ") > 1.0);
    EXPECT(strstr(o.out, "mean") && strstr(o.out, "smallest") && strstr(o.out, "largest"));
    EXPECT(strstr(o.out, "Strouhal  none"));
    EXPECT(strstr(o.out, "\nwrote     f.csv\n"));
    EXPECT(lines_of("f.csv") == 1 + 2000 / 40);
    EXPECT(count_files() == 1);
}

TEST(the_last_force_is_that_of_the_last_step)
{
    Outcome o = lbm("run STAGE channel_cylinder --size 66x22 --steps 400 --forces f.csv --sample 400");
    const double sampled = number_after(o.out, "force     drag ");
    o = lbm("run STAGE channel_cylinder --size 66x22 --steps 400");
    EXPECT_NEAR(number_after(o.out, "force     drag "), sampled, 1e-9);
    char text[256] = "";
    FILE *file = fopen("f.csv", "r");
    if (file) {
        read_stream(file, text, sizeof text);
        fclose(file);
    }
    EXPECT(strncmp(text, "step,drag,lift\n400,", 19) == 0);
    EXPECT_NEAR(number_after(text, "\n400,"), sampled, 1e-4);
}

TEST(sampling_does_not_disturb)
{
    EXPECT(is_good("run STAGE cylinder --size 40 --steps 77 --quiet --csv a.csv"));
    EXPECT(is_good("run STAGE cylinder --size 40 --steps 77 --quiet --csv b.csv --forces f.csv --sample 3"));
    EXPECT(system("cmp -s a.csv b.csv") == 0);
}

TEST(a_street_has_a_strouhal_number) // long
{
    const Outcome o =
        lbm("run STAGE channel_cylinder --size 134x43 --re 100 --u 0.1 --steps 9000 --forces f.csv");
    EXPECT(o.code == 0 && !*o.err);
    EXPECT_NEAR(number_after(o.out, "\nStrouhal  "), 0.30, 0.03);
}

TEST(probes_write_the_velocity_over_time)
{
    EXPECT(is_good(
        "run STAGE poiseuille --size 8x10 --steps 50 --sample 10 --probe 3,4 --probe 0,8 --probes p"));
    EXPECT(lines_of("p") == 1 + 2 * 5);
    FILE *file = fopen("p", "r");
    char text[1024] = "";
    if (file) {
        read_stream(file, text, sizeof text);
        fclose(file);
    }
    EXPECT(strncmp(text, "step,x,y,ux,uy\n10,3,4,", 22) == 0);
    EXPECT(strstr(text, "\n50,0,8,") && number_after(text, "\n50,3,4,") > number_after(text, "\n10,3,4,"));
}

/** Reads the rows of a table of probes; returns how many there are. */
static int read_probes(const char *path, double row[][5], int most)
{
    FILE *file = fopen(path, "r");
    int count = 0;
    if (!file)
        return 0;
    for (int c = getc(file); c != EOF && c != '\n'; c = getc(file)) // the names
        ;
    while (count < most && fscanf(file, "%lf,%lf,%lf,%lf,%lf", &row[count][0], &row[count][1], &row[count][2],
                                  &row[count][3], &row[count][4]) == 5)
        count++;
    fclose(file);
    return count;
}

TEST(every_probe_has_its_row_at_every_sample)
{
    enum { PROBES = 3, SAMPLES = 4 };
    const int x[PROBES] = {1, 2, 0}, y[PROBES] = {5, 1, 3};
    double row[PROBES * SAMPLES + 1][5];
    EXPECT(
        is_good("run STAGE poiseuille --size 4x7 --steps 40 --sample 10 --probe 1,5 --probe 2,1 --probe 0,3 "
                "--probes p"));
    EXPECT(read_probes("p", row, PROBES * SAMPLES + 1) == PROBES * SAMPLES);
    for (int n = 0; n < PROBES * SAMPLES; n++) {
        const int sample = n / PROBES, probe = n % PROBES;
        EXPECT(row[n][0] == 10.0 * (sample + 1) && row[n][1] == x[probe] && row[n][2] == y[probe]);
        EXPECT(row[n][3] > (sample ? row[n - PROBES][3] : 0.0)); // the stream sets in
        EXPECT_NEAR(row[n][4], 0.0, 1e-6);
    }
}

TEST(records_are_not_numbered)
{
    EXPECT(
        is_good("run STAGE cylinder --size 30 --steps 20 --every 10 --csv a.csv --forces f.csv --sample 5"));
    EXPECT(lines_of("f.csv") == 5 && lines_of("a_00000010.csv") > 1 && count_files() == 3);
}

TEST(bodies_come_from_option_files)
{
    write_file("scene", "--size 40x30\n--circle 10,15,3\n--box 20,8,4,5   # a box\n--probe 5,5\n--probes p\n"
                        "--forces f\n--sample 5\n--tau 0.8\n--steps 10\n");
    EXPECT(is_good("run STAGE bodies @scene --circle 30,20,2"));
    EXPECT(lines_of("f") == 3 && lines_of("p") == 3);
}

TEST(there_is_a_limit_to_bodies_and_probes)
{
    FILE *file = fopen("many", "w");
    for (int n = 0; n < 64; n++)
        fprintf(file, "--box %d,3,1,1\n--probe %d,1\n", 2 * n + 2, n);
    fprintf(file, "--size 140x8\n--tau 0.8\n--steps 2\n--probes p\n");
    fclose(file);
    EXPECT(is_good("run STAGE bodies @many"));
    Outcome o = lbm("run STAGE bodies @many --circle 9,6,1");
    EXPECT(o.code == EXIT_USAGE && is_one_line(o.err) && strstr(o.err, "up to 64"));
    o = lbm("run STAGE bodies @many --probe 9,6");
    EXPECT(o.code == EXIT_USAGE && is_one_line(o.err) && strstr(o.err, "up to 64"));
}

TEST(signals_write_the_record_so_far)
{
    Call call;
    parse_call(&call, "run STAGE cylinder --size 60x40 --steps 999999999 --forces f.csv --sample 10");
    const Running running = start(&call);
    sleep_ms(700);
    kill(running.pid, SIGINT);
    const Outcome o = finish(running);
    EXPECT(o.code == 128 + SIGINT && strstr(o.err, "f.csv"));
    EXPECT(lines_of("f.csv") > 2);
}

TEST(a_picture_of_ours_can_be_a_mask)
{
    if (!can_write_png())
        SKIP("built without libpng");
    EXPECT(is_good("run STAGE cylinder --size 24x20 --steps 0 --field uy --pixels flow.png --quiet"));
    write_file("options", "--mask flow.png\n--steps 1\n--tau 0.8\n");
    const Outcome o = lbm("run STAGE bodies @options");
    EXPECT(o.code == 0 && strstr(o.out, "24 x 20"));
    EXPECT(lbm("run STAGE bodies @options --size 25x20").code == EXIT_USAGE);
}

/** Steps between two rows of forces, when the user names no interval; NaN if they are not equally far apart.
 */
static double interval_of(const char *line)
{
    empty_folder();
    EXPECT(is_good("%s", line));
    char text[4096] = "";
    FILE *file = fopen("f.csv", "r");
    if (file) {
        read_stream(file, text, sizeof text);
        fclose(file);
    }
    const char *row = strchr(text, '\n');
    const double interval = row ? atof(row + 1) : NAN;
    for (int n = 1; row && row[1]; row = strchr(row + 1, '\n'), n++)
        if (!(atof(row + 1) == n * interval))
            return NAN;
    empty_folder();
    return interval;
}

TEST(forty_samples_are_taken_while_the_stream_passes_a_body)
{
    const char *const slow = "run STAGE bodies --size 90x60 --circle 45,30,20.5 --tau 0.8 --steps 50 --quiet "
                             "--forces f.csv --u ";
    char line[256];
    snprintf(line, sizeof line, "%s%s", slow, "0.05");
    EXPECT_NEAR(interval_of(line), 20.0, 0.0); // 41 / (40 * 0.05) is 20.5
    snprintf(line, sizeof line, "%s%s", slow, "0.1");
    EXPECT_NEAR(interval_of(line), 10.0, 0.0);
    EXPECT_NEAR(
        interval_of("run STAGE bodies --size 40x30 --circle 20,15,2 --tau 0.8 --u 0.15 --steps 9 --quiet "
                    "--forces f.csv"),
        1.0, 0.0); // there is no half step
}
