/**
 * @file on_ranks.h
 * What on_ranks.cu prints for the check that starts it with mpirun, besides what is wrong.
 */
#ifndef ON_RANKS_H
#define ON_RANKS_H

#define STARTED "@started"
#define RIGHT   "@right"

#endif
