// Blocks that run together, and launches that overlap, on the emulator.
#include "gpu/cluster.h"
#include "gpu/packet.h"
#include "gpu/unchecked_launch.h"

#include "check.h"
#include "kept_subnormals.h"
#include "refused.h"

static const char *const orders[] = {"forward", "reverse", "shuffle:1", "shuffle:2"};
enum { ORDERS = 4, STEPS = 9, BLOCKS = 5, THREADS = 40, NUMBERS = BLOCKS * THREADS };
static const dim3 grid = {BLOCKS, 1, 1}, block = {8, 5, 1}; // THREADS

enum { RIGHT, NO_WAIT, HALF_A_WAIT, LOST_PACKET, ONE_MAILBOX };

static int thread_in_block(void)
{
    return threadIdx.y * blockDim.x + threadIdx.x;
}

/**
 * Each block adds up what its left neighbour has sent, and sends that on, in two packets a thread: after n
 * steps a sum of n blocks. It waits for its right neighbour, too, whose packets it does not need: otherwise
 * it could overwrite its own before they are read.
 */
static __global__ void pass_on(float *sums, Packet *packets, int *timed_out, int how)
{
    __shared__ float declared[THREADS];
    SHARED(float, dynamic);
    const int t = thread_in_block(), b = blockIdx.x;
    declared[t] = dynamic[t] = sums[b * THREADS + t];
    for (uint32_t step = 1; step <= STEPS; step++) {
        Packet *const mail = packets + (how == ONE_MAILBOX ? 0 : step % 2) * 2 * NUMBERS + t;
        store_packet(&mail[b * THREADS], declared[t], 0.0f, 0.0f, step);
        if (!(how == LOST_PACKET && b == 3 && t == 17 && step == 4))
            store_packet(&mail[NUMBERS + b * THREADS], dynamic[t], 0.0f, 0.0f, step);
        const Packet *left = &mail[(b + BLOCKS - 1) % BLOCKS * THREADS],
                     *right = &mail[(b + 1) % BLOCKS * THREADS];
        Wait wait = {.timed_out = timed_out};
        Packet sum, last;
        do {
            sum = load_packet(left);
            last = load_packet(left + NUMBERS);
        } while (how != NO_WAIT &&
                 (sum.step != step || (how != HALF_A_WAIT && last.step != step) ||
                  load_packet(right).step != step) &&
                 keep_waiting(&wait));
        declared[t] += sum.a;
        dynamic[t] = last.a;
        __syncthreads();
    }
    sums[b * THREADS + t] = declared[t] + dynamic[t];
}
BLOCK_KERNEL(pass_on, float *, Packet *, int *, int);

static float sums[NUMBERS];

static void run_pass_on(int how)
{
    static Packet packets[2 * 2 * NUMBERS];
    int timed_out = 0;
    memset(packets, 0, sizeof packets);
    for (int n = 0; n < NUMBERS; n++)
        sums[n] = (float)(n * n % 17);
    LAUNCH_COOPERATIVE(pass_on, grid, block, THREADS * sizeof(float), sums, packets, &timed_out, how);
    check_waits(&timed_out);
}

/** The same, a step of all blocks after the other. */
static float expected_sum(int b, int t)
{
    float sum[BLOCKS], value[BLOCKS];
    for (int n = 0; n < BLOCKS; n++)
        sum[n] = value[n] = (float)((n * THREADS + t) * (n * THREADS + t) % 17);
    for (int step = 1; step <= STEPS; step++) {
        float next_sum[BLOCKS], next_value[BLOCKS];
        for (int n = 0; n < BLOCKS; n++) {
            next_sum[n] = sum[n] + sum[(n + BLOCKS - 1) % BLOCKS];
            next_value[n] = value[(n + BLOCKS - 1) % BLOCKS];
        }
        memcpy(sum, next_sum, sizeof sum);
        memcpy(value, next_value, sizeof value);
    }
    return sum[b] + value[b];
}

/** Whether the sums are right in all thread orders. */
static int is_right(int how)
{
    int good = 1;
    for (int k = 0; k < ORDERS; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        run_pass_on(how);
        for (int n = 0; n < NUMBERS; n++)
            good &= sums[n] == expected_sum(n / THREADS, n % THREADS);
    }
    return good;
}

