/**
 * @file background.h
 * One job that a second thread does while the main one goes on.
 */
#pragma once

/** Waits for the job before, then has job(context) done; at once where there can be no other thread. If the
 * job fails, it ends the program. */
void begin_job(void (*job)(void *context), void *context);

/** Waits for the job. */
void finish_job(void);
