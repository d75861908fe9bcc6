#include "speed/power.h"

#include "gpu/device.h"
#include "host/clock.h"
#include "host/fail.h"
#include "ranks/ranks.h"

#include <dlfcn.h>
#include <errno.h>
#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT_SIZE = 1024, MOST_ZONES = 64 };
enum { PERIOD_MS = 20 };     // from one sample to the next
enum { MOST_WATTS = 10000 }; // of a GPU, or of all packages of a host

/** A value of a sensor; NaN: it does not tell. */
typedef double Reader(void);

struct PowerSensor {
    char text[TEXT_SIZE];
    char device[96]; // its UUID
    Reader *joules, *watts, *clock;
    int (*throttle)(unsigned long long *bits); // of NVML's names below; 0 if they are known
};

static double unknown(void)
{
    return NAN;
}

static int unknown_bits(unsigned long long *bits)
{
    return (void)bits, -1;
}

static int is_power(double watts)
{
    return watts > 0.0 && watts <= MOST_WATTS;
}

static int is_clock(double mhz)
{
    return mhz >= 1.0 && mhz < MOST_MHZ;
}

/** Adds to the text of a sensor (printf-like). */
__attribute__((format(printf, 2, 3))) static void say(PowerSensor *s, const char *format, ...)
{
    const size_t used = strlen(s->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->text + used, sizeof s->text - used, format, arguments);
    va_end(arguments);
}

/** Adds to what can't be true (printf-like). */
__attribute__((format(printf, 2, 3))) static void doubt(Readings *r, const char *format, ...)
{
    char text[DOUBTS_SIZE];
    const size_t used = strlen(r->doubts);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(r->doubts + used, sizeof r->doubts - used, "%s%s", used ? "; " : "", text);
}

static void clear(PowerSensor *s, const char *name)
{
    *s = (PowerSensor){"", "", unknown, unknown, unknown, unknown_bits};
    say(s, "%s: ", name);
}

#define NO_SENSOR "no sensor can be read, so power and clock are dashes and only speeds are measured: "

/* ---- NVML, by its prototypes: a number that is not 0 is an error ---- */

enum { SM_CLOCK = 1 };

static struct {
    void *device;
    int error; // of the last call
    int (*init)(void);
    const char *(*error_string)(int error);
    int (*find)(const char *bus, void **device);
    int (*uuid)(void *device, char *text, unsigned size);
    int (*energy)(void *device, unsigned long long *millijoules);
    int (*power)(void *device, unsigned *milliwatts);
    int (*power_limit)(void *device, unsigned *milliwatts);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*most_clock)(void *device, int type, unsigned *mhz);
    int (*throttle)(void *device, unsigned long long *reasons);
} nvml;

static const struct {
    void *function;
    const char *name;
} symbols[] = {
    {&nvml.init,         "nvmlInit_v2"                              },
    {&nvml.error_string, "nvmlErrorString"                          },
    {&nvml.find,         "nvmlDeviceGetHandleByPciBusId_v2"         },
    {&nvml.uuid,         "nvmlDeviceGetUUID"                        },
    {&nvml.energy,       "nvmlDeviceGetTotalEnergyConsumption"      },
    {&nvml.power,        "nvmlDeviceGetPowerUsage"                  },
    {&nvml.power_limit,  "nvmlDeviceGetEnforcedPowerLimit"          },
    {&nvml.clock,        "nvmlDeviceGetClockInfo"                   },
    {&nvml.most_clock,   "nvmlDeviceGetMaxClockInfo"                },
    {&nvml.throttle,     "nvmlDeviceGetCurrentClocksThrottleReasons"},
};

/** What holds a clock down, by bits; the first, an idle GPU, does not count. */
static const char *const reasons[] = {NULL,          "application_clocks", "power_cap",
                                      "hw_slowdown", "sync_boost",         "sw_thermal",
                                      "hw_thermal",  "power_brake",        "display_clock"};

static double nvml_joules(void)
{
    unsigned long long millijoules;
    nvml.error = nvml.energy(nvml.device, &millijoules);
    return nvml.error ? NAN : 1e-3 * (double)millijoules;
}

static double nvml_watts(void)
{
    unsigned milliwatts;
    nvml.error = nvml.power(nvml.device, &milliwatts);
    return nvml.error ? NAN : 1e-3 * milliwatts;
}

