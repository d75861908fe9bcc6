/**
 * @file check.h
 * A test program: TEST(name) { EXPECT(...); } as often as needed, one file. Run without arguments it runs all
 * its tests, with a name only that one. Its exit code is 0 if all that ran passed.
 */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct {
    const char *name;
    void (*run)(void);
} test_list[64];
static int test_count, test_failures;

#define TEST(test)                                                                                           \
    static void test(void);                                                                                  \
    __attribute__((constructor)) static void register_##test(void)                                           \
    {                                                                                                        \
        test_list[test_count].name = #test;                                                                  \
        test_list[test_count++].run = test;                                                                  \
    }                                                                                                        \
    static void test(void)

/** Fails the test, and goes on, unless the condition holds. */
#define EXPECT(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                  \
            test_failures++;                                                                                 \
        }                                                                                                    \
    } while (0)

/** Fails the test, and goes on, unless |a - b| <= tolerance; NaN fails. */
#define EXPECT_NEAR(a, b, tolerance)                                                                         \
    do {                                                                                                     \
        const double a_ = (a), b_ = (b), tolerance_ = (tolerance);                                           \
        if (!(fabs(a_ - b_) <= tolerance_)) {                                                                \
            printf("%s:%d: expected %s = %.9g within %g of %.9g\n", __FILE__, __LINE__, #a, a_, tolerance_,  \
                   b_);                                                                                      \
            test_failures++;                                                                                 \
        }                                                                                                    \
    } while (0)

int main(int argc, char **argv)
{
    int ran = 0;
    for (int n = 0; n < test_count; n++)
        if (argc < 2 || strcmp(argv[1], test_list[n].name) == 0) {
            test_list[n].run();
            ran++;
        }
    if (ran == 0)
        printf("no test named %s\n", argv[1]);
    return ran == 0 || test_failures != 0;
}

#endif
