/**
 * @file known_devices.h
 * GPUs whose limits are known: the emulator can have those of each, and `lbm traffic` predicts speeds for
 * them.
 */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A GPU. */
typedef struct {
    const char *name;    /**< as LBM_DEVICE and --device name it */
    const char *product; /**< as NVIDIA names it */
    int capability;      /**< compute capability, 10 major + minor */
    int multiprocessors;
    size_t shared_bytes; /**< the most shared memory of a block */
    int cluster_blocks;  /**< the most blocks of a cluster; 0: it has none */
    double l2;           /**< L2 cache, MiB; 0: none is modelled */
    double bandwidth;    /**< of its memory, GB/s */
} KnownDevice;

/** All of them. The first one is the emulator where LBM_DEVICE names none; its name is empty. */
extern const KnownDevice known_devices[];
extern const int known_device_count;

/** The names of all others, for messages. */
#define KNOWN_DEVICE_NAMES "rtx2080, rtx3060, rtx4090, rtx5090, a100, h100 or h200"

/** The device of that name; NULL if there is none. */
const KnownDevice *find_known_device(const char *name);

/** The device that the environment variable LBM_DEVICE names now, for the emulator. Fails with exit code 2
 * and one line that lists the names if it is none of them. */
const KnownDevice *emulated_device(void);

#ifdef __cplusplus
}
#endif
