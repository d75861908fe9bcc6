/**
 * @file standard_output.h
 * Whether what is printed arrives.
 */
#ifndef STANDARD_OUTPUT_H
#define STANDARD_OUTPUT_H

/**
 * Brings to standard output what was printed. Fails with exit code 3 if that can't be, unless a signal asked
 * for an end: then the files come first. A terminal that hung up counts as SIGHUP.
 */
void flush_standard_output(void);

#endif
