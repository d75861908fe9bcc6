/**
 * @file vtk.h
 * Results for ParaView.
 */
#ifndef VTK_H
#define VTK_H

#include "result.h"

/**
 * VTK XML ImageData, appended raw: cell data `density` and `velocity` (float32) and `type` (uint8, as in
 * d2q9.h). Cell (x, y) has its centre at the point (x, y, 0).
 */
void write_vtk(const char *path, const Result *result);

#endif
