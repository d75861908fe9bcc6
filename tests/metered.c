/** The program as it is with a GPU's sensor, also where the GPU is emulated. */
#include "speed/power.h"

const PowerSensor *__wrap_power_sensor(int on_gpu);

const PowerSensor *__wrap_power_sensor(int on_gpu)
{
    return on_gpu ? device_power_sensor() : host_power_sensor();
}
