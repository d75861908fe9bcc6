/**
 * @file check.h
 * A test program: TEST(name) { EXPECT(...); } as often as needed, one file. Run without arguments it runs all
 * its tests, with a name only that one. Its exit code is 0 if none that ran failed, and 77 if the one that
 * was asked for was skipped.
 */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77 }; // as CTest is told

typedef struct Test {
    const char *name;
    void (*run)(void);
    struct Test *next;
} Test;

static Test *first_test, **end_of_tests = &first_test;
static int test_failures, tests_skipped;
static jmp_buf end_of_test;

#define TEST(test)                                                                                           \
    static void test(void);                                                                                  \
    __attribute__((constructor)) static void register_##test(void)                                           \
    {                                                                                                        \
        static Test self = {#test, test, NULL};                                                              \
        *end_of_tests = &self;                                                                               \
        end_of_tests = &self.next;                                                                           \
    }                                                                                                        \
    static void test(void)

/** Ends the test, from wherever it is, because something that it needs is not there. */
#define SKIP(reason)                                                                                         \
    do {                                                                                                     \
        printf("%s:%d: skipped: %s\n", __FILE__, __LINE__, reason);                                          \
        tests_skipped++;                                                                                     \
        longjmp(end_of_test, 1);                                                                             \
    } while (0)

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

/** The first test of that name from one on; NULL if there is none. Without a name any test will do. */
static inline const Test *find_test(const Test *test, const char *name)
{
    while (test && name && strcmp(test->name, name) != 0)
        test = test->next;
    return test;
}

/** Called before all tests, and around each of them, where a test program defines it. */
__attribute__((weak)) void before_tests(void), before_each_test(void), after_each_test(void);

static void run_hook(void (*const hook)(void)) // where it is defined here, the compiler knows its address
{
    if (hook)
        hook();
}

static void run_test(const Test *test)
{
    run_hook(before_each_test);
    if (setjmp(end_of_test) == 0)
        test->run();
    run_hook(after_each_test);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!find_test(first_test, name)) {
        printf("no test named %s\n", name ? name : "anything");
        return 1;
    }
    run_hook(before_tests);
    for (const Test *test = find_test(first_test, name); test; test = find_test(test->next, name))
        run_test(test);
    if (!name && tests_skipped)
        printf("%d tests were skipped\n", tests_skipped);
    if (test_failures)
        return 1;
    return name && tests_skipped ? SKIPPED : 0;
}

#endif