static double nvml_limit(void)
{
    unsigned milliwatts;
    nvml.error = nvml.power_limit(nvml.device, &milliwatts);
    return nvml.error ? NAN : 1e-3 * milliwatts;
}

static double nvml_clock(void)
{
    unsigned mhz;
    nvml.error = nvml.clock(nvml.device, SM_CLOCK, &mhz);
    return nvml.error ? NAN : mhz;
}

static double nvml_most_clock(void)
{
    unsigned mhz;
    nvml.error = nvml.most_clock(nvml.device, SM_CLOCK, &mhz);
    return nvml.error ? NAN : mhz;
}

static int nvml_throttle(unsigned long long *bits)
{
    return nvml.error = nvml.throttle(nvml.device, bits);
}

/** Loads the library and finds the device; if that fails, says why in the sensor's text. */
static int load_nvml(PowerSensor *s)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library)
        return say(s, NO_SENSOR "%s", dlerror()), 0;
    for (size_t n = 0; n < sizeof symbols / sizeof *symbols; n++) {
        const void *function = dlsym(library, symbols[n].name);
        if (!function)
            return say(s, NO_SENSOR "libnvidia-ml.so.1 has no %s: it is too old", symbols[n].name), 0;
        memcpy(symbols[n].function, &function, sizeof function);
    }
    const Device device = find_device(local_rank());
    nvml.error = nvml.init();
    if (!nvml.error)
        nvml.error = nvml.find(device.bus, &nvml.device);
    if (!nvml.error)
        nvml.error = nvml.uuid(nvml.device, s->device, sizeof s->device);
    if (nvml.error)
        say(s, NO_SENSOR "NVML says \"%s\" of the device at \"%s\"", nvml.error_string(nvml.error),
            device.bus);
    return !nvml.error;
}

/** Says what a reader tells, or that it tells nothing, or what can't be true. */
static void say_reading(PowerSensor *s, Reader *reader, int is_true(double), const char *format,
                        const char *what)
{
    const double value = reader();
    if (isnan(value))
        say(s, "; no %s (%s)", what, nvml.error_string(nvml.error));
    else if (format && is_true(value))
        say(s, format, value);
    else if (format)
        say(s, "; no %s (%g can't be one)", what, value);
}

const PowerSensor *device_power_sensor(void)
{
    static PowerSensor s;
    clear(&s, "device");
    if (!load_nvml(&s))
        return &s;
    s.joules = nvml_joules;
    s.watts = nvml_watts;
    s.clock = nvml_clock;
    s.throttle = nvml_throttle;
    say(&s, "NVML, a sample every %d ms", PERIOD_MS);
    say_reading(&s, nvml_limit, is_power, "; power limit %.0f W", "power limit");
    say_reading(&s, nvml_most_clock, is_clock, "; SM clock at most %.0f MHz", "highest SM clock");
    say_reading(&s, s.watts, is_power, "; %.0f W before the first case", "power");
    say_reading(&s, s.joules, NULL, NULL, "energy counter");
    say_reading(&s, s.clock, NULL, NULL, "SM clock");
    unsigned long long bits;
    if (s.throttle(&bits) != 0)
        say(&s, "; no reason of a lower clock (%s)", nvml.error_string(nvml.error));
    return &s;
}

/* ---- RAPL: a counter for each package and each package's memory ---- */

typedef struct {
    char path[256];
    double last, range; // microjoules; at `range` it begins again at 0
} Zone;

static struct {
    Zone zone[MOST_ZONES];
    int count;
    double joules; // of all zones since they were found
} rapl;

/** Reads a number from a file of a zone; NaN, with errno, if that fails. */
static double read_zone(const char *folder, const char *name)
{
    char path[512];
    double value = NAN;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file)
        return NAN;
    if (fscanf(file, "%lf", &value) != 1 && !errno)
        errno = EINVAL;
    fclose(file);
    return value;
}

static double rapl_joules(void)
{
    for (int n = 0; n < rapl.count; n++) {
        Zone *z = &rapl.zone[n];
        const double value = read_zone(z->path, "energy_uj");
        if (isnan(value))
            return NAN;
        rapl.joules += 1e-6 * (value - z->last + (value < z->last ? z->range : 0.0));
        z->last = value;
    }
    return rapl.joules;
}

