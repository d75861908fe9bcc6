# expects: 128 of 256 threads reach __syncthreads.*never come to it.*NOT DONE: see TODO\(1\) and TODO\(3\)
s/^        if (t < half)/        if (t < half) {/
/share\[t + half\];/{n;s/$/ }/}
