#include "flow/scenario.h"
#include "gpu/gpu.h"
#include "gpu/known_devices.h"
#include "gpu/unchecked_launch.h"
#include "host/allocate.h"
#include "host/fail.h"
#include "lattice/d2q9.h"

#include "check.h"
#include "kept_subnormals.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const dim3 grid = {3, 2, 1}, block = {4, 5, 1};
enum { THREADS = 3 * 2 * 4 * 5 };

static int runs, visited[THREADS], run_order[THREADS];

static __global__ void visit(int *count)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int thread = y * (int)(gridDim.x * blockDim.x) + x;
    count[thread]++;
    run_order[runs++] = thread;
}

static __global__ void visit_none(int threads)
{
    (void)threads;
}

/** Launches `visit` in an order; checks that every thread ran once. */
static void launch_in(const char *order)
{
    setenv("LBM_THREAD_ORDER", order, 1);
    memset(visited, 0, sizeof visited);
    runs = 0;
    LAUNCH(visit, grid, block, visited);
    EXPECT(runs == THREADS);
    for (int n = 0; n < THREADS; n++)
        EXPECT(visited[n] == 1);
}

TEST(forward_runs_every_thread_once_block_by_block)
{
    launch_in("forward");
    EXPECT(run_order[0] == 0 && run_order[1] == 1 && run_order[3] == 3);
    EXPECT(run_order[4] == 12);  /* second row of the first block */
    EXPECT(run_order[20] == 4);  /* second block */
    EXPECT(run_order[60] == 60); /* fourth block: second row of blocks */
}

enum { DEEP_THREADS = 4 * 2 * 3 * 5 };
static int deep_visits[DEEP_THREADS];

static __global__ void visit_deep(int *count)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z;
    const int thread = (z * (int)gridDim.y + (int)blockIdx.y) * (int)(gridDim.x * blockDim.x) + x;
    count[thread]++;
    run_order[runs++] = thread;
}

static void launch_deep_in(const char *order)
{
    const dim3 deep = {2, 3, 5}, four = {4, 1, 1};
    setenv("LBM_THREAD_ORDER", order, 1);
    memset(deep_visits, 0, sizeof deep_visits);
    runs = 0;
    LAUNCH(visit_deep, deep, four, deep_visits);
    EXPECT(runs == DEEP_THREADS);
    for (int n = 0; n < DEEP_THREADS; n++)
        EXPECT(deep_visits[n] == 1);
}

TEST(grids_have_three_dimensions_in_any_order)
{
    launch_deep_in("forward");
    EXPECT(run_order[0] == 0 && run_order[8] == 8 && run_order[24] == 24 && run_order[119] == 119);
    launch_deep_in("reverse");
    EXPECT(run_order[0] == 119 && run_order[119] == 0);
    launch_deep_in("shuffle:2");
    launch_in("forward"); // the z of the deep grid is forgotten
}

TEST(an_empty_order_is_the_default)
{
    launch_in("reverse");
    EXPECT(run_order[0] == THREADS - 1);
    launch_in("");
    EXPECT(run_order[0] == 0 && run_order[4] == 12);
}

TEST(a_stream_does_at_once_what_it_is_told_to)
{
    const int from[2] = {3, 4};
    int to[2] = {0, 0};
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1));
    setenv("LBM_THREAD_ORDER", "forward", 1);
    memset(visited, 0, sizeof visited);
    runs = 0;
    LAUNCH_ON(stream, visit, grid, block, &visited[0]);
    EXPECT(runs == THREADS);
    for (int n = 0; n < THREADS; n++)
        EXPECT(visited[n] == 1);
    CHECK(cudaMemcpyAsync(to, from, sizeof to, cudaMemcpyDeviceToHost, stream));
    EXPECT(to[0] == 3 && to[1] == 4);
    CHECK(cudaStreamDestroy(stream));
}

TEST(reverse_is_forward_backwards)
{
    launch_in("forward");
    int forward[THREADS];
    memcpy(forward, run_order, sizeof forward);
    launch_in("reverse");
    for (int n = 0; n < THREADS; n++)
        EXPECT(run_order[n] == forward[THREADS - 1 - n]);
}

TEST(shuffle_is_a_new_order_every_time)
{
    launch_in("shuffle:7");
    int first[THREADS];
    memcpy(first, run_order, sizeof first);
    launch_in("shuffle:7");
    int same = 0;
    for (int n = 0; n < THREADS; n++)
        same += run_order[n] == first[n];
    EXPECT(same < THREADS / 4);
}

TEST(a_seed_is_a_sequence_of_orders)
{
    int first[THREADS], second[THREADS];
    launch_in("shuffle:7");
    memcpy(first, run_order, sizeof first);
    launch_in("shuffle:7");
    memcpy(second, run_order, sizeof second);
    launch_in("shuffle:8");
    EXPECT(memcmp(run_order, first, sizeof first) != 0);
    launch_in("shuffle:7");
    EXPECT(memcmp(run_order, first, sizeof first) == 0);
    launch_in("shuffle:7");
    EXPECT(memcmp(run_order, second, sizeof second) == 0);
}

/** In-place push streaming on one grid: what a cell receives is overwritten, or not, as the order has it. */
static __global__ void racy_step(Physics physics, const CellType *type, float *f)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= physics.width || y >= physics.height)
        return;
    float local[9];
    memcpy(local, f + 9 * (y * physics.width + x), sizeof local);
    collide(local, FLUID, y, &physics);
    for (int i = 0; i < 9; i++) {
        const Destination destination = boundary(&physics, type, x, y, i);
        f[9 * destination.cell + destination.direction] = local[i] + destination.gain;
    }
}

static void racy_result(const char *order, const Scenario *s, float *f)
{
    const dim3 one = {1, 1, 1}, all = {16, 16, 1};
    setenv("LBM_THREAD_ORDER", order, 1);
    initial_populations(s, f);
    LAUNCH(racy_step, one, all, s->physics, s->type, f);
}

TEST(the_thread_order_shows_a_race)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 16, .height = 16});
    const size_t bytes = 9 * cell_count(&s) * sizeof(float);
    float *forward = allocate(bytes), *other = allocate(bytes);
    racy_result("forward", &s, forward);
    racy_result("reverse", &s, other);
    EXPECT(memcmp(forward, other, bytes) != 0);
    racy_result("shuffle", &s, other);
    EXPECT(memcmp(forward, other, bytes) != 0);
    racy_result("forward", &s, other);
    EXPECT(memcmp(forward, other, bytes) == 0);
    free(forward);
    free(other);
    destroy_scenario(&s);
}

TEST(a_bare_launch_that_is_refused_tells_only_who_asks)
{
    const dim3 too_large = {64, 32, 1};
    setenv("LBM_THREAD_ORDER", "forward", 1);
    memset(visited, 0, sizeof visited);
    runs = 0;
    UNCHECKED_LAUNCH(visit, grid, too_large, visited);
    EXPECT(runs == 0);
    CHECK(cudaDeviceSynchronize());
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    EXPECT(cudaGetLastError() == cudaSuccess);
    UNCHECKED_LAUNCH(visit, grid, block, visited);
    EXPECT(runs == THREADS && cudaGetLastError() == cudaSuccess);
}

static __global__ void halve(volatile float *number)
{
    *number *= 0.5f;
}

static void halve_twice(float *number)
{
    const dim3 one = {1, 1, 1};
    for (int n = 0; n < 2; n++)
        LAUNCH(halve, one, one, number);
}

static void halve_after_a_refusal(float *number)
{
    const dim3 one = {1, 1, 1}, too_large = {64, 32, 1};
    UNCHECKED_LAUNCH(halve, one, too_large, number);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
    LAUNCH(halve, one, one, number);
}

TEST(a_kernel_keeps_subnormal_numbers_that_the_host_may_flush)
{
    EXPECT(keeps_subnormals(halve_twice, 0x1p-128f));
    EXPECT(keeps_subnormals(halve_after_a_refusal, 0x1p-127f));
}

TEST(device_memory_starts_as_nan)
{
    float *memory = NULL;
    EXPECT(cudaMalloc((void **)&memory, 8 * sizeof *memory) == cudaSuccess);
    for (int n = 0; n < 8; n++)
        EXPECT(isnan(memory[n]));
    EXPECT(cudaFree(memory) == cudaSuccess);
}

/** Exit code of a call in a process of its own. */
static int exit_code_of(void (*call)(void))
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(99);
        call();
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(the_environment_names_the_device)
{
    char names[256] = "";
    for (int n = 1; n < known_device_count; n++) {
        const KnownDevice *device = &known_devices[n];
        setenv("LBM_DEVICE", device->name, 1);
        EXPECT(emulated_device() == device && gpu_shared_bytes() == device->shared_bytes);
        EXPECT(gpu_multiprocessors() == device->multiprocessors);
        EXPECT((device->cluster_blocks > 0) == (device->capability >= 90));
        strcat(names, n == 1 ? "" : n < known_device_count - 1 ? ", " : " or ");
        strcat(names, device->name);
    }
    EXPECT(strcmp(names, KNOWN_DEVICE_NAMES) == 0);
    setenv("LBM_DEVICE", "", 1);
    EXPECT(emulated_device() == &known_devices[0]);
    unsetenv("LBM_DEVICE");
    EXPECT(emulated_device() == &known_devices[0]);
}

static void launch_on_no_device(void)
{
    setenv("LBM_DEVICE", "rtx", 1);
    gpu_multiprocessors();
}

static void launch_in_no_order(void)
{
    setenv("LBM_THREAD_ORDER", "sideways", 1);
    LAUNCH(visit, grid, block, visited);
}

