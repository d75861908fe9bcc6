#include "traffic/recorder.h"

#include "gpu/gpu.h"
#include "gpu/thread_order.h"
#include "host/allocate.h"
#include "host/fail.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 256, MOST_INSTRUCTIONS = 1024, SLOTS = 4 * MOST_INSTRUCTIONS };
enum { MOST_INTERLEAVED = 1 << 15 }; // blocks
enum { WIDEST = 16 };                // bytes of a thread's access
#define DEVICE_BYTES ((size_t)4 << 30)

/** What a warp has done so far at one instruction. */
typedef struct {
    Request *request;
    int count, capacity;
    int visits[WARP]; // of each lane
} Requests;

/** A block that runs. */
typedef struct {
    Requests *at[MOST_INSTRUCTIONS]; // [warps]; NULL: no warp has come there
    uint8_t polled[MOST_THREADS];    // whether the last access of a thread was a poll
} Running;

/** Memory of the device, in pages that only take room once they are touched. */
static struct {
    char *memory;
    size_t used;         /**< bytes */
    uint32_t *loaded_by; /**< [sectors]: the serial number of the last block that did */
    uint8_t *touched;    /**< [sectors]: LOADED and STORED, in this launch */
} device;
enum { LOADED = 1, STORED = 2 };

static int is_on;
static Recording recording;
static uint32_t serial; // of the block that was counted last

/** The launch that runs now. */
static struct {
    Kernel *kernel; // NULL: none
    int warps, blocks;
    int interleaved;   // whether several blocks take turns; else one runs after the other
    int block;         // that runs, if they are not
    Running **running; // [blocks], or the one
    int number[SLOTS]; // of the instruction last seen with that hash
} launch;

/* ---- the thread that runs now ---- */

/** Whether it is a whole warp, each of whose lanes makes its accesses. */
static int is_warp(void)
{
    return blockDim.z == WARP_PER_THREAD;
}

static int own_thread(void)
{
    return (int)(threadIdx.y * blockDim.x + threadIdx.x);
}

/* ---- memory of the device ---- */

/** Aligned like CUDA's; never used again. */
static void *allocate_on_device(size_t bytes)
{
    const size_t begin = device.used;
    if (bytes > DEVICE_BYTES - begin)
        return NULL;
    device.used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return device.memory + begin;
}

static int is_on_device(uintptr_t address)
{
    return address - (uintptr_t)device.memory < device.used;
}

/* ---- what requests cost ---- */

static void count_sector(Instruction *instruction, uintptr_t address, int block)
{
    const Access access = instruction->access;
    const size_t sector = (address - (uintptr_t)device.memory) / SECTOR;
    Bytes *least = &launch.kernel->dram[LEAST];
    if (access != STORE && !(device.touched[sector] & LOADED))
        least->read += SECTOR;
    if (access != LOAD && !(device.touched[sector] & STORED))
        least->written += SECTOR;
    device.touched[sector] |= (access != STORE ? LOADED : 0) | (access != LOAD ? STORED : 0);
    const int is_cached = access == LOAD && !instruction->polls;
    if (is_cached && device.loaded_by[sector] == serial) {
        instruction->sums.hits++;
        return;
    }
    if (is_cached)
        device.loaded_by[sector] = serial;
    if (access == ATOMIC)
        access_l2(sector, 0, block);
    access_l2(sector, access != LOAD, block);
}

void keep_better(Sample *sample, const Sample *other)
{
    if (other->is_in_the_middle != sample->is_in_the_middle ? other->is_in_the_middle
                                                            : other->sectors > sample->sectors)
        *sample = *other;
}

static void count_request(Instruction *instruction, const Request *request, int block)
{
    const int middle = (int)((gridDim.z / 2 * gridDim.y + gridDim.y / 2) * gridDim.x + gridDim.x / 2);
    Sums *sums = &instruction->sums;
    const Units sectors = sectors_of(request, instruction->size);
    const int is_global = !is_shared(instruction->access);
    sums->requests++;
    const int cost = is_global ? sectors.count : wavefronts_of(request, instruction->size);
    sums->sectors += (uint64_t)cost;
    if (is_atomic(instruction->access))
        sums->conflicts += (uint64_t)conflicts_of(request);
    for (int n = 0; n < sectors.count; n++) {
        sums->bytes += (uint64_t)__builtin_popcount(sectors.bytes[n]);
        if (is_global)
            count_sector(instruction, sectors.number[n] * SECTOR, block);
    }
    keep_better(&instruction->sample, &(Sample){*request, cost, block == middle});
}

/* ---- instructions ---- */

static int is_at(const Instruction *instruction, const void *place, Access access, unsigned size)
{
    return instruction->place == place && instruction->access == access && instruction->size == size;
}

static int number_of(const void *place, Access access, unsigned size)
{
    Kernel *kernel = launch.kernel;
    const uintptr_t key = ((uintptr_t)place * ACCESSES + access) * 32 + size;
    int *number = &launch.number[(key * 0x9e3779b97f4a7c15u >> 40) % SLOTS];
    if (*number < kernel->instruction_count && is_at(&kernel->instruction[*number], place, access, size))
        return *number;
    for (*number = 0; *number < kernel->instruction_count; ++*number)
        if (is_at(&kernel->instruction[*number], place, access, size))
            return *number;
    if (*number == MOST_INSTRUCTIONS)
        fail(EXIT_MACHINE,
             "the kernel %s has more than %d loads and stores, which the recorder can't tell apart",
             kernel->name, MOST_INSTRUCTIONS);
    kernel->instruction[kernel->instruction_count++] =
        (Instruction){.place = place, .access = access, .size = size};
    return *number;
}

static int by_place(const void *a, const void *b)
{
    const Instruction *left = &launch.kernel->instruction[*(const int *)a],
                      *right = &launch.kernel->instruction[*(const int *)b];
    return (left->place > right->place) - (left->place < right->place);
}

/** Numbers of the kernel's instructions in the order of the program, which is that of no threads. */
static const int *in_order(void)
{
    static int order[MOST_INSTRUCTIONS];
    for (int n = 0; n < launch.kernel->instruction_count; n++)
        order[n] = n;
    qsort(order, (size_t)launch.kernel->instruction_count, sizeof *order, by_place);
    return order;
}

/* ---- blocks ---- */

/** Counts what a warp accesses of its lanes' structures, which begin at these addresses. */
static void count_structures(Instruction *whole, const Request *first, int block)
{
    Request request = *first;
    unsigned width = is_shared(whole->access) && has_two_addresses(&request) ? WIDEST : whole->widest;
    while (whole->size % width != 0 || !is_aligned(&request, width))
        width /= 2;
    Instruction *part = &launch.kernel->instruction[number_of(whole->place, whole->access, width)];
    for (unsigned n = 0; n < whole->size; n += width) {
        count_request(part, &request, block);
        for (int lane = 0; lane < WARP; lane++)
            request.address[lane] += width;
    }
}

/** Counts what a block did, and forgets it. */
static void count_block(Running *running, int block)
{
    const int *order = in_order(), count = launch.kernel->instruction_count;
    serial++;
    for (int i = 0; i < count && running; i++)
        for (int warp = 0; warp < launch.warps && running->at[order[i]]; warp++) {
            Instruction *instruction = &launch.kernel->instruction[order[i]];
            Requests *at = &running->at[order[i]][warp];
            for (int n = 0; n < at->count; n++)
                if (at->request[n].lanes)
                    (instruction->widest ? count_structures : count_request)(instruction, &at->request[n],
                                                                             block);
            at->count = 0;
            memset(at->visits, 0, sizeof at->visits);
        }
}

