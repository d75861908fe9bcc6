#include "gpu/gpu.h"
#include "host/fail.h"

#include "check.h"
#include "refused.h"

#include <stdlib.h>

/** What a test works with, in one of the two orders. */
static struct {
    int begun;
    cudaStream_t a, b;
    cudaEvent_t event;
    float *device[2]; // a number each
    float *pinned[2];
} work;

static const dim3 one = {1, 1, 1};

static __global__ void store(float *to, float value)
{
    *to = value;
}

static __global__ void pass_on(const float *from, float *to)
{
    *to = *from;
}

static __global__ void store_as_block(float *to, float value)
{
    __syncthreads();
    *to = value;
}
BLOCK_KERNEL(store_as_block, float *, float);

static __global__ void double_in_turn(float *number)
{
    grid_dependency_sync();
    *number *= 2.0f;
}
BLOCK_KERNEL(double_in_turn, float *);

/** Stores what it reads before the launch before it is complete. */
static __global__ void store_too_early(const float *from, float *to)
{
    const float early = *from;
    grid_dependency_sync();
    *to = early;
}
BLOCK_KERNEL(store_too_early, const float *, float *);

static void choose(const char *order)
{
    setenv("LBM_STREAM_ORDER", order, 1);
}

static void end(void)
{
    if (!work.begun)
        return;
    CHECK(cudaStreamDestroy(work.a));
    CHECK(cudaStreamDestroy(work.b));
    CHECK(cudaEventDestroy(work.event));
    for (int n = 0; n < 2; n++) {
        CHECK(cudaFree(work.device[n]));
        CHECK(cudaFreeHost(work.pinned[n]));
    }
    work.begun = 0;
}

/** Begins anew, with numbers that are 0. */
static void begin_with(const char *order, unsigned flags)
{
    end();
    choose(order);
    CHECK(cudaStreamCreateWithFlags(&work.a, flags));
    CHECK(cudaStreamCreateWithFlags(&work.b, flags));
    CHECK(cudaEventCreateWithFlags(&work.event, cudaEventDisableTiming));
    for (int n = 0; n < 2; n++) {
        CHECK(cudaMalloc((void **)&work.device[n], sizeof(float)));
        CHECK(cudaMallocHost((void **)&work.pinned[n], sizeof(float)));
        *work.device[n] = *work.pinned[n] = 0.0f;
    }
    work.begun = 1;
}

static void begin(const char *order)
{
    begin_with(order, cudaStreamDefault);
}

void before_each_test(void)
{
    begin("late");
}

void after_each_test(void)
{
    end();
}

static void copy_home(int n, cudaStream_t stream)
{
    CHECK(cudaMemcpyAsync(work.pinned[n], work.device[n], sizeof(float), cudaMemcpyDeviceToHost, stream));
}

static void pass_event(cudaStream_t from, cudaStream_t to)
{
    CHECK(cudaEventRecord(work.event, from));
    CHECK(cudaStreamWaitEvent(to, work.event, 0));
}

static void launch_in_unknown_order(void)
{
    begin("later");
    LAUNCH_ON(work.a, store, one, one, work.device[0], 1.0f);
}

static void launch_without_a_stream(void)
{
    float number;
    choose("late,at-once");
    LAUNCH(store, one, one, &number, 1.0f);
}

TEST(an_order_that_is_not_known_is_refused)
{
    EXPECT(refuses(launch_in_unknown_order, "LBM_STREAM_ORDER is \"later\"; it takes at-once or late"));
    EXPECT(
        refuses(launch_without_a_stream, "LBM_STREAM_ORDER is \"late,at-once\"; it takes at-once or late"));
}

/** Both streams, with all waits. */
static float run_with_waits(const char *order)
{
    begin(order);
    float sum = 0.0f;
    for (int n = 0; n < 6; n++) {
        LAUNCH_ON(work.a, store, one, one, work.device[0], 1.0f + n);
        pass_event(work.a, work.b);
        copy_home(0, work.b);
        CHECK(cudaStreamSynchronize(work.b));
        sum = 10.0f * sum + *work.pinned[0];
    }
    return sum;
}

