/**
 * @file interrupt.h
 * Signals that ask a run to end.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/**
 * From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored as under nohup, only ask for an end; a
 * second one restores the screen, removes what is half written and ends the program at once.
 */
void catch_signals(void);

/** The signal that asked for an end, or 0. */
int stop_signal(void);

#endif
