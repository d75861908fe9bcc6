/**
 * @file l2.c
 * The model of an L2 cache, where what DRAM moves is known.
 */
#include "traffic/l2.h"

#include "traffic/transactions.h"

#include "check.h"

enum { CACHE = 65536, MEMORY = 1 << 20 }; // sectors

/** In one launch each of these blocks accesses that many sectors. Returns what DRAM moved, in sectors. */
static Bytes launch(int kind, size_t sectors, int is_store, int blocks_each)
{
    Bytes moved[KINDS_OF_L2] = {
        {0, 0}
    };
    begin_l2(MEMORY);
    for (size_t n = 0; n < sectors; n++)
        for (int block = 0; block < blocks_each; block++)
            access_l2(n, is_store, (int)n / 16 + 1000000 * block);
    end_l2(moved);
    return (Bytes){moved[kind].read / SECTOR, moved[kind].written / SECTOR};
}

/** After a launch has filled an empty cache. */
static Bytes launch_again(int kind, size_t sectors, int is_store, int blocks_each)
{
    simulate_l2(CACHE * SECTOR);
    launch(kind, sectors, is_store, blocks_each);
    return launch(kind, sectors, is_store, blocks_each);
}

TEST(a_kept_cache_has_what_fits)
{
    simulate_l2(CACHE * SECTOR);
    EXPECT(launch(KEPT, 40000, 0, 1).read == 40000);
    EXPECT(launch(KEPT, 40000, 0, 1).read == 0);
    EXPECT(launch_again(KEPT, 60000, 0, 1).read > 50000);
    EXPECT(launch_again(KEPT, 100000, 0, 1).read == 100000);
}

TEST(an_emptied_cache_has_nothing)
{
    EXPECT(launch_again(EMPTY, 40000, 0, 1).read == 40000);
    EXPECT(launch_again(EMPTY, 20000, 1, 1).written == 0);
}

TEST(what_both_halves_load_is_read_once_and_takes_room_twice)
{
    simulate_l2(CACHE * SECTOR);
    EXPECT(launch(EMPTY, 40000, 0, 20).read == 40000);
    EXPECT(launch_again(KEPT, 30000, 0, 20).read == 0);
    EXPECT(launch_again(KEPT, 40000, 0, 20).read > 30000);
}

TEST(no_more_sectors_than_allowed_wait_to_be_written)
{
    simulate_l2(CACHE * SECTOR);
    EXPECT(launch(EMPTY, 28000, 1, 1).written == 0);
    const uint64_t written = launch(EMPTY, 40000, 1, 1).written;
    EXPECT(written == 40000 - (uint64_t)(0.44 * CACHE));
    EXPECT(launch(EMPTY, 400000, 1, 1).written - written == 360000);
    EXPECT(launch_again(KEPT, 28000, 1, 1).written == 0); // the same sectors wait
}

TEST(what_is_dropped_was_written_if_it_was_stored)
{
    simulate_l2(CACHE * SECTOR);
    launch(KEPT, 20000, 1, 1);
    Bytes moved[KINDS_OF_L2] = {
        {0, 0}
    };
    begin_l2(2 * MEMORY); // other sectors, in memory that is new
    for (size_t n = MEMORY; n < MEMORY + 200000; n++)
        access_l2(n, 0, (int)n / 16);
    end_l2(moved);
    EXPECT(moved[KEPT].read == 200000 * SECTOR && moved[KEPT].written == 20000 * SECTOR);
}

TEST(without_a_size_there_is_no_cache)
{
    simulate_l2(0);
    EXPECT(!is_l2_simulated());
    const Bytes moved = launch(KEPT, 100, 0, 1);
    EXPECT(moved.read == 0 && moved.written == 0);
}
