/**
 * @file hip.h
 * What gpu.h takes from CUDA, by the names of HIP, for AMD's GPUs. Included by gpu.h where hipcc compiles.
 */
#pragma once

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

/* ---- The runtime: the same functions by other names ---- */

#define cudaDeviceAttr                                hipDeviceAttribute_t
#define cudaDeviceGetAttribute                        hipDeviceGetAttribute
#define cudaDeviceGetPCIBusId                         hipDeviceGetPCIBusId
#define cudaDeviceProp                                hipDeviceProp_t
#define cudaDeviceSynchronize                         hipDeviceSynchronize
#define cudaDevAttrMaxBlockDimX                       hipDeviceAttributeMaxBlockDimX
#define cudaDevAttrMaxBlockDimY                       hipDeviceAttributeMaxBlockDimY
#define cudaDevAttrMaxGridDimY                        hipDeviceAttributeMaxGridDimY
#define cudaDevAttrMaxGridDimZ                        hipDeviceAttributeMaxGridDimZ
#define cudaDevAttrMaxSharedMemoryPerBlockOptin       hipDeviceAttributeMaxSharedMemoryPerBlock
#define cudaDevAttrMaxThreadsPerBlock                 hipDeviceAttributeMaxThreadsPerBlock
#define cudaDevAttrMultiProcessorCount                hipDeviceAttributeMultiprocessorCount
#define cudaError_t                                   hipError_t
#define cudaErrorNoKernelImageForDevice               hipErrorNoBinaryForGpu
#define cudaErrorUnsupportedPtxVersion                hipErrorInvalidDeviceFunction
#define cudaEvent_t                                   hipEvent_t
#define cudaEventCreateWithFlags                      hipEventCreateWithFlags
#define cudaEventDestroy                              hipEventDestroy
#define cudaEventDisableTiming                        hipEventDisableTiming
#define cudaEventRecord                               hipEventRecord
#define cudaEventSynchronize                          hipEventSynchronize
#define cudaFree                                      hipFree
#define cudaFreeHost                                  hipHostFree
#define cudaFuncAttributeMaxDynamicSharedMemorySize   hipFuncAttributeMaxDynamicSharedMemorySize
#define cudaFuncAttributes                            hipFuncAttributes
#define cudaFuncGetAttributes                         hipFuncGetAttributes
#define cudaFuncSetAttribute(kernel, ...)             hipFuncSetAttribute((const void *)(kernel), __VA_ARGS__)
#define cudaGetDeviceCount                            hipGetDeviceCount
#define cudaGetDeviceProperties                       hipGetDeviceProperties
#define cudaGetErrorString                            hipGetErrorString
#define cudaGetLastError                              hipGetLastError
#define cudaGraph_t                                   hipGraph_t
#define cudaGraphDestroy                              hipGraphDestroy
#define cudaGraphExec_t                               hipGraphExec_t
#define cudaGraphExecDestroy                          hipGraphExecDestroy
#define cudaGraphInstantiateWithFlags                 hipGraphInstantiateWithFlags
#define cudaGraphLaunch                               hipGraphLaunch
#define cudaMalloc                                    hipMalloc
#define cudaMallocHost(memory, bytes)                 hipHostMalloc(memory, bytes, 0)
#define cudaMemcpy                                    hipMemcpy
#define cudaMemcpyAsync                               hipMemcpyAsync
#define cudaMemcpyDeviceToDevice                      hipMemcpyDeviceToDevice
#define cudaMemcpyDeviceToHost                        hipMemcpyDeviceToHost
#define cudaMemcpyHostToDevice                        hipMemcpyHostToDevice
#define cudaMemGetInfo                                hipMemGetInfo
#define cudaMemset                                    hipMemset
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor hipOccupancyMaxActiveBlocksPerMultiprocessor
#define cudaSetDevice                                 hipSetDevice
#define cudaStream_t                                  hipStream_t
#define cudaStreamBeginCapture                        hipStreamBeginCapture
#define cudaStreamCaptureModeGlobal                   hipStreamCaptureModeGlobal
#define cudaStreamCreateWithFlags                     hipStreamCreateWithFlags
#define cudaStreamCreateWithPriority                  hipStreamCreateWithPriority
#define cudaStreamDefault                             hipStreamDefault
#define cudaStreamDestroy                             hipStreamDestroy
#define cudaStreamEndCapture                          hipStreamEndCapture
#define cudaStreamSynchronize                         hipStreamSynchronize
#define cudaStreamWaitEvent                           hipStreamWaitEvent
#define cudaSuccess                                   hipSuccess

/** HIP promises no version of the driver; its own is that of the headers, counted as CUDA's. */
#define cudaDriverGetVersion(version) (*(version) = 0, hipSuccess)
#define cudaRuntimeGetVersion(version)                                                                       \
    (*(version) = 1000 * HIP_VERSION_MAJOR + 10 * HIP_VERSION_MINOR, hipSuccess)

/* ---- Launches ---- */

/** Without the second number, which here would be of waves, not of blocks. */
#undef __launch_bounds__
#define __launch_bounds__(threads, ...) __attribute__((amdgpu_flat_work_group_size(1, threads)))

/** HIP takes the addresses of the arguments, so these must first have the types of the parameters. */
template <typename... Parameters>
static hipError_t launch_cooperative(hipStream_t stream, void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                     size_t shared_bytes, typename std::decay<Parameters>::type... arguments)
{
    void *addresses[] = {(void *)&arguments...};
    return hipLaunchCooperativeKernel((const void *)kernel, grid, block, addresses, (unsigned)shared_bytes,
                                      stream);
}

/** As that for CUDA. */
#define LAUNCH_COOPERATIVE_ON(stream, kernel, grid, block, shared_bytes, ...)                                \
    do {                                                                                                     \
        ALLOW_SHARED(kernel, shared_bytes);                                                                  \
        CHECK(launch_cooperative(stream, kernel, grid, block, shared_bytes, __VA_ARGS__));                   \
    } while (0)

/** No dependent launch: the kernel starts when the previous one in the stream has ended. */
#define LAUNCH_DEPENDENT(stream, kernel, grid, block, ...) LAUNCH_ON(stream, kernel, grid, block, __VA_ARGS__)

/** Nothing to wait for, and nothing that waits. */
#define grid_dependency_sync()
#define trigger_dependent_launch()

/** Does nothing: a prefetch changes no result. */
#define prefetch(address) ((void)(address))

/* ---- Lanes: lane.h has warps of 32, of which a wave of 64 lanes holds two ---- */

#define __shfl_sync(mask, value, lane)       __shfl(value, lane, 32)
#define __shfl_up_sync(mask, value, delta)   __shfl_up(value, delta, 32)
#define __shfl_down_sync(mask, value, delta) __shfl_down(value, delta, 32)
#define __any_sync(mask, predicate)          ((unsigned)(__ballot(predicate) >> (__lane_id() & 32)) != 0)

/** Copies of one element, which have ended when the call returns. */
#define __pipeline_memcpy_async(to, from, bytes) (*(to) = *(__typeof__(to))(from))

/** Nothing to wait for. */
#define __pipeline_commit()
#define __pipeline_wait_prior(newest) ((void)(newest))
