/**
 * @file stages.h
 * The stages of this program and how they depend on each other. The build generates the table from the
 * lines of stages/CMakeLists.txt (cmake/stages.cmake).
 */
#pragma once

#include "stage/stage.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The place of a stage in the tree. */
typedef struct {
    int on_gpu;    /**< whether it runs on the GPU: whether its solver is a .cu file */
    int threaded;  /**< whether it runs on all cores of the CPU: whether it needs OpenMP */
    int on_ranks;  /**< whether it runs on all ranks: whether it needs MPI */
    int on_chip;   /**< whether it keeps the whole grid on the chip: ON_CHIP, in CMakeLists.txt */
    int follows;   /**< the number of the stage whose solver it changes; -1: none */
    int reference; /**< the number of the stage that its results are compared with: where the chain of those
                      that agree begins (AGREES_WITH, in CMakeLists.txt); its own if it agrees with none */
} StageInfo;

/** All stages of the program: the first is the root, and each comes after the one that it follows. */
extern const Stage *const stages[];
extern const int stage_count;

/** stage_info[n] is the place of stages[n]. */
extern const StageInfo stage_info[];

/** The stage of that name; NULL if the program has none. */
const Stage *find_stage(const char *name);

/** The stage of that name. If there is none: exit code 2 and one line that names all stages. */
const Stage *parse_stage(const char *name);

/** Whether a stage of the program runs on the GPU, or, if there is none, on its emulator (gpu.h). */
int runs_on_gpu(const Stage *stage);

/** Whether a stage of the program runs on all ranks of MPI (ranks.h). */
int runs_on_ranks(const Stage *stage);

/** Whether a stage of the program keeps the whole grid on the chip, during a launch of many steps. */
int keeps_grid_on_chip(const Stage *stage);

/** Appends to `names`, each behind a blank, the stages that keep a grid of that size on the chip and compute
 * on the lattice of `stage`; none if `stage` is one of them, or does not run on the GPU. */
void append_stages_on_chip(char *names, size_t size, const Stage *stage, int width, int height);

/** Bytes of a membrane, whether it is there yet or not, and of the sums that stages keep for its nodes. */
double membrane_bytes(const Scenario *scenario);

/** Bytes of main memory, and of the device's, that a flow in a stage of the program needs for each cell. The
 * emulator's device is main memory. */
double host_bytes_per_cell(const Stage *stage, const Scenario *scenario),
    device_bytes_per_cell(const Stage *stage, const Scenario *scenario);

/** Fails with exit code 3 and one line that names the largest square, or in space the largest cube, that
 * fits, unless main memory has room for a grid and the device for one of so many equal parts of it; each cell
 * takes so many bytes more than usual of each. */
void check_memory(const Stage *stage, const Scenario *scenario, int parts, double more,
                  double more_on_device);

/** The side of the largest square (2 dimensions) or cube (3) of cells in so many bytes. */
int largest_side(double bytes, double bytes_per_cell, int dimensions);

#ifdef __cplusplus
}
#endif