TEST(blocks_together_get_what_others_send)
{
    EXPECT(is_right(RIGHT));
}

TEST(a_missing_wait_shows)
{
    EXPECT(!is_right(NO_WAIT));
}

TEST(a_missing_wait_for_one_of_two_packets_shows)
{
    EXPECT(!is_right(HALF_A_WAIT));
}

static const char *order;

static void lose_a_packet(void)
{
    setenv("LBM_THREAD_ORDER", order, 1);
    run_pass_on(LOST_PACKET);
}

static void overwrite_packets(void)
{
    setenv("LBM_THREAD_ORDER", order, 1);
    run_pass_on(ONE_MAILBOX);
}

/** Whether a call ends with EXIT_MACHINE and one line that holds these words. */
static int ends(void (*call)(void), const char *words)
{
    char text[4096];
    const int code = exit_code_of(call, text, sizeof text);
    const char *end = strchr(text, '\n');
    const int good = code == EXIT_MACHINE && end && end[1] == '\0' && strstr(text, words);
    if (!good)
        printf("exit code %d, expected \"%s\": %s\n", code, words, text);
    return good;
}

TEST(a_packet_that_never_comes_ends_the_program_in_every_order)
{
    for (int k = 0; k < ORDERS; k++) {
        order = orders[k];
        EXPECT(ends(lose_a_packet, "together.c:"));
        EXPECT(ends(lose_a_packet, "polls in vain, and so do all the others that have not returned"));
    }
}

TEST(a_packet_that_is_overwritten_ends_the_program_in_some_order)
{
    int found = 0;
    for (int k = 0; k < ORDERS; k++) {
        char text[4096];
        order = orders[k];
        found += exit_code_of(overwrite_packets, text, sizeof text) == EXIT_MACHINE;
    }
    EXPECT(found > 0);
}

static void wait_in_blocks_that_are_not_together(void)
{
    Packet packets[2 * 2 * NUMBERS] = {0};
    int timed_out = 0;
    LAUNCH_BLOCKS(pass_on, grid, block, THREADS * sizeof(float), sums, packets, &timed_out, RIGHT);
}

static __global__ void do_nothing(int *nothing)
{
    (void)nothing;
}
BLOCK_KERNEL(do_nothing, int *);

static void launch_many(unsigned blocks, unsigned threads, size_t shared_bytes)
{
    const dim3 many = {blocks, 1, 1}, shape = {threads, 1, 1};
    LAUNCH_COOPERATIVE(do_nothing, many, shape, shared_bytes, NULL);
}

static void launch_most(void)
{
    launch_many(MULTIPROCESSORS, 1024, gpu_shared_bytes());
    launch_many(2 * MULTIPROCESSORS, 512, 113 << 10);
    launch_many(32 * MULTIPROCESSORS, 1, 0);
}

static void launch_one_more(void)
{
    launch_many(MULTIPROCESSORS + 1, 513, 0);
}

static void launch_more_than_shared_memory_holds(void)
{
    launch_many(2 * MULTIPROCESSORS, 32, (113 << 10) + 1);
}

static void launch_with_more_than_a_block_can_have(void)
{
    launch_many(1, 32, gpu_shared_bytes() + 1);
}

TEST(blocks_that_can_not_be_resident_together_are_refused)
{
    char text[4096];
    EXPECT(exit_code_of(launch_most, text, sizeof text) == EXIT_GOOD);
    EXPECT(ends(launch_one_more, "too many blocks in cooperative launch"));
    EXPECT(ends(launch_more_than_shared_memory_holds, "too many blocks in cooperative launch"));
    EXPECT(ends(launch_with_more_than_a_block_can_have, "invalid argument"));
    EXPECT(ends(wait_in_blocks_that_are_not_together, "keep_waiting in a kernel launched by LAUNCH_BLOCKS;"));
}

static void check_a_wait_that_was_given_up(void)
{
    const int timed_out = 1;
    check_waits(&timed_out);
}

TEST(a_wait_that_was_given_up_ends_the_program)
{
    EXPECT(ends(check_a_wait_that_was_given_up, "a thread block waited 10 s in vain"));
}