TEST(a_program_with_all_waits_has_the_same_result_in_both_orders)
{
    EXPECT(run_with_waits("at-once") == 123456.0f);
    EXPECT(run_with_waits("late") == 123456.0f);
    EXPECT(run_with_waits("") == 123456.0f);
}

TEST(a_copy_to_the_host_is_late_until_the_host_waits)
{
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    copy_home(0, work.a);
    CHECK(cudaEventRecord(work.event, work.a));
    EXPECT(*work.pinned[0] == 0.0f && *work.device[0] == 0.0f);
    EXPECT(cudaStreamQuery(work.a) == cudaErrorNotReady && cudaStreamQuery(NULL) == cudaSuccess);
    CHECK(cudaEventSynchronize(work.event));
    EXPECT(*work.pinned[0] == 7.0f && cudaStreamQuery(work.a) == cudaSuccess);
    begin("at-once");
    *work.device[0] = 8.0f;
    copy_home(0, work.a);
    EXPECT(*work.pinned[0] == 8.0f);
}

TEST(a_wait_for_another_stream_leaves_copies_to_the_host)
{
    *work.device[0] = 7.0f;
    LAUNCH_ON(work.a, store, one, one, work.device[1], 1.0f);
    copy_home(0, work.b);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[1] == 1.0f && *work.pinned[0] == 0.0f);
}

/** A kernel in b that reads what a kernel in a stores, with or without the wait. */
static float read_in_another_stream(int waits, int host_waits_for_a)
{
    begin("late");
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    if (waits)
        pass_event(work.a, work.b);
    LAUNCH_ON(work.b, pass_on, one, one, work.device[0], work.device[1]);
    if (host_waits_for_a)
        CHECK(cudaStreamSynchronize(work.a));
    CHECK(cudaStreamSynchronize(work.b));
    return *work.device[1];
}

TEST(a_kernel_that_does_not_wait_for_another_stream_runs_before_its_input_is_there)
{
    EXPECT(read_in_another_stream(0, 0) == 0.0f);
    EXPECT(read_in_another_stream(0, 1) == 0.0f);
    EXPECT(read_in_another_stream(1, 0) == 7.0f);
    EXPECT(read_in_another_stream(1, 1) == 7.0f);
}

/** A copy in b of what a stores; then a stores something else, with or without waiting for the copy. */
static float fill_again(int waits)
{
    begin("late");
    LAUNCH_ON(work.a, store, one, one, work.device[0], 1.0f);
    pass_event(work.a, work.b);
    copy_home(0, work.b);
    if (waits)
        pass_event(work.b, work.a);
    LAUNCH_ON(work.a, store, one, one, work.device[0], 2.0f);
    CHECK(cudaStreamSynchronize(work.b));
    return *work.pinned[0];
}

TEST(a_kernel_that_fills_a_buffer_again_too_early_changes_what_is_copied)
{
    EXPECT(fill_again(0) == 2.0f);
    EXPECT(fill_again(1) == 1.0f);
}

TEST(every_second_wait_makes_only_what_is_needed)
{
    for (int n = 1; n <= 4; n++) {
        LAUNCH_ON(work.a, store, one, one, work.device[0], (float)n);
        LAUNCH_ON(work.b, store, one, one, work.device[1], (float)n);
        CHECK(cudaStreamSynchronize(work.a));
        EXPECT(*work.device[0] == (float)n && *work.device[1] == (float)(n % 2 == 1 ? n : n - 1));
        CHECK(cudaDeviceSynchronize());
    }
}

/** The kernel in stream a lacks a wait for stream b, in which another one was called before it. */
TEST(at_a_second_wait_a_kernel_runs_before_one_that_was_called_before_it)
{
    CHECK(cudaStreamSynchronize(work.a));
    LAUNCH_ON(work.b, store, one, one, work.device[0], 7.0f);
    CHECK(cudaEventRecord(work.event, work.a));
    LAUNCH_ON(work.b, store, one, one, work.device[0], 8.0f);
    LAUNCH_ON(work.a, pass_on, one, one, work.device[0], work.device[1]);
    LAUNCH_ON(work.b, store, one, one, work.device[0], 9.0f);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[1] == 0.0f);
}

