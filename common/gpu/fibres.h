/**
 * @file fibres.h
 * Functions that take turns: each has a stack of its own, gives way where it likes, and goes on from there.
 */
#ifndef FIBRES_H
#define FIBRES_H

enum { MOST_FIBRES = 1024 };

/** What a fibre runs. */
typedef void FibreBody(const void *argument);

/** Lets fibre n, from 0, begin with a body at its next turn. The fibre must have none, or one that returned.
 */
void start_fibre(int n, FibreBody *body, const void *argument);

/**
 * Runs a started fibre until it gives way or its body returns; whether it returned. Fails with exit code 3
 * where the machine lacks the memory for a stack.
 */
int run_fibre(int n);

/** Called by a body: ends its turn. */
void give_way(void);

#endif