/** Whether a zone is a package or its memory; others are parts of these, or the whole machine. */
static int is_counted(const char *folder, char *name, int size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/name", folder);
    FILE *file = fopen(path, "r");
    const int found = file && fgets(name, size, file);
    if (file)
        fclose(file);
    if (!found)
        return 0;
    name[strcspn(name, "\n")] = '\0';
    return strncmp(name, "package", strlen("package")) == 0 || strcmp(name, "dram") == 0;
}

/** Takes a zone along; says why not, if that fails. */
static int add_zone(PowerSensor *s, const char *folder, const char *name)
{
    Zone z = {.last = NAN};
    snprintf(z.path, sizeof z.path, "%s", folder);
    errno = 0;
    z.last = read_zone(folder, "energy_uj");
    if (!isnan(z.last))
        z.range = read_zone(folder, "max_energy_range_uj");
    if (isnan(z.last) || isnan(z.range)) {
        const int error = errno;
        clear(s, "host");
        say(s, NO_SENSOR "the counters in %s: %s%s", folder, strerror(error),
            error == EACCES ? " (root may read them)" : "");
        return 0;
    }
    say(s, "%s%s", rapl.count ? ", " : "RAPL counters of ", name);
    rapl.zone[rapl.count++] = z;
    return 1;
}

/** LBM_POWERCAP is for tests. */
const PowerSensor *host_power_sensor(void)
{
    static PowerSensor s;
    const char *top = getenv("LBM_POWERCAP");
    char pattern[256], name[64];
    glob_t found;
    clear(&s, "host");
    memset(&rapl, 0, sizeof rapl);
    top = top ? top : "/sys/class/powercap";
    snprintf(pattern, sizeof pattern, "%s/intel-rapl:*", top); // so they are called on AMD's processors, too
    int fine = 1;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t n = 0; n < found.gl_pathc && rapl.count < MOST_ZONES && fine; n++)
            if (is_counted(found.gl_pathv[n], name, sizeof name))
                fine = add_zone(&s, found.gl_pathv[n], name);
        globfree(&found);
    }
    if (fine && rapl.count == 0)
        say(&s, NO_SENSOR "%s has no counter of a package", top);
    if (fine && rapl.count > 0)
        s.joules = rapl_joules;
    return &s;
}

/* ---- Sensors ---- */

const PowerSensor *power_sensor(int on_gpu)
{
    if (on_gpu)
        return gpu_is_emulated ? NULL : device_power_sensor();
    return host_power_sensor();
}

const char *sensor_text(const PowerSensor *sensor)
{
    return sensor ? sensor->text : "device: " NO_SENSOR "the emulator has none";
}

const char *sensor_device(const PowerSensor *sensor)
{
    return sensor ? sensor->device : "";
}

/* ---- Samples ---- */

#define NO_POWER "%g W, not above 0 and up to %d"

static const unsigned long long known_reasons = (1ull << sizeof reasons / sizeof *reasons) - 1;

/** A counter is seen to change: NVML's does so in steps, longer than from sample to sample. */
typedef struct {
    double time, joules;
} Change;

static struct {
    const PowerSensor *sensor;
    pthread_t thread;
    atomic_int end;
    double joules; // as read last
    Change first, last;
    int fell, odd_clock; // whether they did, or were, in any sample
    double watts;        // NaN once one can't be true
    int watts_count;
    Readings readings;
} series;

static void note_joules(double joules)
{
    const double time = now();
    if (isnan(joules) || joules == series.joules)
        return;
    if (joules < series.joules && !series.fell++)
        doubt(&series.readings, "energy counter that fell by %g J", series.joules - joules);
    if (!isnan(series.joules)) {
        series.last = (Change){time, joules};
        if (isnan(series.first.time))
            series.first = series.last;
    }
    series.joules = joules;
}

static void note_watts(double watts)
{
    if (isnan(watts))
        return;
    if (!is_power(watts) && !isnan(series.watts))
        doubt(&series.readings, "power of " NO_POWER, watts, MOST_WATTS);
    series.watts += is_power(watts) ? watts : NAN;
    series.watts_count++;
}

