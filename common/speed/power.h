/**
 * @file power.h
 * The power that a machine draws while a stage runs, and its clock. For an NVIDIA GPU they come from NVML, the
 * management library of its driver; for a CPU from the energy counters of the kernel (powercap, RAPL). What
 * can't be read, or can't be true, is NaN.
 */
#pragma once

enum { MOST_MHZ = 8192, DOUBTS_SIZE = 512 };

/** What was drawn over some time; NaN: not known. */
typedef struct {
    double counted;                   /**< watts: by how much the counter of energy grew, over time */
    double sampled;                   /**< watts: mean of the samples of power */
    double least_clock, median_clock; /**< MHz of the GPU's multiprocessors */
    char throttle[128];               /**< what held the clock down, joined by "+"; "none"; "": not known */
    char doubts[DOUBTS_SIZE];         /**< what was told that can't be true, joined by "; " */
    int too_short;                    /**< for the steps in which the counter of energy tells */
} Power;

/** The samples of a GPU, or of several: the watts of all, and how many samples there are at each clock. */
typedef struct {
    double counted, sampled;         /**< as above */
    int clock_count, throttle_count; /**< samples; 0: not known */
    int clock[MOST_MHZ];             /**< samples at each clock */
    unsigned long long throttle;     /**< bits, as NVML has them, of any sample */
    char doubts[DOUBTS_SIZE];        /**< as above */
    int too_short;                   /**< as above */
} Readings;

/** What can be read of the device, or of the CPU. */
typedef struct PowerSensor PowerSensor;

/** The sensor of what a stage runs on; NULL for the emulator of the GPU, which has none. */
const PowerSensor *power_sensor(int on_gpu);

/** The sensor of the GPU. If nothing can be read, its text says why. */
const PowerSensor *device_power_sensor(void);

/** The sensor of the CPU, likewise. */
const PowerSensor *host_power_sensor(void);

/** One line: what a sensor reads, and what it can't. */
const char *sensor_text(const PowerSensor *sensor);

/** What no other GPU is called, on any host; "": not known. */
const char *sensor_device(const PowerSensor *sensor);

/** Begins to take samples, one series at a time; of NULL there are none. */
void begin_sampling(const PowerSensor *sensor);

/** Ends the series. */
Readings end_readings(void);

/** Adds those of another GPU; what is not known of one is not known of both. */
void add_readings(Readings *sum, const Readings *other);

/** What they come to. */
Power power_of(const Readings *readings);

/** Ends the series; what it comes to. */
Power end_sampling(void);