TEST(a_copy_of_pageable_memory_is_made_before_the_call_returns)
{
    float to = 0.0f, from = 3.0f;
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    pass_event(work.a, work.b);
    CHECK(cudaMemcpyAsync(&to, work.device[0], sizeof to, cudaMemcpyDeviceToHost, work.b));
    EXPECT(to == 7.0f);
    CHECK(cudaMemcpyAsync(work.device[1], &from, sizeof from, cudaMemcpyHostToDevice, work.b));
    EXPECT(*work.device[1] == 3.0f);
}

TEST(memory_is_pinned_until_it_is_freed)
{
    float *pinned, pageable[2] = {0.0f, 0.0f};
    CHECK(cudaMallocHost((void **)&pinned, 4 * sizeof *pinned));
    pinned[3] = 0.0f;
    *work.device[0] = 7.0f;
    CHECK(cudaMemcpyAsync(pinned + 3, work.device[0], sizeof(float), cudaMemcpyDeviceToHost, work.a));
    EXPECT(pinned[3] == 0.0f);
    CHECK(cudaFreeHost(pinned)); // which waits for the copy
    EXPECT(cudaFreeHost(pageable) == cudaErrorInvalidValue && cudaFreeHost(NULL) == cudaSuccess);
    CHECK(cudaMemcpyAsync(pageable, work.device[0], sizeof(float), cudaMemcpyDeviceToHost, work.a));
    EXPECT(pageable[0] == 7.0f);
}

/** Two copies into the same buffer of the host, which uses the first one only when both are called. */
static float use_too_late(const char *order)
{
    begin(order);
    *work.device[0] = 1.0f;
    *work.device[1] = 2.0f;
    copy_home(0, work.a);
    CHECK(cudaEventRecord(work.event, work.a));
    CHECK(cudaMemcpyAsync(work.pinned[0], work.device[1], sizeof(float), cudaMemcpyDeviceToHost, work.a));
    CHECK(cudaEventSynchronize(work.event));
    return *work.pinned[0];
}

TEST(only_at_once_finds_a_buffer_of_the_host_that_is_filled_again_too_early)
{
    EXPECT(use_too_late("at-once") == 2.0f);
    EXPECT(use_too_late("late") == 1.0f);
}

/** A copy to the device whose source the host changes without waiting. */
static float change_source(const char *order)
{
    begin(order);
    *work.pinned[0] = 1.0f;
    CHECK(cudaMemcpyAsync(work.device[0], work.pinned[0], sizeof(float), cudaMemcpyHostToDevice, work.a));
    *work.pinned[0] = 2.0f;
    CHECK(cudaStreamSynchronize(work.a));
    return *work.device[0];
}

TEST(only_late_finds_a_source_of_the_host_that_is_changed_too_early)
{
    EXPECT(change_source("at-once") == 1.0f);
    EXPECT(change_source("late") == 2.0f);
}

/** What is in device[0] when a kernel without a stream has run. */
static float launch_by_default(unsigned flags)
{
    begin_with("late", flags);
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    LAUNCH(pass_on, one, one, work.device[0], work.device[1]);
    return *work.device[1];
}

TEST(a_kernel_without_a_stream_waits_for_streams_that_block)
{
    EXPECT(launch_by_default(cudaStreamDefault) == 7.0f);
    EXPECT(launch_by_default(cudaStreamNonBlocking) == 0.0f);
}

TEST(copies_and_block_kernels_without_a_stream_wait_for_streams_that_block)
{
    float got = 0.0f;
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    CHECK(cudaMemcpy(&got, work.device[0], sizeof got, cudaMemcpyDeviceToHost));
    EXPECT(got == 7.0f);
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    CHECK(cudaMemset(work.device[0], 0, sizeof(float)));
    EXPECT(*work.device[0] == 0.0f);
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    LAUNCH_BLOCKS(store_as_block, one, one, 0, work.device[0], 8.0f);
    CHECK(cudaDeviceSynchronize());
    EXPECT(*work.device[0] == 8.0f);
}

