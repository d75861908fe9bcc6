/**
 * @file independent.h
 * Loops whose iterations don't depend on each other.
 */
#pragma once

/** Stands before a `for` and promises the compiler that no iteration reads or writes what another one writes,
 * so that it may take several at a time, as one vector. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif
