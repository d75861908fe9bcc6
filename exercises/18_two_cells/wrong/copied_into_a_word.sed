# expects: load_pair takes two halves.*NOT DONE: see TODO\(1\)
s/const __half2 both = shift ? .*/__half2 both; memcpy(\&both, from, sizeof both);/