/** Block 0 asks and waits for the second of two answers; block 1 answers, within one wait of its own. */
static __global__ void relay(Packet *packets, int *timed_out)
{
    Wait wait = {.timed_out = timed_out};
    if (blockIdx.x == 0) {
        store_packet(&packets[0], 0.0f, 0.0f, 0.0f, 1);
        while (load_packet(&packets[1]).step < 2 && keep_waiting(&wait))
            if (load_packet(&packets[1]).step == 1)
                store_packet(&packets[0], 0.0f, 0.0f, 0.0f, 2);
    } else
        for (uint32_t answered = 0; answered < 2 && keep_waiting(&wait);)
            if (load_packet(&packets[0]).step > answered)
                store_packet(&packets[1], 0.0f, 0.0f, 0.0f, ++answered);
}
BLOCK_KERNEL(relay, Packet *, int *);

TEST(who_answers_within_a_wait_is_no_deadlock)
{
    const dim3 two = {2, 1, 1}, one = {1, 1, 1};
    for (int k = 0; k < ORDERS; k++) {
        Packet packets[2] = {{0}};
        int timed_out = 0;
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        LAUNCH_COOPERATIVE(relay, two, one, 0, packets, &timed_out);
        EXPECT(packets[1].step == 2);
    }
}

/* ---- Launches that overlap ---- */

enum { SYNC_FIRST, READ_FIRST, NO_SYNC, SYNC_AFTER_BARRIER };

/** Each thread adds to its number that of the thread which mirrors it in the grid. */
static __global__ void add_mirrored(const float *from, float *to, int how)
{
    __shared__ float early[THREADS];
    const int t = thread_in_block(), n = blockIdx.x * THREADS + t, other = BLOCKS * THREADS - 1 - n;
    trigger_dependent_launch();
    early[t] = from[other];
    if (how == SYNC_AFTER_BARRIER)
        __syncthreads();
    if (how != NO_SYNC)
        grid_dependency_sync();
    if (how == SYNC_FIRST || how == SYNC_AFTER_BARRIER)
        early[t] = from[other];
    to[n] = 0.5f * from[n] + early[t];
}
BLOCK_KERNEL(add_mirrored, const float *, float *, int);

enum { NODES = 4 };

/** Runs a graph of NODES launches twice, and one launch more; the result is in numbers[1]. */
static void run_graph(float (*numbers)[NUMBERS], int how)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    for (int n = 0; n < NUMBERS; n++)
        numbers[0][n] = 1.0f + (float)n, numbers[1][n] = 0.0f;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int k = 0; k < NODES; k++)
        LAUNCH_DEPENDENT(stream, add_mirrored, grid, block, numbers[k % 2], numbers[1 - k % 2], how);
    EXPECT(numbers[1][0] == 0.0f); // nothing runs yet
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaGraphLaunch(executable, stream));
    LAUNCH_DEPENDENT(stream, add_mirrored, grid, block, numbers[0], numbers[1], how);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaStreamDestroy(stream));
}

/** Whether a graph gives the right numbers in all thread orders. */
static int graph_is_right(int how)
{
    static float numbers[2][NUMBERS], expected[2][NUMBERS];
    for (int n = 0; n < NUMBERS; n++)
        expected[0][n] = 1.0f + (float)n;
    for (int k = 0; k < 2 * NODES + 1; k++)
        for (int n = 0; n < NUMBERS; n++)
            expected[1 - k % 2][n] = 0.5f * expected[k % 2][n] + expected[k % 2][NUMBERS - 1 - n];
    int good = 1;
    for (int k = 0; k < ORDERS; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        run_graph(numbers, how);
        good &= memcmp(numbers[1], expected[1], sizeof expected[1]) == 0;
    }
    return good;
}

TEST(a_graph_runs_its_launches_in_order)
{
    EXPECT(graph_is_right(SYNC_FIRST));
    EXPECT(graph_is_right(SYNC_AFTER_BARRIER));
}

TEST(a_kernel_that_reads_before_the_dependency_sync_reads_old_numbers)
{
    EXPECT(!graph_is_right(READ_FIRST));
}

static void launch_without_sync(void)
{
    static float numbers[2][NUMBERS];
    run_graph(numbers, NO_SYNC);
}

static __global__ void take_an_event(int *event)
{
    *event = 1;
}

static void capture_what_has_no_node(void)
{
    cudaStream_t stream;
    int event = 0;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    LAUNCH_ON(stream, take_an_event, grid, block, &event);
}

