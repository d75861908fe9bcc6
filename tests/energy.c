#include "check.h"
#include "csv_text.h"

#include <signal.h>
#include <sys/stat.h>

static const char *const added =
    ",counted_w,sampled_w,counted_nj,sampled_nj,clock_min_mhz,clock_median_mhz,throttle";

/** Libraries of the system, such as CUDA's, are still found. */
static void look_for_nvml_in(const char *folder)
{
    static const char *others;
    char path[4096];
    if (!others)
        others = getenv("LD_LIBRARY_PATH") ? strdup(getenv("LD_LIBRARY_PATH")) : "";
    snprintf(path, sizeof path, "%s:%s", folder, others);
    setenv("LD_LIBRARY_PATH", path, 1);
}

/** Measures the first stage, which runs on the CPU, and the second, which runs on the GPU. */
static Outcome bench(const char *options)
{
    setenv("LBM_COPY_MIB", "8", 0);
    return lbm("bench STAGE %s --sizes 16 --repeat 3 --csv a.csv %s", stages[1]->name, options);
}

/** The same with the sensor of the GPU as it is in this mode. */
static Outcome bench_as(const char *mode)
{
    look_for_nvml_in(FAKE_NVML);
    setenv("FAKE_NVML", mode, 1);
    setenv("LBM_POWERCAP", "/nowhere", 1);
    const int counts = strcmp(mode, "works") == 0 || strcmp(mode, "unsteady") == 0 ||
                       strcmp(mode, "falls") == 0; // for 1.2 s in all
    setenv("LBM_REPEAT_MS", counts ? "400" : strncmp(mode, "no_d", 4) == 0 ? "20" : "100", 1);
    return bench("--energy");
}

/** Whether the row ends with the seven empty cells of --energy. */
static int has_no_energy(const char *row)
{
    return strlen(row) > 7 && strcmp(row + strlen(row) - 7, ",,,,,,,") == 0;
}

/** Energy is power times the time of an update, which lies between those of the fastest repeat and of the
 * slowest. */
static void expect_energy(const char *csv, const char *column, double watts, int n)
{
    const double nj = value(csv, column, n);
    EXPECT(nj >= 0.999e3 * watts / value(csv, "mlups_max", n));
    EXPECT(nj <= 1.001e3 * watts / value(csv, "mlups_min", n));
}

TEST(nothing_changes_without_energy)
{
    look_for_nvml_in(FAKE_NVML);
    setenv("LBM_REPEAT_MS", "20", 1);
    const Outcome o = bench("");
    EXPECT(o.code == 0 && !*o.err && !strstr(o.out, "energy") && !strstr(o.out, "throttle"));
    const char *csv = contents("a.csv");
    EXPECT(!strstr(csv, "energy") && occurrences(row(csv, 0), ",") == 15 &&
           occurrences(row(csv, 2), ",") == 15);
}

TEST(energy_is_power_times_time)
{
    const Outcome o = bench_as("works");
    EXPECT(o.code == 0 && !*o.err && strstr(o.out, "throttle"));
    const char *csv = contents("a.csv");
    EXPECT(strstr(
        csv, "# energy: device: NVML, a sample every 20 ms; power limit 700 W; SM clock at most 1980 MHz; "
             "500 W before the first case\n"));
    EXPECT(strstr(row(csv, 0), added) && has_no_energy(row(csv, 1)));
    const double counted = value(csv, "counted_w", 2), sampled = value(csv, "sampled_w", 2);
    EXPECT_NEAR(counted, 520.0, 0.05 * 520.0); // the first reading is from before the warm-up
    EXPECT_NEAR(sampled, 500.0, 1e-6);
    expect_energy(csv, "counted_nj", counted, 2);
    expect_energy(csv, "sampled_nj", sampled, 2);
    EXPECT(value(csv, "clock_min_mhz", 2) == 1500.0 && value(csv, "clock_median_mhz", 2) == 1800.0);
    EXPECT(strstr(row(csv, 2), ",power_cap+sw_thermal"));
    EXPECT(strstr(o.out, "  power_cap+sw_thermal\n"));
}

TEST(an_idle_device_is_not_throttled)
{
    EXPECT(bench_as("cool").code == 0);
    const char *last = row(contents("a.csv"), 2);
    EXPECT(strlen(last) > 5 && strcmp(last + strlen(last) - 5, ",none") == 0);
}

/** A sample that fails is left out. */
TEST(errors_of_single_samples_do_no_harm)
{
    EXPECT(bench_as("unsteady").code == 0);
    const char *csv = contents("a.csv");
    EXPECT_NEAR(value(csv, "counted_w", 2), 520.0, 0.2 * 520.0);
    EXPECT_NEAR(value(csv, "sampled_w", 2), 500.0, 1e-6);
    EXPECT(value(csv, "clock_min_mhz", 2) == 1500.0);
}

