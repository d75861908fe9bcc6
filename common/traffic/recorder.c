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
#define DEVICE_BYTES ((size_t)4 << 30)

/** What a warp has done so far at one instruction. */
typedef struct {
    Request *request;
    int count, room;
    int visits[WARP]; // of each lane
} Requests;

/** A block that runs. */
typedef struct {
    Requests *at[MOST_INSTRUCTIONS]; // [warps]; NULL: no warp has come there
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
    int interleaved;   // whether threads of several blocks take turns; else one block runs after the other
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

/** Its number in the block. */
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

static void count_sector(Sums *sums, Access access, uintptr_t address, int block)
{
    const size_t sector = (address - (uintptr_t)device.memory) / SECTOR;
    const uint8_t kind = access == LOAD ? LOADED : STORED;
    Bytes *least = &launch.kernel->dram[LEAST];
    if (!(device.touched[sector] & kind))
        *(access == LOAD ? &least->read : &least->written) += SECTOR;
    device.touched[sector] |= kind;
    if (access == LOAD && device.loaded_by[sector] == serial) {
        sums->hits++;
        return;
    }
    if (access == LOAD)
        device.loaded_by[sector] = serial;
    access_l2(sector, access == STORE, block);
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
    if (!request->lanes)
        return;
    const Units sectors = sectors_of(request, instruction->size);
    const int is_global = !is_shared(instruction->access);
    sums->requests++;
    const int cost = is_global ? sectors.count : wavefronts_of(request, instruction->size);
    sums->sectors += (uint64_t)cost;
    for (int n = 0; n < sectors.count; n++) {
        sums->bytes += (uint64_t)__builtin_popcount(sectors.bytes[n]);
        if (is_global)
            count_sector(sums, instruction->access, sectors.number[n] * SECTOR, block);
    }
    keep_better(&instruction->sample, &(Sample){*request, cost, block == middle});
}

/* ---- blocks ---- */

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

/** Counts what a block did, and forgets it. */
static void count_block(Running *running, int block)
{
    const int *order = in_order();
    serial++;
    for (int i = 0; i < launch.kernel->instruction_count && running; i++)
        for (int warp = 0; warp < launch.warps && running->at[order[i]]; warp++) {
            Requests *at = &running->at[order[i]][warp];
            for (int n = 0; n < at->count; n++)
                count_request(&launch.kernel->instruction[order[i]], &at->request[n], block);
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

/** The block of the thread that runs now. */
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

static int is_at(const Instruction *instruction, const void *place, Access access)
{
    return instruction->place == place && instruction->access == access;
}

static int number_of(const void *place, Access access, unsigned size)
{
    Kernel *kernel = launch.kernel;
    int *number = &launch.number[(((uintptr_t)place * 4 + access) * 0x9e3779b97f4a7c15u >> 40) % SLOTS];
    if (*number < kernel->instruction_count && is_at(&kernel->instruction[*number], place, access))
        return *number;
    for (*number = 0; *number < kernel->instruction_count; ++*number)
        if (is_at(&kernel->instruction[*number], place, access))
            return *number;
    if (*number == MOST_INSTRUCTIONS)
        fail(EXIT_MACHINE,
             "the kernel %s has more than %d loads and stores, which the recorder can't tell apart",
             kernel->name, MOST_INSTRUCTIONS);
    kernel->instruction[kernel->instruction_count++] =
        (Instruction){.place = place, .access = access, .size = size};
    return *number;
}

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

/** Whether threads of several blocks take turns. */
static int is_interleaved(void)
{
    Schedule schedule = {0};
    make_schedule(&schedule, 1);
    free(schedule.shuffled);
    return schedule.order == SHUFFLE;
}

static void begin_launch(void)
{
    if (!is_on)
        return;
    launch.kernel = kernel_called(launch_name);
    const int threads = (int)(blockDim.x * blockDim.y);
    launch.warps = is_warp() ? threads : (threads + WARP - 1) / WARP;
    launch.blocks = (int)block_count();
    launch.interleaved = is_interleaved();
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
    is_interleaved(); // refuses an order that is none
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
    return &recording;
}

/* ---- accesses ---- */

/** The n-th request of a warp at an instruction. */
static Request *nth_request(Requests *requests, int n)
{
    if (n >= requests->room) {
        requests->room = 2 * n + 4;
        requests->request = reallocate(requests->request, (size_t)requests->room * sizeof *requests->request);
    }
    while (requests->count <= n)
        requests->request[requests->count++].lanes = 0;
    return &requests->request[n];
}

/** The request to which an access of the thread that runs now belongs. */
static Request *this_request(const void *place, Access access, unsigned size)
{
    Requests **at = &running_block()->at[number_of(place, access, size)];
    if (!*at)
        *at = allocate((size_t)launch.warps * sizeof **at);
    const int thread = own_thread();
    Requests *own = is_warp() ? *at + thread : *at + thread / WARP;
    return nth_request(own, own->visits[is_warp() ? 0 : thread % WARP]++);
}

/** Where memory is on a GPU; what is shared begins there at 0. Returns 0 for a thread's own. */
static int find_on_gpu(uintptr_t *address, Access *access)
{
    if (is_on_device(*address))
        return 1;
    const ptrdiff_t place = place_in_shared_memory((const void *)*address);
    *address = (uintptr_t)place;
    *access = *access == LOAD ? SHARED_LOAD : SHARED_STORE;
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
