/**
 * @file validate.h
 * Stages against what is known of the flows.
 */
#ifndef VALIDATE_H
#define VALIDATE_H

#include "stage.h"

/**
 * Runs a stage through the flows that something is known of; prints one row a check. Returns the number of
 * rows that failed.
 */
int validate(const Stage *stage, Block block);

#endif
