# expects: type_reads: 10 is not right, it is too large.*NOT DONE: see TODO\(3\)
s/^type_reads .*/type_reads = 10/
