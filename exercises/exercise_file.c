#include "own_lines.h"
#include "traffic.h"

#include <stddef.h>

#ifndef PREPROCESSED
#define PREPROCESSED NULL
#endif
#ifndef TRAFFIC
#define TRAFFIC NULL
#endif

#ifdef RECORD // there is no solver
#undef STAGE_NAME
#define STAGE_NAME NULL
#endif

const char *exercise_file = EXERCISE, *const preprocessed_file = PREPROCESSED;
const char *const traffic_check = TRAFFIC, *const exercise_stage = STAGE_NAME;
