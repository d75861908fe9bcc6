/**
 * @file run_files.h
 * The files that a run writes: their names, whether they can be written, and writing them.
 */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include "program/run.h"

/** Names the list of the numbered files of vtk, if there will be any. */
void name_collection(Settings *settings);

/** Refuses, with exit code 2, outputs that would replace each other or an input, or that this build can't
 * write. */
void check_paths(const Settings *settings);

/** Fails with exit code 3 unless all files that were asked for could be written now. */
void check_outputs(const Settings *settings);

/** Reads the list of the numbered files that goes on behind a checkpoint. Fails with exit code 3 if it can't
 * be read. */
void read_list(Run *run);

/** Makes the result that of now. */
void refresh(Run *run);

/** Writes the result to the files that were asked for: with --every their names get the step's number, and
 * those for ParaView are listed. */
void write_outputs(Run *run);

/** Writes the checkpoint if it was asked for and does not hold this step already. */
void save(Run *run);

/** Ends the list of what was written with the checkpoint and what was sampled over time, which it writes. */
void write_series(Run *run);

#endif
