#include "timing.h"

#include "check.h"

#include <time.h>

TEST(clock_never_goes_back)
{
    double last = now();
    for (int n = 0; n < 10000; n++) {
        const double time = now();
        EXPECT(time >= last);
        last = time;
    }
}

TEST(clock_counts_seconds)
{
    const double start = now();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    const double seconds = now() - start;
    EXPECT(seconds >= 0.2 && seconds < 1.0);
}

TEST(mlups_counts_millions_of_updates)
{
    EXPECT_NEAR(mlups(1000, 2000, 30.0, 2.0), 30.0, 1e-12);
    EXPECT_NEAR(mlups(65536, 65536, 1.0, 1.0), 4294.967296, 1e-9); // more cells than an int counts
    EXPECT_NEAR(mlups(10, 10, 0.0, 0.0), 0.0, 0.0);
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

TEST(times_read_as_a_clock_shows_them)
{
    const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0.0,      "0:00"     },
        {9.4,      "0:09"     },
        {59.5,     "1:00"     },
        {3599.4,   "59:59"    },
        {3600.0,   "1:00:00"  },
        {86399.0,  "23:59:59" },
        {360000.0, "100:00:00"},
        {NAN,      "?"        },
        {INFINITY, "?"        },
        {-1.0,     "?"        },
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        char text[TIME_SIZE];
        format_time(text, cases[n].seconds);
        EXPECT(strcmp(text, cases[n].text) == 0);
    }
}
