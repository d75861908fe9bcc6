#include "speed/speed.h"

#include "check.h"

TEST(mlups_counts_millions_of_updates)
{
    EXPECT_NEAR(mlups(2e6, 30.0, 2.0), 30.0, 1e-12);
    EXPECT_NEAR(mlups(65536.0 * 65536.0, 1.0, 1.0), 4294.967296, 1e-9); // more cells than an int counts
    EXPECT_NEAR(mlups(100.0, 0.0, 0.0), 0.0, 0.0);
}

TEST(statistics_of_samples)
{
    const double samples[] = {4.0, 2.0, 3.0, 7.0};
    const Statistics s = statistics(samples, 4);
    EXPECT_NEAR(s.mean, 4.0, 1e-15);
    EXPECT_NEAR(s.min, 2.0, 0.0);
    EXPECT_NEAR(s.max, 7.0, 0.0);
    EXPECT_NEAR(s.variation, sqrt(14.0 / 3.0) / 4.0, 1e-15);
}

TEST(statistics_of_one_sample)
{
    const double sample = -5.0;
    const Statistics s = statistics(&sample, 1);
    EXPECT_NEAR(s.mean, -5.0, 0.0);
    EXPECT_NEAR(s.min, -5.0, 0.0);
    EXPECT_NEAR(s.max, -5.0, 0.0);
    EXPECT(isnan(s.variation));
}
