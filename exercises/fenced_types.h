/**
 * @file fenced_types.h
 * A check with fence.h includes it behind the student's file.
 */
#ifndef FENCED_TYPES_H
#define FENCED_TYPES_H

#include "check_exercise.h"
#include "simulation/simulation.h"

/** A step of a grid whose types end at a fence. */
static void expect_types_inside(int width, int height, Block block)
{
    Scenario s = small_flow("taylor_green", width, height);
    Simulation *simulation = begin_simulation(&STAGE, &s, block);
    CellType *type;
    CHECK(cudaMalloc((void **)&type, cell_count(&s)));
    CHECK(cudaMemcpy(type, s.type, cell_count(&s), cudaMemcpyHostToDevice));
    solver_of(simulation)->type = type;
    advance_simulation(simulation, 1);
    wait_for_simulation(simulation);
    CHECK(cudaFree(type));
    end_simulation(simulation);
    destroy_scenario(&s);
}

#endif
