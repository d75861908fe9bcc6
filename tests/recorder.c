/**
 * @file recorder.c
 * Transactions of kernels, counted by hand.
 */
#include "traffic/recorder.h"
#include "recorded_kernels.h"
#include "traffic/report.h"
#include "traffic/source_lines.h"

#include "check.h"
#include "refused.h"

#include <stdlib.h>

static const Kernel *record(const char *name)
{
    static int is_prepared;
    if (!is_prepared)
        prepare_recorder();
    is_prepared = 1;
    begin_recording();
    launch_case(name);
    const Recording *recording = end_recording();
    EXPECT(recording->count == 1);
    return &recording->kernel[0];
}

static void record_idle(void)
{
    record("idle");
}

static void record_nothing(void)
{
    record("nothing");
}

static int ends(void (*call)(void), const char *words)
{
    char text[1024];
    return exit_code_of(call, text, sizeof text) == EXIT_MACHINE && strstr(text, words) != NULL;
}

TEST(what_records_nothing_is_an_error)
{
    EXPECT(ends(record_idle, "the kernel idle makes no access that is recorded"));
    EXPECT(ends(record_nothing, "no kernel was launched"));
}

static int sums_are(Sums sums, uint64_t requests, uint64_t sectors, uint64_t bytes, uint64_t hits)
{
    const int same =
        sums.requests == requests && sums.sectors == sectors && sums.bytes == bytes && sums.hits == hits;
    if (!same)
        printf("%d requests, %d sectors, %d bytes, %d hits\n", (int)sums.requests, (int)sums.sectors,
               (int)sums.bytes, (int)sums.hits);
    return same;
}

static Sums stores_of(const char *name)
{
    return sum_of(record(name), STORE);
}

TEST(neighbouring_words_are_four_sectors)
{
    EXPECT(sums_are(stores_of("strided"), 1, 4, 128, 0));
}

TEST(shifted_by_a_word_they_are_five)
{
    EXPECT(sums_are(stores_of("shifted"), 1, 5, 128, 0));
}

TEST(every_ninth_word_is_a_sector_of_its_own)
{
    EXPECT(sums_are(stores_of("ninth"), 1, 32, 128, 0));
}

TEST(a_partial_warp_is_a_request)
{
    EXPECT(sums_are(stores_of("partial warp"), 2, 5, 160, 0));
}

TEST(a_warp_goes_on_in_the_next_row_of_its_block)
{
    EXPECT(sums_are(stores_of("blocks of rows"), 6, 12, 6 * 64, 0)); // two rows store to the same words
}

TEST(one_address_is_one_sector)
{
    EXPECT(sums_are(sum_of(record("loads"), LOAD), 1, 1, 4, 0));
}

TEST(wide_and_narrow_accesses_are_one_request)
{
    EXPECT(sums_are(stores_of("pairs"), 1, 8, 256, 0));
    EXPECT(sums_are(stores_of("bytes"), 1, 1, 32, 0));
    EXPECT(sums_are(stores_of("halves"), 1, 4, 128, 0));
}

TEST(a_float2_is_one_access)
{
    const Kernel *kernel = record("float pairs");
    EXPECT(sums_are(sum_of(kernel, LOAD), 1, 8, 256, 0) && sums_are(sum_of(kernel, STORE), 1, 8, 256, 0));
}

TEST(an_atomic_addition_is_neither_a_load_nor_a_store)
{
    const Kernel *kernel = record("atomics");
    EXPECT(sums_are(sum_of(kernel, LOAD), 1, 4, 128, 0) && sums_are(sum_of(kernel, STORE), 0, 0, 0, 0));
    EXPECT(sums_are(sum_of(kernel, ATOMIC), 1, 1, 4, 0) && sum_of(kernel, ATOMIC).conflicts == 31);
}

TEST(structures_are_copied_word_by_word)
{
    const Kernel *kernel = record("structures");
    EXPECT(sums_are(sum_of(kernel, LOAD), 9, 288, 9 * 128, 252));
    EXPECT(sums_are(sum_of(kernel, STORE), 9, 288, 9 * 128, 0));
}

/** Requests, their sectors or wavefronts, and their bytes. */
typedef struct {
    uint64_t requests, sectors, bytes;
} Cost;

/** Whether the accesses of a case, in which each of 32 threads has a structure, have that cost. */
static int cost_is(const char *verb, const char *type, Access access, Cost cost)
{
    char name[32];
    snprintf(name, sizeof name, "%s %s", verb, type);
    const Sums sums = sum_of(record(name), access);
    const int same = sums_are(sums, cost.requests, cost.sectors, cost.bytes, sums.hits);
    if (!same)
        printf("%s: %s\n", name, access_name(access));
    return same;
}