static void launch_with_a_negative_seed(void)
{
    setenv("LBM_THREAD_ORDER", "shuffle:-5", 1);
    LAUNCH(visit, grid, block, visited);
}

static void launch(dim3 in_grid, dim3 of_block)
{
    setenv("LBM_THREAD_ORDER", "forward", 1);
    LAUNCH(visit_none, in_grid, of_block, THREADS);
}

static void launch_full_blocks(void)
{
    launch((dim3){2, 3, 1}, (dim3){32, 32, 1});
    launch((dim3){1, 65535, 1}, (dim3){1, 1, 1});
}

static void launch_with_too_many_threads(void)
{
    launch((dim3){1, 1, 1}, (dim3){33, 32, 1});
}

static void launch_with_too_wide_a_block(void)
{
    launch((dim3){1, 1, 1}, (dim3){1u << 31, 2, 1});
}

static void launch_with_too_high_a_grid(void)
{
    launch((dim3){1, 65536, 1}, (dim3){1, 1, 1});
}

static void launch_with_the_deepest_grid(void)
{
    launch((dim3){1, 1, 65535}, (dim3){1, 1, 1});
}

static void launch_with_too_deep_a_grid(void)
{
    launch((dim3){1, 1, 65536}, (dim3){1, 1, 1});
}

static void launch_with_an_empty_block(void)
{
    launch((dim3){1, 1, 1}, (dim3){32, 0, 1});
}

static void launch_an_empty_grid(void)
{
    launch((dim3){0, 1, 1}, (dim3){32, 8, 1});
}

static void need_too_much(void)
{
    gpu_need((size_t)1 << 60);
}

static void need_little(void)
{
    gpu_need(1 << 20);
}

static void fail_a_call(void)
{
    CHECK(cudaErrorMemoryAllocation);
}

static void cover(Block shape, int height)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 2, .height = height});
    dim3 g, b;
    gpu_cover(&s, shape, &g, &b);
    destroy_scenario(&s);
}

/** Covers a scenario that is deep in name only. */
static void cover_deep(int depth)
{
    Scenario s = create_scenario(find_flow("taylor_green"), (Parameters){.width = 33, .height = 9});
    dim3 g, b;
    s.depth = depth;
    gpu_cover(&s, (Block){32, 8}, &g, &b);
    EXPECT(g.x == 2 && g.y == 2 && g.z == (unsigned)depth && b.x == 32 && b.y == 8 && b.z == 1);
    destroy_scenario(&s);
}

TEST(a_block_covers_cells_with_the_same_z)
{
    cover_deep(1);
    cover_deep(7);
}

static void cover_too_deep(void)
{
    cover_deep(70000);
}

static void cover_with_a_full_block(void)
{
    cover((Block){32, 32}, 8);
}

static void cover_with_too_many_threads(void)
{
    cover((Block){64, 32}, 8);
}

static void cover_with_too_wide_a_block(void)
{
    cover((Block){2048, 1}, 8);
}

static void cover_with_too_flat_a_block(void)
{
    cover((Block){32, 1}, 70000);
}

TEST(what_the_device_can_not_do_ends_the_program)
{
    EXPECT(exit_code_of(launch_on_no_device) == EXIT_USAGE);
    EXPECT(exit_code_of(launch_in_no_order) == EXIT_USAGE);
    EXPECT(exit_code_of(launch_with_a_negative_seed) == EXIT_USAGE);
    EXPECT(exit_code_of(launch_full_blocks) == 0);
    EXPECT(exit_code_of(launch_with_too_many_threads) == EXIT_MACHINE);
    EXPECT(exit_code_of(launch_with_too_wide_a_block) == EXIT_MACHINE);
    EXPECT(exit_code_of(launch_with_too_high_a_grid) == EXIT_MACHINE);
    EXPECT(exit_code_of(launch_with_the_deepest_grid) == 0);
    EXPECT(exit_code_of(launch_with_too_deep_a_grid) == EXIT_MACHINE);
    EXPECT(exit_code_of(launch_with_an_empty_block) == EXIT_MACHINE);
    EXPECT(exit_code_of(launch_an_empty_grid) == EXIT_MACHINE);
    EXPECT(exit_code_of(cover_too_deep) == EXIT_USAGE);
    EXPECT(exit_code_of(need_little) == 0);
    EXPECT(exit_code_of(need_too_much) == EXIT_MACHINE);
    EXPECT(exit_code_of(fail_a_call) == EXIT_MACHINE);
    EXPECT(exit_code_of(cover_with_a_full_block) == 0);
    EXPECT(exit_code_of(cover_with_too_many_threads) == EXIT_USAGE);
    EXPECT(exit_code_of(cover_with_too_wide_a_block) == EXIT_USAGE);
    EXPECT(exit_code_of(cover_with_too_flat_a_block) == EXIT_USAGE);
}
