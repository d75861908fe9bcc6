/**
 * @file gpu_on_cpu.h
 * CUDA without a GPU: what the .cu files use of it, for a C compiler. A launch runs its threads one after
 * another, in the order that the environment variable LBM_THREAD_ORDER names: forward (the default), reverse,
 * or shuffle[:SEED]. A kernel whose result depends on the order has a race. Blocks and grids have two
 * dimensions; what CUDA would not launch is not launched here either.
 */
#ifndef GPU_ON_CPU_H
#define GPU_ON_CPU_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define __global__
#define __device__
#define __host__

typedef struct {
    unsigned x, y, z;
} dim3;

/** The thread that runs now. */
extern dim3 gridDim, blockDim, blockIdx, threadIdx;

#define LAUNCH(kernel, grid, block, ...)                                                                     \
    for (CHECK(launch_begin(grid, block)); launch_next();)                                                   \
    kernel(__VA_ARGS__)

typedef enum {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorInvalidConfiguration,
    cudaErrorNoKernelImageForDevice,
    cudaErrorUnsupportedPtxVersion,
} cudaError_t;

/** Starts a launch, if grid and block are not larger than a GPU takes. */
cudaError_t launch_begin(dim3 grid, dim3 block);

/** Sets blockIdx and threadIdx to the next thread; 0 when all have run. */
int launch_next(void);

enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock,
    cudaDevAttrMaxBlockDimX,
    cudaDevAttrMaxBlockDimY,
    cudaDevAttrMaxGridDimY,
};

enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaMemGetInfo(size_t *available, size_t *total);
cudaError_t cudaMalloc(void **memory, size_t bytes); /**< filled with NaN: reading it too early shows */
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t error);

/** IEEE 754 binary16: 1 sign, 5 exponent, 10 mantissa bits. */
typedef struct {
    uint16_t bits;
} __half;

static inline float __half2float(__half h)
{
    const uint32_t sign = (uint32_t)(h.bits & 0x8000) << 16, magnitude = h.bits & 0x7fff;
    float value;
    if (magnitude < 0x0400) { /* subnormal: a multiple of 2^-24 */
        value = (float)magnitude * 0x1p-24f;
        return sign ? -value : value;
    }
    const uint32_t exponent = magnitude >= 0x7c00 ? 0x70000000 : 0x38000000; /* infinity and NaN stay so */
    const uint32_t bits = sign | ((magnitude << 13) + exponent);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/** Rounds to nearest, ties to even; too large a number becomes infinity. */
static inline __half __float2half_rn(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7fffffff;

    uint32_t half;
    if (bits > 0x7f800000) /* NaN */
        half = 0x7fff;
    else if (bits >= 0x477ff000) /* 65520 and above */
        half = 0x7c00;
    else if (bits < 0x38800000) { /* below 2^-14: let the addition round to a multiple of 2^-24 */
        const float magnitude = (value < 0.0f ? -value : value) + 0.5f;
        uint32_t rounded;
        memcpy(&rounded, &magnitude, sizeof rounded);
        half = rounded - 0x3f000000;
    } else
        half = (bits - 0x38000000 + 0x0fff + (bits >> 13 & 1)) >> 13;
    const __half result = {(uint16_t)(sign | half)};
    return result;
}

#endif
