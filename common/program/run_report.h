/**
 * @file run_report.h
 * What a run says on the screen.
 */
#ifndef RUN_REPORT_H
#define RUN_REPORT_H

#include "program/run.h"

/** Before it begins: stage, flow, numbers and memory. */
void print_head(const Run *run);

/** Warns of parameters that seldom end well. */
void warn(const Scenario *scenario);

/** At its end: speed, mass, errors, forces, and what was written. */
void print_report(const Run *run);

#endif
