#include "check_exercise.h"

#include EXERCISE

enum { ROW = 12 };

/** A row of halves that begins at a multiple of 4 bytes, no two of which are the same. */
static __half *new_row(void)
{
    __half *row = (__half *)allocate(ROW * sizeof(__half));
    for (int x = 0; x < ROW; x++)
        row[x] = pack(x / 16.0f + 0.25f);
    return row;
}

static void expect_loaded(int x, int shift)
{
    __half *row = new_row();
    float left = NAN, right = NAN;
    load_pair(row + x + shift, shift, &left, &right);
    const float expected_left = unpack(row[x + shift]), expected_right = unpack(row[x + shift + 1]);
    if (!(left == expected_left && right == expected_right))
        wrong("load_pair, cells %d and %d, shift %d: expected the halves %d and %d, which are %g and %g, got "
              "%g and %g",
              x, x + 1, shift, x + shift, x + shift + 1, expected_left, expected_right, left, right);
    free(row);
}

static void expect_stored(int x, int shift)
{
    __half *row = new_row(), *old = new_row();
    store_pair(row + x + shift, shift, 0.03125f, -0.125f);
    for (int n = 0; n < ROW; n++) {
        const float before = unpack(old[n]), got = unpack(row[n]);
        const float expected = n == x + shift ? 0.03125f : n == x + shift + 1 ? -0.125f : before;
        if (!(got == expected))
            wrong("store_pair, cells %d and %d, shift %d: half %d is to be %g (it was %g before), got %g", x,
                  x + 1, shift, n, expected, before, got);
    }
    free(old);
    free(row);
}

#ifndef __CUDACC__ // GCC builds what follows so that a word may begin at multiples of 4 bytes only

/** Crashes if this build is of that kind. */
static void read_within_a_word(void)
{
    const __half2 both = *(const __half2 *)(new_row() + 1);
    store_pair(new_row() + 4, 1, unpack(__low2half(both)), unpack(__high2half(both)));
}

static void load_within_a_word(void)
{
    float left, right;
    load_pair(new_row() + 1, 0, &left, &right);
    store_pair(new_row() + 4, 1, left, right); // else a compiler may leave the load out
}

static void store_within_a_word(void)
{
    store_pair(new_row() + 1, 0, 0.5f, 0.5f);
}

/** Ends the check if a pair without a shift is taken half by half: only that could begin within a word. */
static void expect_word(const char *name, void (*within_a_word)(void))
{
    if (crashes(read_within_a_word) && !crashes(within_a_word))
        wrong("%s takes two halves where the shift is 0", name);
}

#endif

/** With a body force a flow and its mirror image differ. */
static void expect_forced(int width, int height)
{
    Scenario s = small_flow("taylor_green", width, height);
    s.physics.force_x = 1e-3f;
    s.physics.force_y = 2e-3f;
    expect_same(&STAGE, &s, 4, 1);
    destroy_scenario(&s);
}

void check(void)
{
    part("TODO(1)", "the pair's left cell is the one at the lower address");
    expect_loaded(4, 0);
    part("TODO(1)", "if it crashed: shifted by one half, a word would begin in the middle of another one");
    expect_loaded(4, 1);
    expect_loaded(4, -1);
    part("TODO(2)",
         "what load_pair finds there, store_pair must have left there, and nothing beside it. If it "
         "crashed: only what begins at a multiple of 4 bytes is a word");
    expect_stored(4, 0);
    expect_stored(4, 1);
    expect_stored(4, -1);
#ifndef __CUDACC__
    part("TODO(1)", "right, but no faster than before: a pair that is not shifted is one word, a __half2");
    expect_word("load_pair", load_within_a_word);
    part("TODO(2)", "right, but no faster than before: a pair that is not shifted is one word, a __half2");
    expect_word("store_pair", store_within_a_word);
#endif

    part("TODO(3)", "step 1 is even_step's and right, step 2 is yours: where does population i of the left "
                    "cell land, and which population of the left cell lies there now? The right cell's is "
                    "beside it. If it crashed: the shift is along x");
    expect_flow(&STAGE, "taylor_green", 38, 22, 4);
    part("TODO(3)", "without a body force all is right: the collision gets the populations turned round, and "
                    "they are turned back after it");
    expect_forced(38, 22);
    part("TODO(3)", "pairs in the middle of the fluid are right, but not beside pairs at walls");
    expect_flow(&STAGE, "poiseuille", 6, 9, 4);
    expect_flow(&STAGE, "cavity", 38, 22, 20);

    part("TODO(4)", "rows of 37 cells. If it crashed: at which byte does the second row begin? If not: the "
                    "last pair of a row has one cell, and what would be the other one?");
    expect_flow(&STAGE, "taylor_green", 37, 21, 4);
    expect_flow(&STAGE, "cavity", 37, 21, 20);
    expect_flow(&STAGE, "poiseuille", 1, 10, 4);
    part("TODO(3) and TODO(4)", "a slot must be read and written by the same thread and by no other");
    expect_no_race(&STAGE, "cavity", 38, 22, 20);
    expect_no_race(&STAGE, "cavity", 37, 21, 20);
}
