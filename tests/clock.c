#include "host/clock.h"
#include "program/progress.h"

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
    EXPECT(seconds >= 0.2 && seconds < 20.0); // not milliseconds; a busy machine wakes it late
}

TEST(cpu_time_is_that_of_work)
{
    const double start = cpu_time();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    EXPECT(cpu_time() - start < 0.1);
    const double wall = now(), work = cpu_time();
    while (cpu_time() - work < 0.05)
        ;
    EXPECT(now() - wall >= 0.049);
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
