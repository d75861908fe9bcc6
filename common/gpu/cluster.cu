#include "gpu/cluster.h"

#include "gpu/known_devices.h"

#ifdef __CUDACC__
cudaLaunchAttribute cluster_launch(unsigned blocks)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    return attribute;
}

/** Whether the device can have a cluster of so many blocks with 1024 threads and all shared memory. */
static int fits(const void *kernel, unsigned blocks)
{
    int clusters = 0;
    cudaLaunchAttribute attribute = cluster_launch(blocks);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(1024);
    config.dynamicSmemBytes = gpu_shared_bytes();
    config.attrs = &attribute;
    config.numAttrs = 1;
    const cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    cudaGetLastError(); // a size that is not there is no error here
    return error == cudaSuccess && clusters > 0;
}

int gpu_cluster_blocks(const void *kernel)
{
    int has_clusters = 0;
    cudaFuncAttributes code;
    const size_t shared_bytes = gpu_shared_bytes(); // ends the program if there is no device
    CHECK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
    CHECK(cudaFuncGetAttributes(&code, kernel));
    if (!has_clusters || code.ptxVersion < 90)
        return 0;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes));
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    return fits(kernel, MOST_CLUSTER_BLOCKS) ? MOST_CLUSTER_BLOCKS : fits(kernel, 8) ? 8 : 0;
}

int gpu_cluster_threads(void)
{
    return 1024;
}
#else
int gpu_cluster_blocks(const void *kernel)
{
    (void)kernel;
    return emulated_device()->cluster_blocks;
}

int gpu_cluster_threads(void)
{
    return 256;
}
#endif