TEST(what_a_sensor_does_not_support_is_a_dash)
{
    const Outcome o = bench_as("no_counter");
    EXPECT(o.code == 0 && !*o.err);
    const char *csv = contents("a.csv");
    EXPECT(strstr(csv,
                  "; no power limit (Not Supported); SM clock at most 1980 MHz; 500 W before the first case; "
                  "no energy counter (Not Supported); no reason of a lower clock (Not Supported)\n"));
    EXPECT(isnan(value(csv, "counted_w", 2)) && isnan(value(csv, "counted_nj", 2)));
    EXPECT(value(csv, "sampled_w", 2) == 500.0 && value(csv, "sampled_nj", 2) > 0.0);
    EXPECT(value(csv, "clock_median_mhz", 2) == 1800.0 && strstr(o.out, " 1800  -\n"));

    EXPECT(bench_as("blind").code == 0);
    EXPECT(has_no_energy(row(contents("a.csv"), 2)) && value(contents("a.csv"), "mlups_mean", 2) > 0.0);
}

/** Whether all that the device told of the GPU's row is a dash, and one line says why. */
static void expect_doubts(const char *mode, const char *head, const char *doubts)
{
    const Outcome o = bench_as(mode);
    const char *csv = contents("a.csv");
    char line[512];
    snprintf(line, sizeof line, "energy    %s at 16: dashes, since the sensor can't be right: %s",
             stages[1]->name, doubts);
    EXPECT(o.code == 0 && !*o.err && occurrences(o.out, line) == 1 && strstr(csv, head));
    EXPECT(occurrences(csv, " at 16: dashes") == 1 && has_no_energy(row(csv, 2)));
    EXPECT(value(csv, "mlups_mean", 2) > 0.0 && strstr(o.out, " -        -  -\n"));
}

TEST(what_can_t_be_true_is_a_dash)
{
    expect_doubts(
        "zero", "; no power limit (0 can't be one); no highest SM clock (0 can't be one); no power (0",
        "power of 0 W, not above 0 and up to 10000; SM clock of 0 MHz, not 1 to 8191; reasons 0x200 "
        "of a lower clock, not among 0x1ff\n");
    expect_doubts(
        "ones",
        "; no power limit (4.29497e+06 can't be one); no highest SM clock (4.29497e+09 can't be one); "
        "no power (4.29497e+06",
        "power of 4.29497e+06 W, not above 0 and up to 10000; SM clock of 4.29497e+09 MHz, not 1 to 8191; "
        "reasons 0xffffffffffffffff of a lower clock, not among 0x1ff; energy counter of ");
}

/** The sensor is right: it tells its energy in steps. */
TEST(a_measurement_too_short_for_the_counter_is_a_dash)
{
    setenv("FAKE_NVML", "works", 1);
    look_for_nvml_in(FAKE_NVML);
    setenv("LBM_REPEAT_MS", "20", 1);
    const Outcome o = bench("--energy");
    const char *csv = contents("a.csv");
    EXPECT(o.code == 0 && !*o.err && !strstr(o.out, "can't be right"));
    EXPECT(
        strstr(csv, " at 16: no energy counted: in so short a time the counter changed less than twice\n"));
    EXPECT(isnan(value(csv, "counted_w", 2)) && value(csv, "sampled_w", 2) == 500.0);
}

/** What else such a device tells is true. */
TEST(a_counter_that_falls_is_a_dash)
{
    const Outcome o = bench_as("falls");
    const char *csv = contents("a.csv");
    EXPECT(o.code == 0 && !*o.err &&
           strstr(o.out, "the sensor can't be right: energy counter that fell by "));
    EXPECT(isnan(value(csv, "counted_w", 2)) && isnan(value(csv, "counted_nj", 2)));
    EXPECT(value(csv, "sampled_w", 2) == 500.0 && value(csv, "clock_median_mhz", 2) == 1800.0);
    EXPECT(strstr(row(csv, 2), ",power_cap+sw_thermal"));
}

#define NO_SENSOR "no sensor can be read, so power and clock are dashes and only speeds are measured: "

/** One line above the table says why all are dashes. */
static void expect_dashes(const Outcome *o, const char *reason)
{
    const char *csv = contents("a.csv");
    EXPECT(o->code == 0 && !*o->err && occurrences(csv, "\n# energy: device: " NO_SENSOR) == 1);
    EXPECT(occurrences(o->out, "\nenergy    device: " NO_SENSOR) == 1);
    EXPECT(strstr(csv, reason) && has_no_energy(row(csv, 2)) && value(csv, "mlups_mean", 2) > 0.0);
    EXPECT(strstr(o->out, " -        -  -\n"));
}

TEST(without_nvml_there_are_dashes)
{
    Outcome o = bench_as("no_driver");
    expect_dashes(&o, "\"Driver Not Loaded\"");
    o = bench_as("no_device");
    expect_dashes(&o, "\"Not Found\"");
    look_for_nvml_in(FAKE_NVML "/old");
    setenv("LBM_REPEAT_MS", "20", 1);
    o = bench("--energy");
    expect_dashes(&o, "libnvidia-ml.so.1 has no nvmlDeviceGetCurrentClocksThrottleReasons");
    look_for_nvml_in(".");
    write_file("libnvidia-ml.so.1", "no library\n");
    o = bench("--energy");
    expect_dashes(&o, "libnvidia-ml.so.1");
}

