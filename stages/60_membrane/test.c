#include "capsules.h"

/** The atomic additions come in another order, and so round otherwise: in the last bits, but they do. */
TEST(the_order_of_the_threads_changes_the_last_bits)
{
#ifdef GPU_ON_CPU
    Scenario s = small_capsule(0.1);
    Snapshot expected = run_flow(&STAGE, &s, small_block, 60);
    const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    for (int n = 0; n < 3; n++) {
        setenv("LBM_THREAD_ORDER", orders[n], 1);
        Snapshot r = run_flow(&STAGE, &s, small_block, 60);
        EXPECT(different_bits(&r, &expected) > 0);
        EXPECT(velocity_difference(&r, &expected) <= 64.0 * STAGE.epsilon);
        EXPECT(nodes_apart(&r, &expected) <= 64.0 * STAGE.epsilon);
        destroy_snapshot(&r);
    }
    unsetenv("LBM_THREAD_ORDER");
    destroy_snapshot(&expected);
    destroy_scenario(&s);
#else
    SKIP("only the emulator runs threads in a chosen order");
#endif
}

static double angle_after(Simulation *simulation, const Scenario *s, double time)
{
    advance_simulation(simulation, (long)(time / shear_rate(s)));
    Snapshot r = create_snapshot(s);
    read_snapshot(&r, simulation);
    const Ellipsoid shape = shape_of(&s->membrane, r.nodes);
    const double angle = angle_of_node(&s->membrane, r.nodes, &shape, MARKED_NODE);
    destroy_snapshot(&r);
    return angle;
}

/** While a node goes from 0.25 above the middle to 0.25 below it. Walls and neighbours in the periodic box slow it. */
TEST(a_stiff_sphere_turns_at_half_the_shear_rate)
{
    Scenario s = create_scenario(
        find_flow("capsule"),
        (Parameters){.width = 18, .height = 28, .depth = 18, .tau = 1.5, .u = 0.04, .ca = 0.03});
    Simulation *simulation = begin_simulation(&STAGE, &s, small_block);
    const double before = angle_after(simulation, &s, 0.6);
    EXPECT_NEAR(before - angle_after(simulation, &s, 1.0), 0.5, 0.04);
    end_simulation(simulation);
    destroy_scenario(&s);
}
