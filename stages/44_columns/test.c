#include "many_launches.h"
#include "plain_pairs.h"

#include "check.h"

/** Whether the stage makes a flow as the first stage does. */
static int is_right(const char *flow, Parameters parameters, int steps)
{
    Scenario s = create_scenario(find_flow(flow), parameters);
    const int is = agree_on(&STAGE, stages[0], &s, steps);
    destroy_scenario(&s);
    return is;
}

TEST(steps_in_any_parts_are_the_same_steps)
{
    static const int parts[][4] = {
        {1, 1, 2, 9},
        {6, 0, 7, 0},
        {3, 4, 5, 1},
        {2, 1, 9, 1}
    };
    static const char *const flows[] = {"cylinder", "taylor_green", "channel_cylinder"};
    for (int n = 0; n < 3; n++) {
        Scenario s = create_scenario(find_flow(flows[n]), (Parameters){.width = 44, .height = 35});
        Snapshot expected = run_flow(&STAGE, &s, small_block, 13);
        for (int k = 0; k < 4; k++) {
            Snapshot r = run_flow_cut(&STAGE, &s, parts[k], 4);
            EXPECT(different_bits(&r, &expected) == 0);
            destroy_snapshot(&r);
        }
        destroy_snapshot(&expected);
        destroy_scenario(&s);
    }
}

TEST(more_steps_than_a_launch_makes_are_as_good) // long
{
    EXPECT(launches_follow_each_other(&STAGE, 76.0));
}

TEST(every_number_of_rows_is_right)
{
    for (int height = 3; height <= 128; height += height < 20 ? 1 : 9) {
        const int is = is_right("cavity", (Parameters){.width = 33, .height = height, .tau = 0.6}, 7);
        EXPECT(is);
        if (!is)
            printf("%d rows\n", height);
    }
    EXPECT(is_right("taylor_green", (Parameters){.width = 16, .height = 1, .tau = 0.6}, 9));
    EXPECT(is_right("taylor_green", (Parameters){.width = 1, .height = 16, .tau = 0.6}, 9));
    EXPECT(is_right("taylor_green", (Parameters){.width = 2, .height = 2, .tau = 0.6}, 9));
}

TEST(the_largest_grid_is_taken_and_larger_ones_are_refused)
{
    const int width = 1024;
    int height = 1;
    while (!stage_reason(&STAGE, width, height + 1))
        height++;
    char text[32];
    snprintf(text, sizeof text, "up to %d x %d", width, height);
    EXPECT(strstr(stage_reason(&STAGE, width, height + 1), text));
    EXPECT(strstr(stage_reason(&STAGE, width + 1, 1), text));
    EXPECT(strstr(stage_reason(&STAGE, 100000, 100000), text));
    EXPECT(!stage_reason(&STAGE, 1, height));
    EXPECT(is_right("cavity", (Parameters){.width = width, .height = height, .tau = 0.6}, 3));
}

TEST(the_bits_are_those_of_two_plain_grids)
{
#ifdef GPU_ON_CPU
    EXPECT(bits_apart_from_plain_pairs(&STAGE) == 0);
#else
    SKIP("a GPU's compiler fuses operations, and the last bits differ");
#endif
}
