/**
 * @file standard_output.h
 * Whether what is printed arrives.
 */
#pragma once

/**
 * Brings to standard output what was printed. Where that can't be and signals are deferred (interrupt.h), it
 * asks for an end as they do, with exit code 3 unless SIGPIPE asked before. A terminal that hung up counts as
 * SIGHUP. Where signals are not deferred: as check_standard_output.
 */
void flush_standard_output(void);

/** Ends the program if what was printed does not arrive: by SIGPIPE if nobody reads it, else with exit code 3
 * and one line. Not if a signal asked for an end. */
void check_standard_output(void);

/** Whether a file descriptor is a terminal that can move its cursor; one with TERM=dumb can't. */
int is_terminal(int descriptor);

/** Why an end was asked for: which signal, or what is wrong with standard output. */
const char *stop_reason(void);
