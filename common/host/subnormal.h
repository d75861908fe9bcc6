/**
 * @file subnormal.h
 * Subnormal numbers, those between 0 and the smallest normal one: 2^-126 for a float. Many processors take
 * much longer for an operation whose result is one of them (labs/results/subnormals.csv).
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/** Whether a result that would be subnormal becomes 0, from now on in this thread and in those that it
 * starts. Returns what held before. Only x86 processors are set. */
int flush_subnormals(int flush);

#ifdef __cplusplus
}
#endif
