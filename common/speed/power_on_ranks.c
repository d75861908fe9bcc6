#include "speed/power_on_ranks.h"

#include "host/allocate.h"
#include "ranks/ranks.h"

#include <stdio.h>
#include <string.h>

enum { OPEN_SENSOR, BEGIN_SAMPLES, END_SAMPLES }; // parts of the task

/** What rank 0 knows of the sensor of a rank. */
typedef struct {
    char device[96], text[1024];
    int counts; /**< whether no rank before has the same GPU */
} RankSensor;

static RankSensor *sensors; // of all ranks; NULL but on rank 0
static Readings *readings;  // likewise

static const PowerSensor *open_sensor(void)
{
    const PowerSensor *sensor = power_sensor(1);
    RankSensor own = {.counts = 1};
    snprintf(own.device, sizeof own.device, "%s", sensor_device(sensor));
    snprintf(own.text, sizeof own.text, "%s", sensor_text(sensor));
    gather_bytes(&own, sizeof own, sensors);
    return sensor;
}

void measure_power(int part)
{
    static const PowerSensor *sensor;
    if (part == OPEN_SENSOR)
        sensor = open_sensor();
    else if (part == BEGIN_SAMPLES)
        begin_sampling(sensor);
    else {
        const Readings own = end_readings();
        gather_bytes(&own, sizeof own, readings);
    }
}

/** Counts a GPU once, for the first of its ranks. */
static void find_shared(int rank)
{
    RankSensor *s = &sensors[rank];
    for (int n = 0; n < rank && s->counts; n++)
        if (*s->device && strcmp(s->device, sensors[n].device) == 0) {
            s->counts = 0;
            snprintf(s->text, sizeof s->text, "device: that of rank %d, which counts once", n);
        }
}

void open_sensors_on_ranks(void)
{
    sensors = allocate((size_t)rank_count() * sizeof *sensors);
    readings = allocate((size_t)rank_count() * sizeof *readings);
    do_on_all_ranks(OPEN_SENSOR);
    for (int n = 1; n < rank_count(); n++)
        find_shared(n);
}

const char *rank_sensor_text(int rank)
{
    return sensors[rank].text;
}

void begin_sampling_on_ranks(void)
{
    do_on_all_ranks(BEGIN_SAMPLES);
}

Power end_sampling_on_ranks(void)
{
    do_on_all_ranks(END_SAMPLES);
    for (int n = 1; n < rank_count(); n++)
        if (sensors[n].counts)
            add_readings(&readings[0], &readings[n]);
    return power_of(&readings[0]);
}