static void destroy_running(Running *running)
{
    for (int i = 0; i < launch.kernel->instruction_count && running; i++) {
        for (int warp = 0; warp < launch.warps && running->at[i]; warp++)
            free(running->at[i][warp].request);
        free(running->at[i]);
    }
    free(running);
}

static Running *running_block(void)
{
    const int block = (int)block_number();
    if (!launch.interleaved && block != launch.block) {
        count_block(launch.running[0], launch.block);
        launch.block = block;
    }
    Running **running = &launch.running[launch.interleaved ? block : 0];
    if (!*running)
        *running = allocate(sizeof **running);
    return *running;
}

/* ---- launches ---- */

static Kernel *kernel_called(const char *name)
{
    int n = 0;
    while (n < recording.count && strcmp(recording.kernel[n].name, name) != 0)
        n++;
    if (n == recording.count) {
        recording.kernel = reallocate(recording.kernel, (size_t)++recording.count * sizeof *recording.kernel);
        recording.kernel[n] =
            (Kernel){.name = name, .instruction = allocate(MOST_INSTRUCTIONS * sizeof(Instruction))};
    }
    return &recording.kernel[n];
}

/** Whether the threads of a launch run in an order that is shuffled. */
static int is_shuffled(void)
{
    Schedule schedule = {0};
    make_schedule(&schedule, 1);
    free(schedule.shuffled);
    return schedule.order == SHUFFLE;
}

static void begin_launch(int together)
{
    if (!is_on)
        return;
    launch.kernel = kernel_called(launch_name);
    const int threads = (int)(blockDim.x * blockDim.y);
    launch.warps = is_warp() ? threads : (threads + WARP - 1) / WARP;
    launch.blocks = (int)block_count();
    launch.interleaved = together || is_shuffled();
    if (launch.interleaved && launch.blocks > MOST_INTERLEAVED)
        fail(EXIT_USAGE,
             "%d blocks need too much memory; with LBM_THREAD_ORDER=shuffle traffic takes up to %d",
             launch.blocks, MOST_INTERLEAVED);
    launch.block = 0;
    launch.running = allocate((launch.interleaved ? (size_t)launch.blocks : 1) * sizeof *launch.running);
    memset(device.touched, 0, device.used / SECTOR);
    begin_l2(device.used / SECTOR);
}

static void end_launch(void)
{
    Kernel *kernel = launch.kernel;
    if (!kernel)
        return;
    for (int n = 0; n < (launch.interleaved ? launch.blocks : 1); n++) {
        count_block(launch.running[n], launch.interleaved ? n : launch.block);
        destroy_running(launch.running[n]);
    }
    free(launch.running);
    kernel->launches++;
    kernel->blocks += (uint64_t)launch.blocks;
    end_l2(kernel->dram);
    launch.kernel = NULL;
}

static const Observer recorder = {begin_launch, end_launch, allocate_on_device};

void prepare_recorder(void)
{
    const size_t sectors = DEVICE_BYTES / SECTOR,
                 bytes = DEVICE_BYTES + sectors * (sizeof *device.loaded_by + 1);
    device.memory =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (device.memory == MAP_FAILED)
        fail(EXIT_MACHINE, "no room for %zu bytes of addresses (ulimit -v bounds them)", bytes);
    device.loaded_by = (uint32_t *)(device.memory + DEVICE_BYTES);
    device.touched = (uint8_t *)(device.loaded_by + sectors);
    is_shuffled(); // refuses an order that is none
    observer = &recorder;
}

void begin_recording(void)
{
    for (int n = 0; n < recording.count; n++)
        free(recording.kernel[n].instruction);
    recording.count = 0;
    is_on = 1;
}

const Recording *end_recording(void)
{
    is_on = 0;
    if (recording.count == 0)
        fail(EXIT_MACHINE, "no kernel was launched: nothing was recorded");
    for (int n = 0; n < recording.count; n++)
        if (recording.kernel[n].instruction_count == 0)
            fail(EXIT_MACHINE,
                 "the kernel %s makes no access that is recorded: it accesses no memory, or the compiler did "
                 "not report it (-flto prevents that)",
                 recording.kernel[n].name);
    return &recording;
}

