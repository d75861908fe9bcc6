/**
 * @file vtp.h
 * VTK's PolyData files, for ParaView: the triangles of a membrane, in the space of the .vti file of the same
 * step, with the force of the membrane on the fluid at each node.
 */
#pragma once

#include "flow/membrane.h"
#include "output/output_file.h"
#include "result/snapshot.h"

/** Writes a membrane at position[3][nodes], with force[3][nodes], as raw binary data. On failure: as in
 * output_file.h. */
void write_vtp(const char *path, const Scenario *scenario, long step, const Membrane *membrane,
               const Real *position, const Real *force);
