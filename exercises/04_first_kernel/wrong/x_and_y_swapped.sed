# expects: first wrong population: .*NOT DONE: see TODO\(1\)
s/threadIdx.x;/threadIdx.@;/;s/threadIdx.y;/threadIdx.x;/;s/threadIdx.@/threadIdx.y/
