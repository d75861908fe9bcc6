/**
 * @file membrane_copy.h
 * The membrane of a scenario where the state of a stage lives.
 */
#pragma once

#include "flow/membrane.h"
#include "gpu/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The same membrane, with arrays in that memory. */
Membrane copy_membrane(const Membrane *membrane, const Memory *memory);

/** Frees what copy_membrane took. */
void release_membrane(const Membrane *copy, const Memory *memory);

#ifdef __cplusplus
}
#endif
