/**
 * @file recorded_kernels.h
 * Kernels for tests of the recorder.
 */
#ifndef RECORDED_KERNELS_H
#define RECORDED_KERNELS_H

/** Launches what has that name in the table at the end of recorded_kernels.cu. */
void launch_case(const char *name);

#endif
