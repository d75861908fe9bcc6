# expects: 2 ranks ended before they were done.*NOT DONE: see TODO\(2\)
s/above = (this_rank() + 1) % ranks/above = this_rank() + 1/
