/**
 * @file fibres.h
 * Functions that run alternately: each has a stack of its own, may yield anywhere, and goes on from there.
 */
#pragma once

enum { MOST_FIBRES = 18 * 1024 }; // two maps of memory each, of the 65530 that Linux grants

/** The body of a fibre. */
typedef void FibreBody(const void *argument);

/** Lets fibre n, from 0, begin with a body when it runs next; a body before that must have returned. */
void start_fibre(int n, FibreBody *body, const void *argument);

/** Runs a started fibre until it yields or its body returns; returns whether it returned. Fails with exit
 * code 3 if the machine lacks the memory for a stack. */
int run_fibre(int n);

/** Prefetches the stack on which a fibre that has yielded goes on; it will run soon. */
void fetch_fibre(int n);

/** Called by a body: returns to the caller of run_fibre until the fibre is run again. */
void yield(void);
