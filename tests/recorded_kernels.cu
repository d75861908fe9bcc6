// Kernels whose transactions are known, compiled for the recorder.
#include "recorded_kernels.h"

#include "gpu/counter.h"
#include "gpu/gpu.h"
#include "gpu/lane.h"
#include "gpu/packet.h"

enum { ROOM = 1 << 16 };

static const dim3 one = {1, 1, 1}, warp = {32, 1, 1};
static float *memory;

static __global__ void strided(float *to, int stride, int shift)
{
    to[(blockIdx.x * blockDim.x + threadIdx.x) * stride + shift] = 1.0f;
}

static __global__ void strided_load(float *to, int stride)
{
    if (to[threadIdx.x * stride] == 2.0f)
        to[0] = 3.0f;
}

static __global__ void pairs(float *to)
{
    ((uint64_t *)to)[threadIdx.x] = 1;
}

static __global__ void bytes(float *to)
{
    ((unsigned char *)to)[threadIdx.x] = 1;
}

static __global__ void halves(float *to, int shift)
{
    const __half one_half = __float2half_rn(1.0f);
    if (shift == 0)
        ((__half2 *)to)[threadIdx.x] = __halves2half2(one_half, one_half);
    else {
        __half *const own = (__half *)to + 2 * threadIdx.x + shift;
        own[0] = one_half;
        own[1] = one_half;
    }
}

static __global__ void float_pairs(float *to)
{
    const float2 own = ((const float2 *)to)[threadIdx.x];
    ((float2 *)to)[threadIdx.x + 64] = make_float2(own.y, own.x);
}

typedef struct {
    float f[9];
} Nine;

static __global__ void structures(float *to)
{
    Nine own;
    memcpy(&own, to + 9 * threadIdx.x, sizeof own);
    own.f[0] += 1.0f;
    ((Nine *)to)[32 + threadIdx.x] = own;
}

typedef struct __align__(16)
{
    float a, b, c, d;
}
Four;

typedef struct __align__(16)
{
    float a, b, c;
}
WideThree;

typedef struct {
    float a, b, c, d;
} PlainFour;

typedef struct {
    float a, b, c;
} Three;

typedef struct {
    float a, b;
} PlainTwo;

typedef struct {
    uint16_t a, b, c;
} Shorts;