/* ---- accesses ---- */

static Request *nth_request(Requests *requests, int n)
{
    if (n >= requests->capacity) {
        requests->capacity = 2 * n + 4;
        requests->request =
            reallocate(requests->request, (size_t)requests->capacity * sizeof *requests->request);
    }
    while (requests->count <= n)
        requests->request[requests->count++].lanes = 0;
    return &requests->request[n];
}

/** The lane that the thread that runs now is in its warp, 0 if it is all of it. */
static int own_place(void)
{
    return is_warp() ? 0 : own_thread() % WARP;
}

static Requests *own_requests(Running *running, int number)
{
    Requests **at = &running->at[number];
    if (!*at)
        *at = allocate((size_t)launch.warps * sizeof **at);
    return *at + (is_warp() ? own_thread() : own_thread() / WARP);
}

/** The request to which an access of the thread that runs now belongs. */
static Request *this_request(const void *place, Access access, unsigned size)
{
    Running *running = running_block();
    Requests *own = own_requests(running, number_of(place, access, size));
    running->polled[own_thread()] = 0;
    return nth_request(own, own->visits[own_place()]++);
}

/** Where memory is on a GPU; what is shared begins there at 0. Returns 0 for a thread's own. */
static int find_on_gpu(uintptr_t *address, Access *access)
{
    if (is_on_device(*address))
        return 1;
    const ptrdiff_t place = place_in_shared_memory((const void *)*address);
    *address = (uintptr_t)place;
    *access += SHARED_LOAD - LOAD;
    return place >= 0;
}

void record_access(const void *place, Access access, const void *memory, unsigned size)
{
    uintptr_t address = (uintptr_t)memory;
    if (!launch.kernel || !find_on_gpu(&address, &access))
        return;
    Request *request = this_request(place, access, size);
    const int own = own_thread() % WARP;
    for (int lane = is_warp() ? 0 : own; lane <= (is_warp() ? WARP - 1 : own); lane++) {
        request->address[lane] = address;
        request->lanes |= 1u << lane;
    }
}

void record_structure(const void *place, Access access, const void *memory, unsigned size, unsigned widest)
{
    uintptr_t address = (uintptr_t)memory;
    record_access(place, access, memory, size);
    if (launch.kernel && find_on_gpu(&address, &access))
        launch.kernel->instruction[number_of(place, access, size)].widest = widest;
}

void record_atomic(const void *place, const void *memory, size_t bytes)
{
    record_access(place, ATOMIC, memory, (unsigned)bytes);
}

void record_polled(void *to, const void *from, size_t bytes)
{
    const void *place = __builtin_return_address(0);
    memcpy(to, from, bytes);
    if (!launch.kernel || !is_on_device((uintptr_t)from))
        return;
    Running *running = running_block();
    const int number = number_of(place, LOAD, (unsigned)bytes), own = own_place();
    const Requests *before = own_requests(running, number);
    if (running->polled[own_thread()] && before->visits[own] > 0 &&
        before->request[before->visits[own] - 1].address[own] == (uintptr_t)from)
        return;
    launch.kernel->instruction[number].polls = 1;
    record_access(place, LOAD, from, (unsigned)bytes);
    running->polled[own_thread()] = 1;
}

void record_lanes(const void *place, Access access, const void *memory, size_t bytes, const int *index,
                  const int *condition)
{
    uintptr_t first = (uintptr_t)memory;
    if (!launch.kernel || (!is_shared(access) && !find_on_gpu(&first, &access)))
        return;
    Request *request = this_request(place, access, (unsigned)bytes);
    for (int lane = 0; lane < WARP; lane++) {
        request->address[lane] = first + (uintptr_t)((ptrdiff_t)bytes * index[lane]);
        request->lanes |= (uint32_t)(!condition || condition[lane]) << lane;
    }
}