TEST(a_copy_in_the_default_stream_is_late_and_streams_that_block_wait_for_it)
{
    *work.device[0] = 7.0f;
    copy_home(0, NULL);
    EXPECT(*work.pinned[0] == 0.0f);
    LAUNCH_ON(work.a, store, one, one, work.device[0], 8.0f);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.pinned[0] == 7.0f && *work.device[0] == 8.0f);
    copy_home(1, NULL);
    CHECK(cudaStreamSynchronize(NULL));
    LAUNCH_ON(work.a, store, one, one, work.device[1], 9.0f);
    copy_home(1, NULL);
    CHECK(cudaEventRecord(work.event, NULL));
    CHECK(cudaEventSynchronize(work.event));
    EXPECT(*work.pinned[1] == 9.0f);
}

TEST(a_stream_that_does_not_block_need_not_wait_for_the_default_stream)
{
    begin_with("late", cudaStreamNonBlocking);
    *work.device[0] = 7.0f;
    copy_home(0, NULL);
    LAUNCH_ON(work.a, store, one, one, work.device[0], 8.0f);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[0] == 8.0f && *work.pinned[0] == 0.0f);
}

/** Twice two nodes that double a number. */
TEST(a_graph_is_late_and_outlives_its_destruction)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(work.a, cudaStreamCaptureModeGlobal));
    for (int n = 0; n < 2; n++)
        LAUNCH_DEPENDENT(work.a, double_in_turn, one, one, work.device[0]);
    CHECK(cudaStreamEndCapture(work.a, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    LAUNCH_ON(work.a, store, one, one, work.device[0], 1.0f);
    CHECK(cudaGraphLaunch(executable, work.a));
    CHECK(cudaGraphLaunch(executable, work.a));
    CHECK(cudaGraphExecDestroy(executable));
    EXPECT(*work.device[0] == 0.0f);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[0] == 16.0f);
}

/** Doubles a number twice, and says what a launch reads of it before it waits. */
static float read_early(int has_event)
{
    begin("late");
    *work.device[0] = 1.0f;
    for (int n = 0; n < 2; n++)
        LAUNCH_DEPENDENT(work.a, double_in_turn, one, one, work.device[0]);
    if (has_event)
        CHECK(cudaEventRecord(work.event, work.a));
    LAUNCH_DEPENDENT(work.a, store_too_early, one, one, work.device[0], work.device[1]);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[0] == 4.0f);
    return *work.device[1];
}

TEST(a_dependent_launch_begins_before_the_one_just_before_it)
{
    EXPECT(read_early(0) == 2.0f);
    EXPECT(read_early(1) == 4.0f);
}

TEST(kernels_of_blocks_and_dependent_ones_are_late_in_a_stream)
{
    LAUNCH_BLOCKS_ON(work.a, store_as_block, one, one, 0, work.device[0], 3.0f);
    LAUNCH_DEPENDENT(work.a, double_in_turn, one, one, work.device[0]);
    EXPECT(*work.device[0] == 0.0f);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[0] == 6.0f);
}

TEST(the_arguments_are_those_of_the_call)
{
    float *to = work.device[0], value = 3.0f;
    dim3 grid = one;
    LAUNCH_ON(work.a, store, grid, one, to, value);
    to = work.device[1];
    value = 4.0f;
    grid.x = 0;
    LAUNCH_ON(work.a, store, one, one, to, value);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[0] == 3.0f && *work.device[1] == 4.0f);
}

TEST(a_launch_is_refused_when_it_is_called)
{
    const dim3 large = {1025, 1, 1};
    const KernelNode node = {"store", one, large, NULL, NULL, 0};
    EXPECT(launch_on(work.a, &node) == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    CHECK(cudaStreamSynchronize(work.a));
}

TEST(to_destroy_a_stream_or_an_event_is_not_to_wait)
{
    cudaStream_t stream;
    cudaEvent_t event;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    LAUNCH_ON(stream, store, one, one, work.device[0], 7.0f);
    CHECK(cudaEventRecord(event, stream));
    CHECK(cudaStreamWaitEvent(work.a, event, 0));
    LAUNCH_ON(work.a, pass_on, one, one, work.device[0], work.device[1]);
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaEventDestroy(event));
    EXPECT(*work.device[0] == 0.0f);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[0] == 7.0f && *work.device[1] == 7.0f);
}

