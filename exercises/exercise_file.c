#include "own_lines.h"

#include <stddef.h>

#ifndef PREPROCESSED
#define PREPROCESSED NULL
#endif

const char *const exercise_file = EXERCISE, *const preprocessed_file = PREPROCESSED;
