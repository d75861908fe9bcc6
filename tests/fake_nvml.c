/** What the driver's libnvidia-ml.so.1 answers, made up. FAKE_NVML says how the device is. Each rank has one
 * of its own, with more watts and fewer MHz than the one before. "zero": it answers 0 to all, and a reason
 * that is new; "ones": it sets all bits, and its counter runs away; "falls": its counter loses 100 J for a
 * while. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NOT_SUPPORTED = 3, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9, GPU_IS_LOST = 15 };

enum { STEP = 6 }; // calls from one step of the counter of energy to the next

static const double true_watts = 520.0;
static int device;

static unsigned rank(void)
{
    const char *text = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    return text ? (unsigned)atoi(text) : 0;
}

static int is(const char *mode)
{
    const char *text = getenv("FAKE_NVML");
    return text && strcmp(text, mode) == 0;
}

/** A reading as the mode distorts it. */
static unsigned distort(unsigned value)
{
    return is("zero") ? 0 : is("ones") ? ~0u : value;
}

/** What a call returns that reads a sensor. */
static int answer(int may_lack)
{
    static int calls;
    if (is("blind") || (is("no_counter") && may_lack))
        return NOT_SUPPORTED;
    return is("unsteady") && calls++ % 3 == 0 ? GPU_IS_LOST : 0;
}

int nvmlInit_v2(void)
{
    return is("no_driver") ? DRIVER_NOT_LOADED : 0;
}

const char *nvmlErrorString(int error)
{
    return error == NOT_SUPPORTED       ? "Not Supported"
           : error == NOT_FOUND         ? "Not Found"
           : error == DRIVER_NOT_LOADED ? "Driver Not Loaded"
                                        : "GPU is lost";
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **handle)
{
    *handle = &device;
    return !bus || is("no_device") ? NOT_FOUND : 0;
}

int nvmlDeviceGetUUID(void *handle, char *text, unsigned size)
{
    snprintf(text, size, "GPU-%u", is("shared") ? 0 : rank());
    return handle != &device ? NOT_FOUND : 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *handle, unsigned long long *millijoules)
{
    static struct timespec time;
    static int calls;
    if (calls++ % STEP == 0)
        clock_gettime(CLOCK_MONOTONIC, &time);
    const double seconds = (double)(time.tv_sec % 100000) + 1e-9 * (double)time.tv_nsec;
    const double watts = is("zero") ? 0.0 : is("ones") ? 1e6 * true_watts : true_watts;
    const double lost = is("falls") && (calls - 1) / STEP == 3 ? 100.0 : 0.0;
    *millijoules = (unsigned long long)(1e3 * (watts * (1 + rank()) * seconds - lost));
    return handle != &device ? NOT_FOUND : answer(1);
}

int nvmlDeviceGetPowerUsage(void *handle, unsigned *milliwatts)
{
    *milliwatts = distort(500000 * (1 + rank()));
    return handle != &device ? NOT_FOUND : answer(0);
}

int nvmlDeviceGetEnforcedPowerLimit(void *handle, unsigned *milliwatts)
{
    *milliwatts = distort(700000);
    return handle != &device ? NOT_FOUND : answer(1);
}

/** The second type is the clock of the multiprocessors. */
int nvmlDeviceGetClockInfo(void *handle, int type, unsigned *mhz)
{
    static const unsigned clocks[] = {1980, 1500, 1800, 1810, 1790, 1800, 1800};
    static unsigned calls;
    *mhz = distort(type == 1 ? clocks[calls++ % 7] - 100 * rank() : 345);
    return handle != &device ? NOT_FOUND : answer(0);
}

int nvmlDeviceGetMaxClockInfo(void *handle, int type, unsigned *mhz)
{
    *mhz = distort(type == 1 ? 1980 : 345);
    return handle != &device ? NOT_FOUND : answer(0);
}

#ifndef OLD_LIBRARY
/** An idle device, the limit of power, heat by turns. */
int nvmlDeviceGetCurrentClocksThrottleReasons(void *handle, unsigned long long *reasons)
{
    static const unsigned long long bits[] = {0x1, 0x4, 0x0, 0x20};
    static unsigned calls;
    *reasons = is("cool") ? 0x1 : is("zero") ? 0x200 : is("ones") ? ~0ull : bits[calls++ % 4];
    return handle != &device ? NOT_FOUND : answer(1);
}
#endif
