# expects: DONE
/share\[t\] = n/{n;d}
s/^        if (t < half)/        __syncthreads();\n&/
/share\[t + half\];/{n;d}
