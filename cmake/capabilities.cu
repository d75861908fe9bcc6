// Prints the compute capabilities of the GPUs that a CUDA program can use here, as 75;90, or why it has none.
#include <stdio.h>

int main()
{
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess)
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
    for (int n = 0; n < count; n++) {
        int major = 0, minor = 0;
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, n);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, n);
        printf("%s%d%d", n > 0 ? ";" : "", major, minor);
    }
    return count == 0;
}