static void launch_as_usual(void)
{
    static float numbers[2][NUMBERS];
    LAUNCH_ON(NULL, add_mirrored, grid, block, &numbers[0][0], &numbers[1][0], SYNC_FIRST);
}

static void launch_too_many_threads(void)
{
    const dim3 too_many = {33, 32, 1};
    LAUNCH_DEPENDENT(NULL, add_mirrored, grid, too_many, NULL, NULL, NO_SYNC);
}

TEST(what_a_graph_can_not_hold_ends_the_program)
{
    EXPECT(ends(
        launch_without_sync,
        "no thread of the kernel add_mirrored, launched by LAUNCH_DEPENDENT, calls grid_dependency_sync"));
    EXPECT(ends(capture_what_has_no_node, "LAUNCH_ON in a stream that captures a graph;"));
    EXPECT(
        ends(launch_as_usual,
             "grid_dependency_sync in a kernel launched by LAUNCH or LAUNCH_ON; it takes LAUNCH_DEPENDENT"));
    EXPECT(ends(launch_too_many_threads, "invalid configuration argument"));
}

/* ---- Clusters ---- */

enum { WELL, LOST_STORE, TOO_MANY_BYTES, EARLY_END, NO_PHASE };

/** Each block stores its numbers into its right neighbour's shared memory, STEPS times, and zeros into its
 * left neighbour's, so that neither gets ahead by two steps. */
static __global__ void shift(float *numbers, int *timed_out, int how)
{
    SHARED(float, shared);
    Mbarrier *const arrived = (Mbarrier *)(void *)shared;
    float *now = (float *)(void *)(arrived + 2), *next = now + THREADS, *const read = next + THREADS;
    const int t = thread_in_block(), blocks = (int)gridDim.x, right = ((int)blockIdx.x + 1) % blocks;
    now[t] = numbers[(int)blockIdx.x * THREADS + t];
    if (t == 0) {
        init_mbarrier(&arrived[0]);
        init_mbarrier(&arrived[1]);
    }
    const ClusterAddress there = map_shared(shared, right),
                         back = map_shared(shared, ((int)blockIdx.x + blocks - 1) % blocks);
    cluster_sync();
    for (int n = 0; n < STEPS; n++) {
        if (t == 0)
            expect_bytes(&arrived[n % 2], 2 * THREADS * sizeof(float) + (how == TOO_MANY_BYTES ? 4 : 0));
        if (!(how == LOST_STORE && blockIdx.x == 2 && t == 7 && n == 3))
            store_async(there + 4 * (next - shared + t), now[t] + 1.0f, there + 8 * (n % 2));
        store_async(back + 4 * (read + (n % 2) * THREADS - shared + t), 0.0f, back + 8 * (n % 2));
        Wait wait = {.timed_out = timed_out};
        while (how != NO_PHASE && !phase_ended(&arrived[n % 2], n / 2 % 2) && keep_waiting(&wait))
            ;
        __syncthreads();
        float *const swap = now;
        now = next;
        next = swap;
        if (how == EARLY_END && blockIdx.x == 1 && n == 3)
            return;
    }
    numbers[(int)blockIdx.x * THREADS + t] = now[t];
    cluster_sync();
}
BLOCK_KERNEL(shift, float *, int *, int);

static void run_shift(int how)
{
    int timed_out = 0;
    for (int n = 0; n < NUMBERS; n++)
        sums[n] = (float)n;
    LAUNCH_CLUSTER(shift, grid, block, 2 * sizeof(Mbarrier) + 4 * THREADS * sizeof(float), sums, &timed_out,
                   how);
}

static int is_shifted(int how)
{
    int good = 1;
    for (int k = 0; k < ORDERS; k++) {
        setenv("LBM_THREAD_ORDER", orders[k], 1);
        run_shift(how);
        for (int n = 0; n < NUMBERS; n++)
            good &= sums[n] == (float)((n + NUMBERS - STEPS % BLOCKS * THREADS) % NUMBERS + STEPS);
    }
    return good;
}

TEST(blocks_of_a_cluster_store_into_each_other)
{
    EXPECT(is_shifted(WELL));
}

TEST(a_wait_for_a_phase_that_is_left_out_shows)
{
    EXPECT(!is_shifted(NO_PHASE));
}

static int wrong_shift;

