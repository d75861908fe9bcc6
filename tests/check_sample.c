/** One test of each way to end, for check.sh. */
#include "check.h"

TEST(passes)
{
    EXPECT(1);
    EXPECT_NEAR(1.0, 1.5, 0.5);
}

TEST(fails)
{
    EXPECT(0);
}

TEST(is_nan)
{
    EXPECT_NEAR(NAN, 0.0, HUGE_VAL);
}

static void need(const char *what)
{
    SKIP(what);
}

TEST(skips)
{
    need("a reason");
    EXPECT(0);
}

TEST(fails_and_skips)
{
    EXPECT(0);
    need("a reason");
}
