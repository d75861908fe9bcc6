/**
 * @file interrupt.h
 * Signals: those that ask for an end, and what is put in order before any of them ends the program.
 */
#pragma once

#include "host/fail.h"

/** From now on any signal that ends the program, but SIGKILL, first restores the screen and removes what is
 * half written. Signals that are ignored, as under nohup, stay so. */
void catch_signals(void);

/** From now on SIGINT, SIGTERM, SIGHUP and SIGPIPE only ask for an end; after that SIGINT or SIGTERM end the
 * program at once, and SIGHUP and SIGPIPE do nothing. */
void defer_signals(void);

/** Whether defer_signals was called. */
int signals_are_deferred(void);

/** Asks for an end as a signal does, with this exit code, unless one was asked for before. A first SIGINT or
 * SIGTERM after that does not end the program at once. */
void ask_for_end(int exit_code);

/** What a signal does that another process of the same run got: asks for an end, or ends the program. */
void pass_on_signal(int number);

/** The exit code of the end that was asked for, 128 + the signal's number if a signal did; 0: none was. */
int stop_code(void);

/** Ends the program as this signal ends one that does nothing about it; what is half written is removed. */
NORETURN void end_by_signal(int number);