static void note_clock(double mhz)
{
    if (is_clock(mhz)) {
        series.readings.clock[(int)mhz]++;
        series.readings.clock_count++;
    } else if (!isnan(mhz) && !series.odd_clock++)
        doubt(&series.readings, "SM clock of %g MHz, not 1 to %d", mhz, MOST_MHZ - 1);
}

static void note_throttle(unsigned long long bits)
{
    Readings *r = &series.readings;
    if (bits & ~known_reasons && !(r->throttle & ~known_reasons))
        doubt(r, "reasons %#llx of a lower clock, not among %#llx", bits, known_reasons);
    r->throttle |= bits;
    r->throttle_count++;
}

static void take_sample(void)
{
    unsigned long long bits;
    note_joules(series.sensor->joules());
    note_watts(series.sensor->watts());
    note_clock(series.sensor->clock());
    if (series.sensor->throttle(&bits) == 0)
        note_throttle(bits);
}

static void *sample_until_end(void *unused)
{
    const struct timespec period = {.tv_nsec = PERIOD_MS * 1000000l};
    while (!series.end) {
        take_sample();
        nanosleep(&period, NULL);
    }
    return unused;
}

void begin_sampling(const PowerSensor *sensor)
{
    memset(&series, 0, sizeof series);
    series.sensor = sensor;
    series.joules = series.first.time = NAN;
    if (!sensor)
        return;
    const int error = pthread_create(&series.thread, NULL, sample_until_end, NULL);
    if (error)
        fail(EXIT_MACHINE, "can't start the thread that samples the power: %s", strerror(error));
}

Readings end_readings(void)
{
    Readings *r = &series.readings;
    if (series.sensor) {
        series.end = 1;
        pthread_join(series.thread, NULL);
    }
    const double counted =
        (series.last.joules - series.first.joules) / (series.last.time - series.first.time);
    r->counted = !series.fell && is_power(counted) ? counted : NAN;
    r->too_short = !isnan(series.joules) && isnan(counted);
    if (!series.fell && !isnan(counted) && !is_power(counted))
        doubt(r, "energy counter of " NO_POWER, counted, MOST_WATTS);
    r->sampled = series.watts / series.watts_count; // 0 / 0, as above: NaN
    if (series.odd_clock)
        r->clock_count = 0;
    return *r;
}

/** A count of both, 0 if one of them is. */
static int sum_of_known(int a, int b)
{
    return a > 0 && b > 0 ? a + b : 0;
}

void add_readings(Readings *sum, const Readings *other)
{
    sum->counted += other->counted;
    sum->sampled += other->sampled;
    sum->clock_count = sum_of_known(sum->clock_count, other->clock_count);
    sum->throttle_count = sum_of_known(sum->throttle_count, other->throttle_count);
    sum->throttle |= other->throttle;
    sum->too_short |= other->too_short;
    if (*other->doubts)
        doubt(sum, "%s", other->doubts);
    for (int mhz = 0; mhz < MOST_MHZ; mhz++)
        sum->clock[mhz] += other->clock[mhz];
}

/** The clock below or at which so many of the samples lie. */
static double clock_of(const Readings *r, int samples)
{
    int mhz = 0;
    for (int below = r->clock[0]; below < samples; below += r->clock[mhz])
        mhz++;
    return mhz;
}

static void name_throttle(const Readings *r, char *text, size_t size)
{
    if (r->throttle_count == 0 || r->throttle & ~known_reasons)
        return;
    for (size_t n = 0; n < sizeof reasons / sizeof *reasons; n++)
        if (reasons[n] && r->throttle >> n & 1) {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", used ? "+" : "", reasons[n]);
        }
    if (!*text)
        snprintf(text, size, "none");
}

Power power_of(const Readings *r)
{
    Power p = {r->counted, r->sampled, NAN, NAN, "", "", r->too_short};
    memcpy(p.doubts, r->doubts, sizeof p.doubts);
    if (r->clock_count > 0) {
        p.least_clock = clock_of(r, 1);
        p.median_clock = clock_of(r, (r->clock_count + 1) / 2);
    }
    name_throttle(r, p.throttle, sizeof p.throttle);
    return p;
}

Power end_sampling(void)
{
    const Readings r = end_readings();
    return power_of(&r);
}