TEST(a_structure_takes_as_few_accesses_as_its_alignment_allows)
{
    static const struct {
        const char *type;
        Cost assigned, copied, assigned_in_shared, copied_from_shared;
    } cases[] = {
        {"Four",      {1, 16, 512}, {1, 16, 512}, {1, 4, 512}, {1, 4, 512}},
        {"WideThree", {1, 16, 512}, {1, 16, 512}, {1, 4, 512}, {1, 4, 512}},
        {"PlainFour", {4, 64, 512}, {4, 64, 512}, {1, 4, 512}, {1, 4, 512}},
        {"Three",     {3, 36, 384}, {3, 36, 384}, {3, 3, 384}, {3, 3, 384}},
        {"float2",    {1, 8, 256},  {1, 8, 256},  {1, 2, 256}, {1, 2, 256}},
        {"PlainTwo",  {2, 16, 256}, {2, 16, 256}, {1, 2, 256}, {1, 2, 256}},
        {"Shorts",    {3, 18, 192}, {3, 18, 192}, {3, 6, 192}, {3, 6, 192}},
    };
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        const char *type = cases[n].type;
        EXPECT(cost_is("assign", type, STORE, cases[n].assigned));
        EXPECT(cost_is("copy", type, LOAD, cases[n].copied));
        EXPECT(cost_is("copy", type, STORE, cases[n].copied));
        EXPECT(cost_is("share", type, SHARED_STORE, cases[n].assigned_in_shared));
        EXPECT(cost_is("share", type, SHARED_LOAD, cases[n].copied_from_shared));
    }
}

TEST(a_structure_is_assigned_at_once_anywhere_in_a_line)
{
    EXPECT(sums_are(stores_of("assignments"), 4, 4 * 16, 4 * 512, 0));
}

TEST(a_structure_that_is_not_aligned_is_accessed_by_the_word)
{
    EXPECT(sums_are(sum_of(record("apart"), SHARED_STORE), 2, 2, 256, 0));
}

TEST(a_packet_is_one_access_however_often_a_thread_polls)
{
    static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2", "shuffle:3"};
    for (int n = 0; n < 5; n++) {
        setenv("LBM_THREAD_ORDER", orders[n], 1);
        const Kernel *kernel = record("packets");
        EXPECT(sums_are(sum_of(kernel, STORE), 3 * 2 * 2, 3 * 2 * 17, 3 * 2 * (512 + 4), 0));
        EXPECT(sums_are(sum_of(kernel, LOAD), 3 * 2 * 3, 3 * 2 * 18, 3 * 2 * (512 + 8), 3));
    }
    unsetenv("LBM_THREAD_ORDER");
}

TEST(a_block_without_a_third_number_is_one_of_threads)
{
    EXPECT(sums_are(stores_of("plain block"), 2, 8, 256, 0)); // both rows to the same words
}

TEST(halves_that_are_no_word_are_stored_one_by_one)
{
    EXPECT(sums_are(stores_of("shifted halves"), 2, 9, 128,
                    0)); // the last of the second ones is in a fifth sector
}

TEST(a_branch_that_parts_a_warp_parts_its_request)
{
    EXPECT(sums_are(stores_of("divergent"), 2, 8, 16 * 5, 0));
}

TEST(lanes_that_come_by_again_are_fewer_each_time)
{
    const Sums sums = stores_of("uneven");
    EXPECT(sums.requests == 32 && sums.bytes == 4 * (32 * 33 / 2));
}

TEST(a_block_hits_what_it_has_loaded)
{
    const Kernel *kernel = record("twice");
    EXPECT(sums_are(sum_of(kernel, LOAD), 4, 16, 512, 6)); // nothing stays from launch to launch
    EXPECT(kernel->launches == 2 && kernel->blocks == 2);
    EXPECT(kernel->dram[LEAST].read == 2 * 5 * 32 && kernel->dram[LEAST].written == 2 * 4 * 32);
}

TEST(blocks_at_another_z_are_other_blocks)
{
    const Kernel *kernel = record("deep");
    EXPECT(sums_are(sum_of(kernel, LOAD), 6, 24, 768, 9)); // each block misses what the others have loaded
    EXPECT(kernel->launches == 1 && kernel->blocks == 3);
}