/* ---- The counters of the kernel ---- */

static const struct {
    const char *zone, *name;
    double watts, range;
} zones[] = {
    {"intel-rapl:0",      "package-0", 60.0,   20.0},
    {"intel-rapl:0:0",    "core",      1000.0, 20.0},
    {"intel-rapl:1",      "package-1", 40.0,   1e6 },
    {"intel-rapl:1:0",    "dram",      5.0,    1e6 },
    {"intel-rapl:2",      "psys",      1000.0, 1e6 },
    {"intel-rapl-mmio:0", "package-0", 1000.0, 1e6 },
};

enum { ZONES = sizeof zones / sizeof *zones };

static void write_in_zone(const char *top, int n, const char *name, const char *text)
{
    char path[256], fresh[256];
    snprintf(path, sizeof path, "%s/%s/%s", top, zones[n].zone, name);
    snprintf(fresh, sizeof fresh, "%s/new", top);
    write_file(fresh, text);
    rename(fresh, path);
}

static void write_joules(const char *top, int n, double seconds)
{
    char text[64];
    snprintf(text, sizeof text, "%.0f\n", 1e6 * fmod(zones[n].watts * seconds, zones[n].range));
    write_in_zone(top, n, "energy_uj", text);
}

/** A folder as that of the kernel. */
static const char *make_powercap(void)
{
    static char top[] = "/tmp/powercap_XXXXXX";
    if (!mkdtemp(top))
        exit(1);
    for (int n = 0; n < ZONES; n++) {
        char text[256];
        snprintf(text, sizeof text, "%s/%s", top, zones[n].zone);
        mkdir(text, 0700);
        snprintf(text, sizeof text, "%s\n", zones[n].name);
        write_in_zone(top, n, "name", text);
        snprintf(text, sizeof text, "%.0f\n", 1e6 * zones[n].range);
        write_in_zone(top, n, "max_energy_range_uj", text);
        write_joules(top, n, 0.0);
    }
    return top;
}

static void remove_powercap(const char *top)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", top);
    EXPECT(system(command) == 0);
}

/** Lets the counters grow, in a process of its own. */
static pid_t run_counters(const char *top)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    for (;;) {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        for (int n = 0; n < ZONES; n++)
            write_joules(top, n, (double)(time.tv_sec % 100000) + 1e-9 * (double)time.tv_nsec);
        sleep_ms(5);
    }
}

TEST(packages_and_their_memory_are_added_up)
{
    const char *top = make_powercap();
    const pid_t child = run_counters(top);
    sleep_ms(100);
    look_for_nvml_in(FAKE_NVML);
    setenv("LBM_POWERCAP", top, 1);
    setenv("LBM_REPEAT_MS", "400", 1); // in 1.2 s the first counter begins again three times
    const Outcome o = bench("--energy");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    EXPECT(o.code == 0 && !*o.err);
    const char *csv = contents("a.csv");
    EXPECT(strstr(csv, "# energy: host: RAPL counters of package-0, package-1, dram\n"));
    EXPECT_NEAR(value(csv, "counted_w", 1), 105.0, 0.1 * 105.0);
    expect_energy(csv, "counted_nj", value(csv, "counted_w", 1), 1);
    EXPECT(isnan(value(csv, "sampled_w", 1)) && isnan(value(csv, "clock_min_mhz", 1)));
    remove_powercap(top);
}

TEST(counters_that_can_t_be_read_are_dashes)
{
    const char *top = make_powercap();
    char path[256];
    snprintf(path, sizeof path, "%s/intel-rapl:1/energy_uj", top);
    remove(path);
    look_for_nvml_in(FAKE_NVML);
    setenv("LBM_POWERCAP", top, 1);
    setenv("LBM_REPEAT_MS", "20", 1);
    const Outcome o = bench("--energy");
    EXPECT(o.code == 0 && !*o.err && has_no_energy(row(contents("a.csv"), 1)));
    char line[512];
    snprintf(line, sizeof line,
             "\nenergy    host: " NO_SENSOR "the counters in %s/intel-rapl:1: No such file", top);
    EXPECT(strstr(o.out, line));
    remove_powercap(top);

    setenv("LBM_POWERCAP", "/nowhere", 1);
    EXPECT(strstr(bench("--energy").out, "host: " NO_SENSOR "/nowhere has no counter of a package\n"));
    EXPECT(has_no_energy(row(contents("a.csv"), 1)));
}

/* ---- Refused ---- */

TEST(energy_of_single_steps_is_refused)
{
    const Outcome o = bench("--energy --phases");
    EXPECT(o.code == 2 && is_one_line(o.err) && !*o.out && strstr(o.err, "one of the two") &&
           count_files() == 0);
}
