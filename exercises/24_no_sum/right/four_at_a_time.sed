# expects: DONE
s/half = blockDim.x \/ 2; half > 0; half \/= 2/part = blockDim.x \/ 4; part > 0; part \/= 4/
s/t < half/t < part/
s/share\[t\] += share\[t + half\]/share[t] += share[t + part] + share[t + 2 * part] + share[t + 3 * part]/
