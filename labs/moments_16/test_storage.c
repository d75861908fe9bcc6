// The experiment's solver, and the numbers that its formats have.
#include "storage.h"

#include "run_flow.h"
#include "same_bits.h"

#include "gpu/half_on_cpu.h"
#include "studies/accuracy.h"
#include "studies/solve.h"

#include "check.h"

TEST(in_fp32_it_is_stage_51)
{
    need_exact_arithmetic();
    static const char *const flows[] = {"duct", "cube", "taylor_green_3d", "sphere"};
    for (int n = 0; n < 4; n++) {
        const Flow *flow = find_flow(flows[n]);
        Scenario s = create_scenario(flow, odd_grid(flow));
        EXPECT(bits_apart_within(&stage_moments_16, find_stage("51_moments_3d"), &s, 5) == 0);
        destroy_scenario(&s);
    }
}

TEST(a_scaled_float_of_16_bits_is_fp16s)
{
    const Format format = scaled_float(16, 2.0f);
    for (float value = 0x1p-42f; value < 1.998f; value *= 1.0009f) {
        const float half = __half2float(__float2half_rn(value * 0x1p15f)) * 0x1p-15f;
        EXPECT(rounded(value, format, 0.0f) == half);
        EXPECT(rounded(-value, format, 0.0f) == -half);
    }
    EXPECT(rounded(3.0f, format, 0.0f) == 65504.0f * 0x1p-15f);
    EXPECT(isnan(rounded(NAN, format, 0.0f)));
}

TEST(fixed_point_has_equal_distances)
{
    const Format format = fixed_point(16, 0.25f);
    for (int n = -32767; n < 32768; n += 5) {
        const float value = (float)n * 0x1p-17f;
        EXPECT(rounded(value + 0.4f * 0x1p-17f, format, 0.0f) == value);
        EXPECT(rounded(value - 0.4f * 0x1p-17f, format, 0.0f) == value);
    }
    EXPECT(rounded(0.3f, format, 0.0f) == 32767 * 0x1p-17f &&
           rounded(-0.3f, format, 0.0f) == -32767 * 0x1p-17f);
}

TEST(all_dithers_together_round_to_the_value)
{
    const Format formats[] = {scaled_float(16, 2.0f), fixed_point(13, 0.125f)};
    for (int k = 0; k < 2; k++)
        for (float value = 0x1p-30f; value < 0.1f; value *= 1.7f) {
            double sum = 0.0;
            for (int n = 0; n < 1024; n++)
                sum += rounded(value, formats[k], ((float)n + 0.5f) / 1024.0f - 0.5f);
            EXPECT_NEAR(sum / 1024.0, value, fmax(formats[k].least, formats[k].relative * value) / 1000.0);
        }
}

/** The error of a duct's velocity in a storage with this momentum; all else stays in FP32. */
static double error_in_duct(Format momentum, int is_by_chance)
{
    Scenario s =
        create_scenario(find_flow("duct"), (Parameters){.width = 4, .height = 18, .depth = 18, .u = 0.05});
    storage = (Storage){.is_by_chance = is_by_chance, .interval = 1};
    for (int i = JX; i <= JZ; i++)
        storage.moment[i] = momentum;
    Snapshot r = snapshot_after(&stage_moments_16, &s, small_block, lround(s.flow->duration(&s)));
    const double error = exact_error(&r);
    storage = (Storage){.interval = 1};
    destroy_snapshot(&r);
    destroy_scenario(&s);
    return error;
}

TEST(rounding_to_nearest_takes_from_the_force_and_by_chance_does_not)
{
    const Format fp32 = {0}, half = scaled_float(16, 0.125f);
    const double exact = error_in_duct(fp32, 0);
    EXPECT(exact < 0.002);
    EXPECT(error_in_duct(half, 0) > 5.0 * exact);
    EXPECT_NEAR(error_in_duct(half, 1), exact, 0.3 * exact);
}
