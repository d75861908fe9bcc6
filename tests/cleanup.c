/**
 * @file cleanup.c
 * Functions that run before the program ends.
 */
#include "check.h"
#include "refused.h"

#define EIGHT(F) F(a) F(b) F(c) F(d) F(e) F(f) F(g) F(h)
#define DEFINE(NAME)                                                                                         \
    static void NAME(void)                                                                                   \
    {                                                                                                        \
    }
#define ADD(NAME) add_cleanup(NAME);
EIGHT(DEFINE)

static int calls;

static void count_calls(void)
{
    calls++;
}

static void add_eight(void)
{
    EIGHT(ADD)
}

static void add_one_too_many(void)
{
    add_eight();
    add_cleanup(count_calls);
}

TEST(the_ninth_is_refused)
{
    char text[4096];
    EXPECT(exit_code_of(add_eight, text, sizeof text) == EXIT_GOOD);
    EXPECT(exit_code_of(add_one_too_many, text, sizeof text) == EXIT_MACHINE);
    EXPECT(strstr(text, "there may be 8"));
}

TEST(added_twice_it_is_called_once)
{
    add_cleanup(count_calls);
    add_cleanup(count_calls);
    clean_up();
    EXPECT(calls == 1);
}
