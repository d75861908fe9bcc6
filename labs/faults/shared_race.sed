# from: 02_soa exercises/tiling/tiled.cu
# Threads read what their neighbours put into shared memory, and do not wait until it is there.
/__syncthreads/d