// A structure of a thread is assigned and copied, in device memory and in shared memory.
#define STRUCTURE(Type, ...)                                                                                 \
    static __global__ void assign_##Type(float *memory)                                                      \
    {                                                                                                        \
        ((Type *)memory)[threadIdx.x] = (Type){__VA_ARGS__};                                                 \
    }                                                                                                        \
    static __global__ void copy_##Type(float *memory)                                                        \
    {                                                                                                        \
        ((Type *)memory)[32 + threadIdx.x] = ((Type *)memory)[threadIdx.x];                                  \
    }                                                                                                        \
    static __global__ void share_##Type(float *memory)                                                       \
    {                                                                                                        \
        SHARED(float, words);                                                                                \
        ((Type *)words)[threadIdx.x] = (Type){__VA_ARGS__};                                                  \
        __syncthreads();                                                                                     \
        ((Type *)memory)[threadIdx.x] = ((Type *)words)[threadIdx.x];                                        \
    }                                                                                                        \
    BLOCK_KERNEL(share_##Type, float *);                                                                     \
    static void launch_assign_##Type(void)                                                                   \
    {                                                                                                        \
        LAUNCH(assign_##Type, one, warp, memory);                                                            \
    }                                                                                                        \
    static void launch_copy_##Type(void)                                                                     \
    {                                                                                                        \
        LAUNCH(copy_##Type, one, warp, memory);                                                              \
    }                                                                                                        \
    static void launch_share_##Type(void)                                                                    \
    {                                                                                                        \
        LAUNCH_BLOCKS(share_##Type, one, warp, 1024, memory);                                                \
    }

STRUCTURE(Four, 1.0f, 2.0f, 3.0f, 4.0f)
STRUCTURE(WideThree, 1.0f, 2.0f, 3.0f)
STRUCTURE(PlainFour, 1.0f, 2.0f, 3.0f, 4.0f)
STRUCTURE(Three, 1.0f, 2.0f, 3.0f)
STRUCTURE(float2, 1.0f, 2.0f)
STRUCTURE(PlainTwo, 1.0f, 2.0f)
STRUCTURE(Shorts, 1, 2, 3)

typedef struct {
    Four a, b;
} Row;

// What is no assignment, and stays as it is.
static const Row rows[] = {
    {.a = (Four){1.0f, 2.0f, 3.0f, 4.0f}, .b = (Four){5.0f, 6.0f, 7.0f, 8.0f}},
};
static const Four first = (Four){1.0f, 2.0f, 3.0f, 4.0f}, second = (Four){5.0f, 6.0f, 7.0f, 8.0f};

// Assignments, wherever they are in a line.
// clang-format off
static void assign(Four *to, const float v) { to[threadIdx.x] = (Four){v, v, v, v}; }
static __global__ void assignments(float *memory)
{
    Four *const to = (Four *)memory;
    to[32 + threadIdx.x] = (Four){1.0f, 2.0f, 3.0f, 4.0f}; to[64 + threadIdx.x] = (Four){2.0f, 3.0f, 4.0f, 5.0f};
    to[96 + threadIdx.x] = (Four){1.0f, 2.0f, 3.0f, 4.0f}; // a constant, and not static
    assign(to, rows[0].b.c + first.a + second.a);
}
// clang-format on

// Structures of 8 bytes that lie 12 bytes apart.
static __global__ void apart(float *from)
{
    SHARED(float, words);
    PlainTwo *const own = (PlainTwo *)(words + 3 * threadIdx.x);
    *own = ((PlainTwo *)from)[threadIdx.x];
}
BLOCK_KERNEL(apart, float *);

// Each of some blocks sends the next one a packet, waits for its own, and then arrives and waits for all.
static __global__ void send(float *memory)
{
    Packet *const packets = (Packet *)memory;
    unsigned *const arrivals = (unsigned *)(packets + 32 * gridDim.x);
    int timed_out = 0;
    for (uint32_t step = 1; step <= 2; step++) {
        Wait wait = {&timed_out, 0, 0};
        store_packet(&packets[32 * ((blockIdx.x + 1) % gridDim.x) + threadIdx.x], 1.0f, 2.0f, 3.0f, step);
        while (load_packet(&packets[32 * blockIdx.x + threadIdx.x]).step != step && keep_waiting(&wait))
            ;
        __syncthreads();
        if (threadIdx.x == 0) {
            arrive(arrivals);
            while (load_arrivals(arrivals) < step * gridDim.x && keep_waiting(&wait))
                ;
        }
        __syncthreads();
    }
}
BLOCK_KERNEL(send, float *);

static __global__ void idle(float *to)
{
    (void)to;
}

// Even lanes store in one place of the program, odd ones in another, which no compiler can make one.
static __global__ void divergent(float *to)
{
    if (threadIdx.x % 2 == 0)
        to[threadIdx.x] = 1.0f;
    else
        ((unsigned char *)to)[4 * threadIdx.x] = 1;
}

// Lane k comes by k + 1 times.
static __global__ void uneven(float *to)
{
    for (unsigned n = 0; n <= threadIdx.x; n++)
        to[32 * n + threadIdx.x] = 1.0f;
}

static __global__ void twice(const float *from, float *to)
{
    to[threadIdx.x] = from[threadIdx.x] + from[threadIdx.x + 8];
}

static __global__ void in_shared_memory(float *to, int stride)
{
    SHARED(float, row);
    row[threadIdx.x * (unsigned)stride % 1024] = 1.0f;
    __syncthreads();
    to[threadIdx.x] = row[0];
}
BLOCK_KERNEL(in_shared_memory, float *, int);

static __global__ void on_lanes(const float *from, float *to)
{
    const LaneInt column = lane_number();
    store_two(to, column, column < 16, load(from, column + 1), broadcast(from[warp_number()]));
    store(to, column, column < 0, broadcast(0.0f)); // no lane does
}

// Each of two warps copies a row into shared memory, and stores the row of the other one.
static __global__ void lanes_that_share(const float *from, float *to)
{
    SHARED(float, shared);
    copy_async_word(shared + threadIdx.x * LANES, from + threadIdx.x * LANES, lane_number());
    __syncthreads();
    store(to + threadIdx.x * LANES, lane_number(), lane_number() >= 0,
          load(shared + (1 - threadIdx.x) * LANES, lane_number()));
}
BLOCK_KERNEL(lanes_that_share, const float *, float *);

static void launch_strided(void)
{
    LAUNCH(strided, one, warp, memory, 1, 0);
}

static void launch_shifted(void)
{
    LAUNCH(strided, one, warp, memory, 1, 1);
}

static void launch_ninth(void)
{
    LAUNCH(strided, one, warp, memory, 9, 0);
}

static void launch_partial_warp(void)
{
    const dim3 block = {40, 1, 1};
    LAUNCH(strided, one, block, memory, 1, 0);
}

static void launch_blocks_of_rows(void)
{
    const dim3 grid = {3, 1, 1}, block = {16, 4, 1};
    LAUNCH(strided, grid, block, memory, 1, 0);
}

static void launch_loads(void)
{
    LAUNCH(strided_load, one, warp, memory, 0);
}

static void launch_pairs(void)
{
    LAUNCH(pairs, one, warp, memory);
}

static void launch_bytes(void)
{
    LAUNCH(bytes, one, warp, memory);
}

static __global__ void atomic_additions(float *to)
{
    atomicAdd(to, to[threadIdx.x + 32]);
}

static void launch_atomic_additions(void)
{
    LAUNCH(atomic_additions, one, warp, memory);
}

static void launch_float_pairs(void)
{
    LAUNCH(float_pairs, one, warp, memory);
}

static void launch_structures(void)
{
    LAUNCH(structures, one, warp, memory);
}

static void launch_plain_block(void)
{
    const dim3 block = {.x = 32, .y = 2}; // z is 1 in C++, and 0 in C
    LAUNCH(strided, one, block, memory, 1, 0);
}

static void launch_halves(void)
{
    LAUNCH(halves, one, warp, memory, 0);
}

static void launch_shifted_halves(void)
{
    LAUNCH(halves, one, warp, memory, 1);
}

static void launch_divergent(void)
{
    LAUNCH(divergent, one, warp, memory);
}

static void launch_uneven(void)
{
    LAUNCH(uneven, one, warp, memory);
}

static void launch_twice(void)
{
    LAUNCH(twice, one, warp, memory, memory + 1024);
    LAUNCH(twice, one, warp, memory, memory + 1024);
}

static void launch_deep(void)
{
    const dim3 grid = {1, 1, 3};
    LAUNCH(twice, grid, warp, memory, memory + 1024);
}

static void launch_shared(void)
{
    LAUNCH_BLOCKS(in_shared_memory, one, warp, 4096, memory, 1);
}

static void launch_conflicts(void)
{
    LAUNCH_BLOCKS(in_shared_memory, one, warp, 4096, memory, 2);
}

static void launch_column(void)
{
    LAUNCH_BLOCKS(in_shared_memory, one, warp, 4096, memory, 32);
}

static void launch_lanes(void)
{
    LAUNCH_WARPS(on_lanes, 4, memory, memory + 1024);
}

static void launch_lanes_that_share(void)
{
    const dim3 two = {2, 1, BLOCK_Z};
    LAUNCH_BLOCKS(lanes_that_share, one, two, 2 * LANES * sizeof(float), memory, memory + 1024);
}

static void launch_assignments(void)
{
    LAUNCH(assignments, one, warp, memory);
}

static void launch_apart(void)
{
    LAUNCH_BLOCKS(apart, one, warp, 1024, memory);
}

static void launch_packets(void)
{
    const dim3 three = {3, 1, 1};
    CHECK(cudaMemset(memory, 0, ROOM));
    LAUNCH_COOPERATIVE(send, three, warp, 0, memory);
}

static void launch_idle(void)
{
    LAUNCH(strided, one, warp, memory, 1, 0);
    LAUNCH(idle, one, warp, memory);
}

static void launch_nothing(void)
{
}

#define CASES(Type)                                                                                          \
    {"assign " #Type, launch_assign_##Type}, {"copy " #Type, launch_copy_##Type},                            \
    {                                                                                                        \
        "share " #Type, launch_share_##Type                                                                  \
    }

static const struct {
    const char *name;
    void (*launch)(void);
} cases[] = {
    {"strided",        launch_strided         },
    {"shifted",        launch_shifted         },
    {"ninth",          launch_ninth           },
    {"partial warp",   launch_partial_warp    },
    {"blocks of rows", launch_blocks_of_rows  },
    {"loads",          launch_loads           },
    {"pairs",          launch_pairs           },
    {"float pairs",    launch_float_pairs     },
    {"structures",     launch_structures      },
    {"atomics",        launch_atomic_additions},
    {"plain block",    launch_plain_block     },
    {"bytes",          launch_bytes           },
    {"halves",         launch_halves          },
    {"shifted halves", launch_shifted_halves  },
    {"divergent",      launch_divergent       },
    {"uneven",         launch_uneven          },
    {"twice",          launch_twice           },
    {"deep",           launch_deep            },
    {"shared",         launch_shared          },
    {"conflicts",      launch_conflicts       },
    {"column",         launch_column          },
    {"lanes",          launch_lanes           },
    {"sharing lanes",  launch_lanes_that_share},
    {"assignments",    launch_assignments     },
    {"apart",          launch_apart           },
    {"packets",        launch_packets         },
    {"idle",           launch_idle            },
    {"nothing",        launch_nothing         },
    CASES(Four),
    CASES(WideThree),
    CASES(PlainFour),
    CASES(Three),
    CASES(float2),
    CASES(PlainTwo),
    CASES(Shorts),
};

void launch_case(const char *name)
{
    if (!memory) {
        CHECK(cudaMalloc((void **)&memory, ROOM));
        CHECK(cudaMemset(memory, 0, ROOM));
    }
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++)
        if (strcmp(cases[n].name, name) == 0)
            cases[n].launch();
}
