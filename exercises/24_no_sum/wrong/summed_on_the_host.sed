# expects: 8320 bytes come to the host .*in blocks of 64 threads.*NOT DONE: see TODO\(1\)
/^double total/,/^}/{
s/^    LAUNCH_BLOCKS.*/    float *all = (float *)allocate(count * sizeof *all);\n    CHECK(cudaMemcpy(all, numbers, count * sizeof *all, cudaMemcpyDeviceToHost));\n    LAUNCH_BLOCKS(add_up, grid, block, threads * sizeof(float), numbers, count, sums);/
s/n < blocks/n < count/
s/on_host\[n\]/all[n]/
}
