#include "run_flow.h"

#include "check.h"

#include <stdlib.h>

enum { STEPS = 61 }; // whole cycles of every stage, and one step more

/** Runs all stages through a flow in every thread order; a difference is a race. */
static void expect_no_race(const char *name)
{
    const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    Scenario s = create_scenario(find_flow(name), odd_grid(find_flow(name)));
    for (int n = 0; n < stage_count; n++) {
        if (!takes(stages[n], &s))
            continue;
        setenv("LBM_THREAD_ORDER", "forward", 1);
        Snapshot expected = run_flow(stages[n], &s, small_block, STEPS);
        for (int k = 0; k < 3; k++) {
            setenv("LBM_THREAD_ORDER", orders[k], 1);
            Snapshot r = run_flow(stages[n], &s, small_block, STEPS);
            const size_t different = different_bits(&r, &expected);
            const int may_differ = has_membrane(s.flow) && stages[n]->varies;
            EXPECT(different == 0 || may_differ);
            if (different != 0 && !may_differ)
                printf("%s: %s, threads in order %s: %zu populations differ\n", stages[n]->name, name,
                       orders[k], different);
            destroy_snapshot(&r);
        }
        destroy_snapshot(&expected);
    }
    destroy_scenario(&s);
}

TEST(no_race_in_poiseuille)
{
    expect_no_race("poiseuille");
}

TEST(no_race_in_cavity)
{
    expect_no_race("cavity");
}

TEST(no_race_in_taylor_green)
{
    expect_no_race("taylor_green");
}

TEST(no_race_in_cylinder)
{
    expect_no_race("cylinder");
}

TEST(no_race_in_channel_cylinder)
{
    expect_no_race("channel_cylinder");
}

TEST(no_race_in_bodies)
{
    expect_no_race("bodies");
}

TEST(no_race_in_duct)
{
    expect_no_race("duct");
}

TEST(no_race_in_abc)
{
    expect_no_race("abc");
}

TEST(no_race_in_cube)
{
    expect_no_race("cube");
}

TEST(no_race_in_taylor_green_3d)
{
    expect_no_race("taylor_green_3d");
}

TEST(no_race_in_sphere)
{
    expect_no_race("sphere");
}

TEST(no_race_in_capsule)
{
    expect_no_race("capsule");
}

TEST(every_flow_has_a_case_here)
{
    for (int n = 0; n < flow_count; n++) {
        char name[64];
        snprintf(name, sizeof name, "no_race_in_%s", flows[n].name);
        EXPECT(find_test(first_test, name));
    }
}
