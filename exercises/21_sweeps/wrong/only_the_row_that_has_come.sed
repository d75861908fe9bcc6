# expects: one wall .*NOT DONE: see TODO\(4\)
s/recent >> AHEAD & ((2u << steps) - 1)/recent >> AHEAD \& 1/
