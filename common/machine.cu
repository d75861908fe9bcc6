#include "machine.h"

#include "gpu.h"
#include "system.h"
#include "timing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COPIES = 10 };

static const size_t mib = (size_t)1 << 20;
static const size_t host_copy_size = 512 * mib;
#ifdef __CUDACC__
const int gpu_is_stand_in = 0;
static const size_t device_copy_size = 4096 * mib;
#else
const int gpu_is_stand_in = 1;
static const size_t device_copy_size = 256 * mib;
#endif

/** Copies what follows the colour of the first line that starts with `key`; leaves `name` alone without one. */
