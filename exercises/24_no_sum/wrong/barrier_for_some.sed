# expects: 128 of 256 threads reach __syncthreads.*never reach it.*NOT DONE: see TODO\(3\)
s/^        if (t < half)/        if (t < half) {/
/share\[t + half\];/{n;s/$/ }/}
