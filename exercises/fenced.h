/**
 * @file fenced.h
 * Arrays that end at a fence: who reaches behind the end ends the check, with a line that says how far.
 */
#ifndef FENCED_H
#define FENCED_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Memory that ends at a fence, or less than `alignment` bytes before it; NULL if there is none. Filled with
 * bytes 0xff. */
void *allocate_fenced(size_t bytes, size_t alignment);

/** Bytes of an array that allocate_fenced returned; SIZE_MAX for any other address. */
size_t fenced_size(const void *memory);

/** Hides all these arrays: who reads or writes one then ends the check. Or makes them visible again. */
void hide_fenced(int hidden);

/** Frees such an array; NULL is fine. Ends the check if something was written beside the array. */
void free_fenced(void *memory);

#ifdef __cplusplus
}
#endif

#endif