static uint64_t wavefronts(const char *name)
{
    const Sums sums = sum_of(record(name), SHARED_STORE);
    EXPECT(sums.requests == 1);
    return sums.sectors;
}

TEST(words_in_one_bank_wait_for_each_other)
{
    EXPECT(wavefronts("shared") == 1);
    EXPECT(wavefronts("conflicts") == 2);
    EXPECT(wavefronts("column") == 32);
}

TEST(one_word_of_shared_memory_goes_to_all)
{
    EXPECT(sums_are(sum_of(record("column"), SHARED_LOAD), 1, 1, 4, 0));
}

TEST(wide_accesses_of_shared_memory_take_a_wavefront_for_128_bytes)
{
    Request request = {.lanes = ~0u};
    for (int lane = 0; lane < WARP; lane++)
        request.address[lane] = (uintptr_t)(8 * lane);
    EXPECT(wavefronts_of(&request, 8) == 2);
    for (int lane = 0; lane < WARP; lane++)
        request.address[lane] = (uintptr_t)(16 * lane);
    EXPECT(wavefronts_of(&request, 16) == 4);
    for (int lane = 0; lane < WARP; lane++)
        request.address[lane] = (uintptr_t)(256 * lane);
    EXPECT(wavefronts_of(&request, 8) == 32);
}

TEST(a_warp_of_lanes_is_one_request)
{
    const Kernel *kernel = record("lanes");
    EXPECT(sums_are(sum_of(kernel, STORE), 4, 16, 4 * 128, 0)); // 16 lanes, 8 bytes, and none
    EXPECT(sums_are(sum_of(kernel, LOAD), 8, 24, 4 * (128 + 4),
                    3 * 6 + 1)); // the words, and one number for all lanes
}

TEST(warps_of_lanes_share_memory)
{
    const Kernel *kernel = record("sharing lanes");
    EXPECT(sums_are(sum_of(kernel, LOAD), 2, 8, 2 * 128, 0));
    EXPECT(sums_are(sum_of(kernel, STORE), 2, 8, 2 * 128, 0));
    EXPECT(sum_of(kernel, SHARED_STORE).requests == 2 && sum_of(kernel, SHARED_STORE).sectors == 2);
    EXPECT(sum_of(kernel, SHARED_LOAD).requests == 2 && sum_of(kernel, SHARED_LOAD).sectors == 2);
}

TEST(the_order_of_threads_changes_nothing)
{
    static const char *const names[] = {"blocks of rows", "divergent", "uneven", "twice", "column", "lanes"};
    static const char *const orders[] = {"reverse", "shuffle:1", "shuffle:2"};
    for (int n = 0; n < 6; n++) {
        unsetenv("LBM_THREAD_ORDER");
        Kernel forward = *record(names[n]);
        Sums expected[ACCESSES];
        for (int access = LOAD; access < ACCESSES; access++)
            expected[access] = sum_of(&forward, (Access)access);
        for (int k = 0; k < 3; k++) {
            setenv("LBM_THREAD_ORDER", orders[k], 1);
            const Kernel *kernel = record(names[n]);
            EXPECT(kernel->dram[LEAST].read == forward.dram[LEAST].read &&
                   kernel->dram[LEAST].written == forward.dram[LEAST].written);
            for (int access = LOAD; access < ACCESSES; access++) {
                const Sums sums = sum_of(kernel, (Access)access);
                EXPECT(memcmp(&sums, &expected[access], sizeof sums) == 0);
            }
        }
    }
}

TEST(lines_have_file_number_and_text)
{
    int count;
    LineSums *lines = lines_of(record("divergent"), &count);
    EXPECT(count == 2);
    EXPECT(strcmp(lines[0].file, "tests/recorded_kernels.cu") == 0);
    EXPECT(strcmp(lines[0].text, "to[threadIdx.x] = 1.0f;") == 0 && lines[1].line == lines[0].line + 2);
    EXPECT(lines[0].access == STORE && lines[0].size == 4 && lines[0].sums.requests == 1);
    free(lines);
}

TEST(a_line_that_is_not_there_has_no_text)
{
    SourceLine line = {.line = 1000000};
    char text[64] = "old";
    snprintf(line.file, sizeof line.file, "%s", __FILE__);
    line_text(&line, text, sizeof text);
    EXPECT(strcmp(text, "") == 0);
    snprintf(line.file, sizeof line.file, "no such file");
    line_text(&line, text, sizeof text);
    EXPECT(strcmp(text, "") == 0);
}
