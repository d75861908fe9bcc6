// A block that waits for another one, which never answers.
#include "gpu/cluster.h"
#include "gpu/device.h"
#include "gpu/packet.h"

#include "check.h"
#include "refused.h"

static __global__ void ask(Packet *packets, int *timed_out, int silent)
{
    const int other = 1 - (int)blockIdx.x;
    if ((int)blockIdx.x != silent)
        store_packet(&packets[blockIdx.x], 1.0f, 2.0f, 3.0f, 1);
    Wait wait = {timed_out, 0, 0};
    while (load_packet(&packets[other]).step != 1 && keep_waiting(&wait))
        ;
}
BLOCK_KERNEL(ask, Packet *, int *, int);

enum { NOBODY = 2 };

static int silent;

static void run_two_blocks(void)
{
    const dim3 two = {2, 1, 1}, one = {1, 1, 1};
    Packet *packets;
    int *timed_out;
    CHECK(cudaMalloc((void **)&packets, 2 * sizeof *packets));
    CHECK(cudaMalloc((void **)&timed_out, sizeof *timed_out));
    CHECK(cudaMemset(packets, 0, 2 * sizeof *packets));
    CHECK(cudaMemset(timed_out, 0, sizeof *timed_out));
    LAUNCH_COOPERATIVE(ask, two, one, 0, packets, timed_out, silent);
    check_waits(timed_out);
    CHECK(cudaFree(packets));
    CHECK(cudaFree(timed_out));
}

TEST(blocks_that_answer_end)
{
    silent = NOBODY;
    char text[4096];
    EXPECT(exit_code_of(run_two_blocks, text, sizeof text) == EXIT_GOOD);
}

TEST(a_block_that_never_answers_ends_the_program_with_one_line)
{
    for (silent = 0; silent < 2; silent++) {
        char text[4096];
        EXPECT(exit_code_of(run_two_blocks, text, sizeof text) == EXIT_MACHINE);
        const char *end = strchr(text, '\n');
        EXPECT(end && end[1] == '\0');
        EXPECT(strstr(text, gpu_is_emulated ? "polls in vain" : "waited 10 s in vain for another one"));
    }
}

static __global__ void expect_a_store(int *timed_out)
{
    SHARED(float, shared);
    Mbarrier *const arrived = (Mbarrier *)(void *)shared;
    init_mbarrier(arrived);
    cluster_sync();
    expect_bytes(arrived, 4);
    Wait wait = {timed_out, 0, 0};
    while (!phase_ended(arrived, 0) && keep_waiting(&wait))
        ;
    cluster_sync();
}
BLOCK_KERNEL(expect_a_store, int *);

static void run_silent_cluster(void)
{
    const dim3 two = {2, 1, 1}, one = {1, 1, 1};
    int *timed_out;
    if (GPU_CLUSTER_BLOCKS(expect_a_store) < 2)
        exit(77);
    CHECK(cudaMalloc((void **)&timed_out, sizeof *timed_out));
    CHECK(cudaMemset(timed_out, 0, sizeof *timed_out));
    LAUNCH_CLUSTER(expect_a_store, two, one, sizeof(Mbarrier), timed_out);
    check_waits(timed_out);
}

TEST(a_block_of_a_cluster_that_never_stores_ends_the_program_with_one_line)
{
    char text[4096];
    const int code = exit_code_of(run_silent_cluster, text, sizeof text);
    if (code == 77)
        SKIP("this device has no clusters");
    EXPECT(code == EXIT_MACHINE);
    const char *end = strchr(text, '\n');
    EXPECT(end && end[1] == '\0');
    EXPECT(strstr(text, gpu_is_emulated ? "polls in vain" : "waited 10 s in vain for another one"));
}
