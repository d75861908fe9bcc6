/**
 * @file vtk.h
 * VTK's ImageData files, for ParaView: one cell of the grid is one cell of the image, and the step is the
 * time. Lengths are cells, times steps, densities in units of that at rest; each array names its unit.
 */
#pragma once

#include "output/output_file.h"
#include "result/snapshot.h"

#include <stdint.h>

/** Writes density, velocity, pressure (above that at rest), vorticity and type of every cell, as raw binary
 * data; in space also the Q criterion (gradient.h). On failure: as in output_file.h. */
void write_vtk(const char *path, const Snapshot *result);

/** Whether write_vtk wrote this file for this scenario at this step. A file that can't be read: exit code 3. */
int is_vtk_of(const char *path, const Scenario *scenario, long step);

/* ---- For files that hold more (checkpoint.h) or have another type (vtp.h) ---- */

enum { VTK_REMARK_SIZE = DESCRIPTION_SIZE + 64 };

/** The second line of a file of this scenario at this step. */
void find_vtk_remark(char remark[VTK_REMARK_SIZE], const Scenario *scenario, long step);

/** Prints the start of a file: that of an element which has the same name as the type, and the time as the first
 * of its FieldData, which the caller ends. */
void print_vtk_start(OutputFile *output, const char *type, const char *attributes, long step,
                     const char *remark);

/** Prints the element of an array, whose size and bytes begin at this offset. Its unit may be NULL. */
void print_vtk_array(OutputFile *output, const char *type, const char *name, const char *unit, int components,
                     size_t offset);

/** Prints the head of the file, up to the arrays. `remark`, which has no "--", is its second line. With
 * `populations` there is one more array, of one component for each direction, behind the others, and one
 * of the positions of a membrane's nodes, [3][nodes], if the scenario has one. */
void print_vtk_head(OutputFile *output, const Scenario *scenario, long step, const char *remark,
                    int populations);

/** Puts the arrays of write_vtk. */
void put_vtk_fields(OutputFile *output, const Snapshot *result);

/** Puts the size of one more array, whose bytes follow. */
void put_vtk_size(OutputFile *output, uint64_t bytes);

/** What comes after the arrays. */
extern const char vtk_end[];

/** Bytes of all arrays of write_vtk, of which the types of the cells are the last. */
size_t vtk_field_bytes(const Scenario *scenario);
