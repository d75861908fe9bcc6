#include "gpu/cluster.h"

#ifdef __CUDACC__
cudaLaunchAttribute cluster_launch(unsigned blocks)
{
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    return attribute;
}

static __global__ void do_nothing(void)
{
}

int gpu_cluster_blocks(void)
{
    int has_clusters = 0, clusters = 0;
    gpu_multiprocessors(); // ends the program if there is no device
    CHECK(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
    if (!has_clusters)
        return 0;
    cudaLaunchAttribute attribute = cluster_launch(MOST_CLUSTER_BLOCKS);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(MOST_CLUSTER_BLOCKS);
    config.blockDim = dim3(1024);
    config.dynamicSmemBytes = gpu_shared_bytes();
    config.attrs = &attribute;
    config.numAttrs = 1;
    CHECK(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)config.dynamicSmemBytes));
    CHECK(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    const cudaError_t error = cudaOccupancyMaxActiveClusters(&clusters, do_nothing, &config);
    cudaGetLastError(); // a size that is not there is no error here
    return error == cudaSuccess && clusters > 0 ? MOST_CLUSTER_BLOCKS : 8;
}

int gpu_cluster_threads(void)
{
    return 1024;
}
#else
int gpu_cluster_blocks(void)
{
    return MOST_CLUSTER_BLOCKS;
}

int gpu_cluster_threads(void)
{
    return 256;
}
#endif
