/**
 * @file exercise_file.h
 * What the source of a check says about the student's file, for those that it is linked with.
 */
#ifndef EXERCISE_FILE_H
#define EXERCISE_FILE_H

#include "own_lines.h"
#include "traffic.h"

#include <stddef.h>

#ifndef PREPROCESSED
#define PREPROCESSED NULL
#endif
#ifndef TRAFFIC
#define TRAFFIC NULL
#endif

const char *exercise_file = EXERCISE, *const preprocessed_file = PREPROCESSED, *const traffic_check = TRAFFIC;
#ifdef RECORD // there is no solver
const char *const exercise_stage = NULL;
#else
const char *const exercise_stage = STAGE_NAME;
#endif

#endif
