/**
 * @file refusal.h
 * Grids that a stage can't take. Call these functions before `create`.
 */
#ifndef REFUSAL_H
#define REFUSAL_H

#include "stage/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The reason why the stage refuses a grid of that size; NULL if the stage takes the grid. */
const char *stage_refusal(const Stage *stage, int width, int height);

/** Fails with exit code 2 and one line that holds the refusal, if there is one. */
void check_grid(const Stage *stage, int width, int height);

#ifdef __cplusplus
}
#endif

#endif