static void shift_wrongly(void)
{
    setenv("LBM_THREAD_ORDER", order, 1);
    run_shift(wrong_shift);
}

static void leave_the_cluster_early(void)
{
    setenv("LBM_THREAD_ORDER", "forward", 1);
    run_shift(EARLY_END);
}

static __global__ void wait_for_no_cluster(int *nothing)
{
    (void)nothing;
    cluster_sync();
}
BLOCK_KERNEL(wait_for_no_cluster, int *);

static void sync_without_a_cluster(void)
{
    LAUNCH_COOPERATIVE(wait_for_no_cluster, grid, block, 0, NULL);
}

static void launch_seventeen(void)
{
    const dim3 many = {17, 1, 1};
    LAUNCH_CLUSTER(do_nothing, many, block, 0, NULL);
}

TEST(what_a_cluster_can_not_do_ends_the_program)
{
    for (int k = 0; k < ORDERS; k++) {
        order = orders[k];
        wrong_shift = LOST_STORE;
        EXPECT(ends(shift_wrongly, "polls in vain"));
        wrong_shift = TOO_MANY_BYTES;
        EXPECT(ends(shift_wrongly, "polls in vain"));
    }
    EXPECT(
        ends(leave_the_cluster_early, "store_async into the shared memory of block 1, which has returned;"));
    EXPECT(ends(sync_without_a_cluster, "cluster_sync in a kernel that is no cluster;"));
    EXPECT(ends(launch_seventeen, "invalid cluster size"));
}

/* ---- What launches leave to the host ---- */

static __global__ void halve(volatile float *number)
{
    *number *= 0.5f;
}
BLOCK_KERNEL(halve, volatile float *);

static __global__ void halve_in_turn(volatile float *number)
{
    grid_dependency_sync();
    *number *= 0.5f;
}
BLOCK_KERNEL(halve_in_turn, volatile float *);

static const dim3 one = {1, 1, 1};

static void halve_together(float *number)
{
    LAUNCH_COOPERATIVE(halve, one, one, 0, number);
    LAUNCH_CLUSTER(halve, one, one, 0, number);
}

static void halve_in_a_graph(float *number)
{
    cudaStream_t stream;
    cudaGraph_t graph;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int k = 0; k < 3; k++)
        LAUNCH_DEPENDENT(stream, halve_in_turn, one, one, number);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphLaunch(graph, stream));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
}

/** Launches, in all ways, what the device does not take. */
static void refuse_launches(float *number)
{
    const dim3 many = {1 << 20, 1, 1}, cluster = {MOST_CLUSTER_BLOCKS, 1, 1}, too_large = {64, 32, 1};
    const struct halve_arguments arguments = {number};
    EXPECT(launch_together(many, one, 0, halve_thread, &arguments) == cudaErrorCooperativeLaunchTooLarge);
    EXPECT(launch_together(one, one, gpu_shared_bytes() + 4, halve_thread, &arguments) ==
           cudaErrorInvalidValue);
    EXPECT(launch_together(one, too_large, 0, halve_thread, &arguments) == cudaErrorInvalidConfiguration);
    EXPECT(launch_cluster(cluster, too_large, 0, halve_thread, &arguments) == cudaErrorInvalidConfiguration);
    UNCHECKED_LAUNCH(halve, one, too_large, number);
    UNCHECKED_LAUNCH_BLOCKS(halve, one, one, gpu_shared_bytes() + 4, number);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

TEST(launches_keep_subnormal_numbers_that_the_host_may_flush)
{
    EXPECT(keeps_subnormals(halve_together, 0x1p-128f));
    EXPECT(keeps_subnormals(halve_in_a_graph, 0x1p-129f));
    EXPECT(keeps_subnormals(refuse_launches, 0x1p-126f));
}

static int begun, ended;

static void count_begin(int together)
{
    (void)together;
    begun++;
}

static void count_end(void)
{
    ended++;
}

static void *no_memory(size_t bytes)
{
    (void)bytes;
    return NULL;
}

TEST(an_observer_sees_no_launch_that_is_refused)
{
    static const Observer counts = {count_begin, count_end, no_memory};
    float number = 1.0f;
    observer = &counts;
    refuse_launches(&number);
    EXPECT(begun == 0 && ended == 0);
    halve_together(&number);
    EXPECT(begun == 2 && ended == 2);
    observer = NULL;
}
