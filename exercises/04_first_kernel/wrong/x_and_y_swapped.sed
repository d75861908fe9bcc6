# expects: 1728 of 2304 are wrong.*three in four.*NOT DONE: see TODO\(1\)
s/threadIdx.x;/threadIdx.@;/;s/threadIdx.y;/threadIdx.x;/;s/threadIdx.@/threadIdx.y/
