// The solver of the laboratory: in FP32 it is the first stage of the course, in other formats as near as they
// allow.
#include "lattice/d2q9.h"
#include "same_bits.h"

extern const Stage stage_00_cpu_aos;

TEST(in_fp32_it_is_the_first_stage)
{
    need_exact_arithmetic();
    EXPECT(bits_apart(parse_stage("fp32"), &stage_00_cpu_aos) == 0);
}

TEST(formats_are_compared_with_the_first_and_follow_none)
{
    for (int n = 0; n < stage_count; n++)
        EXPECT(stage_info[n].follows == -1 && stage_info[n].reference == 0 && stage_info[n].on_gpu &&
               !stage_info[n].on_chip);
}

TEST(every_format_computes_the_same_flow)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 32, .height = 32});
    Snapshot exact = run_flow(&stage_00_cpu_aos, &s, small_block, 100);
    for (int n = 0; n < stage_count; n++) {
        const int with_weights = strstr(stages[n]->name, "_w") != NULL;
        if (with_weights &&
            stages[n]->epsilon > 1e-6) // their rounding is that of the weight, not of the flow
            continue;
        Snapshot r = run_flow(stages[n], &s, small_block, 100);
        const double bound = allowed_difference(stages[n], 100) * (with_weights ? 1.0 / s.u : 1.0);
        const double difference = velocity_difference(&r, &exact);
        if (!(difference <= bound))
            printf("%s: %.2e, bound %.2e\n", stages[n]->name, difference, bound);
        EXPECT(difference <= bound);
        destroy_snapshot(&r);
    }
    destroy_snapshot(&exact);
    destroy_scenario(&s);
}

TEST(random_bits_are_the_same_in_every_run)
{
    EXPECT(bits_apart(parse_stage("fp16s_chance"), parse_stage("fp16s_chance")) == 0);
    EXPECT(bits_apart(parse_stage("fp16s_chance"), parse_stage("fp16s")) > 0);
}

TEST(walls_hold_nothing)
{
    Scenario s = create_scenario(find_flow("cavity"), (Parameters){.width = 34, .height = 34, .re = 100.0});
    for (int n = 0; n < stage_count; n++) {
        Snapshot r = run_flow(stages[n], &s, small_block, 3);
        for (int i = 0; i < DIRECTIONS; i++)
            EXPECT_NEAR(r.f[i], 0.0, weight(i) * stages[n]->epsilon);
        destroy_snapshot(&r);
    }
    destroy_scenario(&s);
}
