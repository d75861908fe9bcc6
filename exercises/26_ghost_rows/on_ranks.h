/**
 * @file on_ranks.h
 * What on_ranks.cu says to the check that has mpirun start it, beside what is wrong.
 */
#ifndef ON_RANKS_H
#define ON_RANKS_H

#define STARTED "@started"
#define RIGHT   "@right"

#endif
