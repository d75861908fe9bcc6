/**
 * @file interrupt.h
 * Signals: those that ask for an end, and what is put in order before any of them ends the program.
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

/**
 * From now on any signal that ends the program, but SIGKILL, first restores the screen and removes what is
 * half written. Signals that are ignored, as under nohup, stay so.
 */
void catch_signals(void);

/**
 * From now on SIGINT, SIGTERM and SIGHUP only ask for an end; after that, SIGINT or SIGTERM end the program
 * at once, and neither SIGHUP does, of which a terminal that goes away sends several, nor SIGPIPE: whoever
 * reads standard output was often asked to end as well.
 */
void defer_signals(void);

/** The signal that asked for an end, or 0. */
int stop_signal(void);

#endif
