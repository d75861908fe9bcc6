# expects: DONE
/part\[t\] = n/{n;d}
s/^        if (t < half)/        __syncthreads();\n&/
/part\[t + half\];/{n;d}