TEST(to_free_memory_is_to_wait)
{
    begin_with("late", cudaStreamNonBlocking);
    float *other;
    CHECK(cudaMalloc((void **)&other, sizeof *other));
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    CHECK(cudaFree(other));
    EXPECT(*work.device[0] == 7.0f);
}

TEST(a_wait_is_for_the_recording_before_it)
{
    CHECK(cudaEventSynchronize(work.event)); // there is none
    CHECK(cudaStreamWaitEvent(work.b, work.event, 0));
    CHECK(cudaStreamSynchronize(work.b)); // the next wait makes only what it needs
    LAUNCH_ON(work.a, store, one, one, work.device[0], 1.0f);
    pass_event(work.a, work.b);
    LAUNCH_ON(work.a, store, one, one, work.device[0], 2.0f);
    CHECK(cudaEventRecord(work.event, work.a));
    LAUNCH_ON(work.b, pass_on, one, one, work.device[0], work.device[1]);
    CHECK(cudaStreamSynchronize(work.b));
    EXPECT(*work.device[1] == 1.0f && *work.device[0] == 1.0f);
    CHECK(cudaEventSynchronize(work.event));
    EXPECT(*work.device[0] == 2.0f);
}

TEST(who_asks_again_and_again_waits)
{
    long asked = 0;
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    CHECK(cudaEventRecord(work.event, work.a));
    while (cudaEventQuery(work.event) == cudaErrorNotReady)
        asked++;
    EXPECT(asked > 1000 && *work.device[0] == 7.0f);
}

TEST(a_time_is_there_when_the_event_is)
{
    cudaEvent_t begin_of_work;
    float ms = -1.0f;
    CHECK(cudaEventCreateWithFlags(&begin_of_work, 0));
    EXPECT(cudaEventElapsedTime(&ms, begin_of_work, work.event) == cudaErrorInvalidValue);
    EXPECT(cudaEventQuery(work.event) == cudaSuccess);
    CHECK(cudaEventRecord(begin_of_work, work.a));
    CHECK(cudaEventRecord(work.event, work.a));
    EXPECT(cudaEventElapsedTime(&ms, begin_of_work, work.event) == cudaErrorNotReady);
    EXPECT(cudaEventQuery(work.event) == cudaErrorNotReady);
    CHECK(cudaEventSynchronize(work.event));
    EXPECT(cudaEventQuery(work.event) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&ms, begin_of_work, work.event));
    EXPECT(ms >= 0.0f);
    CHECK(cudaEventDestroy(begin_of_work));
}

/** A wait of stream b that is over, and a kernel behind it that was called last. */
TEST(a_wait_that_is_over_holds_nothing_up)
{
    CHECK(cudaEventRecord(work.event, work.a));
    CHECK(cudaStreamWaitEvent(work.b, work.event, 0));
    LAUNCH_ON(work.a, store, one, one, work.device[0], 7.0f);
    LAUNCH_ON(work.b, pass_on, one, one, work.device[0], work.device[1]);
    CHECK(cudaStreamSynchronize(work.a));
    EXPECT(*work.device[0] == 7.0f && *work.device[1] == 0.0f);
}

/** Each of many operations waits for one in the other stream. */
TEST(long_chains_of_waits_take_no_stack)
{
    enum { LINKS = 100000 };
    begin("late");
    for (int n = 0; n < LINKS; n++)
        pass_event(n % 2 ? work.a : work.b, n % 2 ? work.b : work.a);
    LAUNCH_ON(work.b, store, one, one, work.device[0], 1.0f);
    CHECK(cudaStreamSynchronize(work.b));
    EXPECT(*work.device[0] == 1.0f);
}
