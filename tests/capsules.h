/**
 * @file capsules.h
 * Tests of the stages with a membrane, 60 to 63; their test.c includes this file.
 */
#ifndef CAPSULES_H
#define CAPSULES_H

#include "lattice/d3q19.h"
#include "same_bits.h"

#include "check.h"

#include <stdlib.h>

/** A capsule of radius 1.6. The caller destroys it. */
static inline Scenario small_capsule(double ca)
{
    return create_scenario(
        find_flow("capsule"),
        (Parameters){.width = 13, .height = 23, .depth = 11, .tau = 1.5, .u = 0.04, .ca = ca});
}

/** Largest distance of a node from where it is in another result. */
static inline double nodes_apart(const Snapshot *r, const Snapshot *other)
{
    double largest = 0.0;
    for (int n = 0; n < 3 * r->scenario->membrane.nodes; n++) {
        const double apart = fabs((double)r->nodes[n] - other->nodes[n]);
        largest = isnan(apart) ? NAN : fmax(largest, apart);
    }
    return largest;
}

/** On the emulator in orders of the threads, and with kernels that begin as early as they may. */
static inline void expect_same_bits_in_all_orders(void)
{
#ifdef GPU_ON_CPU
    Scenario s = small_capsule(0.1);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 60);
    const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    setenv("LBM_STREAM_ORDER", "late", 1);
    for (int n = 0; n < 3; n++) {
        setenv("LBM_THREAD_ORDER", orders[n], 1);
        Snapshot r = run_flow(&STAGE, &s, small_block, 60);
        EXPECT(different_bits(&r, &expected) == 0);
        EXPECT(nodes_apart(&r, &expected) == 0.0);
        destroy_snapshot(&r);
    }
    unsetenv("LBM_STREAM_ORDER");
    unsetenv("LBM_THREAD_ORDER");
    destroy_snapshot(&expected);
    destroy_scenario(&s);
#else
    SKIP("only the emulator runs threads in a chosen order");
#endif
}

TEST(without_a_membrane_the_bits_are_those_of_50)
{
    need_exact_arithmetic();
    EXPECT(bits_apart(&STAGE, find_stage("50_d3q19")) == 0);
    Scenario s = create_maze_in_space(13, 9, 11, 4);
    EXPECT(bits_apart_within(&STAGE, find_stage("50_d3q19"), &s, 7) == 0);
    destroy_scenario(&s);
}

/** A membrane without stiffness is carried along: a sheared sphere, whose Taylor deformation is known. */
TEST(a_soft_membrane_leaves_the_shear_flow_as_it_is)
{
    enum { STEPS = 150 };
    Scenario s = small_capsule(1e9);
    s.stiffness.volume = 0.0f;
    Snapshot r = run_flow(&STAGE, &s, small_block, STEPS);
    const double strain = STEPS * shear_rate(&s);
    const Ellipsoid shape = shape_of(&s.membrane, r.nodes);
    double error = 0.0;
    for (size_t cell = 0; cell < cell_count(&s); cell++) {
        const double exact = shear_rate(&s) * (position_of(&s, cell).y - 0.5 * (s.height - 1));
        if (!is_wall(s.type[cell]))
            error = fmax(error, fabs(r.moments[cell].ux - exact));
    }
    EXPECT(error <= 2e-6 * s.u);
    EXPECT(strain > 0.5);
    for (int n = 0; n < s.membrane.nodes; n++) {
        const Real *x = s.membrane.position, *y = x + s.membrane.nodes;
        EXPECT_NEAR(r.nodes[n], x[n] + strain * y[n], 1e-4);
    }
    EXPECT_NEAR(shape.volume / s.membrane.volume, 1.0, 1e-5);
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** The walls pull equally both ways, and the membrane pulls on itself alone. */
TEST(a_capsule_does_not_push_the_fluid)
{
    Scenario s = small_capsule(0.1);
    Simulation *simulation = begin_simulation(&STAGE, &s, small_block);
    advance_simulation(simulation, 200);
    const FlowSums sums = look_at(simulation);
    for (int axis = 0; axis < 3; axis++)
        EXPECT(fabs(sums.momentum[axis]) <= 1e-6 * s.u * (double)cell_count(&s));
    EXPECT(sums.energy > 0.0);
    end_simulation(simulation);
    destroy_scenario(&s);
}

TEST(a_capsule_deforms_and_keeps_its_volume)
{
    Scenario s = small_capsule(0.1);
    Snapshot r = run_flow(&STAGE, &s, small_block, (int)(1.0 / shear_rate(&s)));
    const Ellipsoid shape = shape_of(&s.membrane, r.nodes);
    EXPECT(shape.deformation > 0.12 && shape.deformation < 0.25);
    EXPECT(shape.inclination > 0.5 && shape.inclination < 0.785);
    EXPECT_NEAR(shape.volume / s.membrane.volume, 1.0, 2e-3);
    EXPECT(angle_of_node(&s.membrane, r.nodes, &shape, MARKED_NODE) < 0.4); // from 0.55
    destroy_snapshot(&r);
    destroy_scenario(&s);
}

/** The grid is periodic along x and z, so that the capsule may be anywhere along these axes. */
TEST(a_capsule_crosses_the_border_of_the_grid)
{
    Scenario s = small_capsule(0.1), moved = small_capsule(0.1);
    moved.membrane.origin[0] = -2.0;
    moved.membrane.origin[2] += 3 * moved.depth - 5;
    Snapshot r = run_flow(&STAGE, &s, small_block, 100), other = run_flow(&STAGE, &moved, small_block, 100);
    EXPECT(nodes_apart(&r, &other) <= 1e-4);
    destroy_snapshot(&other);
    destroy_snapshot(&r);
    destroy_scenario(&moved);
    destroy_scenario(&s);
}

#endif
