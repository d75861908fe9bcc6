# expects: step_64: .* is not right, it is too large.*NOT DONE: see TODO\(4\)
s/^step_64 .*/step_64 = 1202/
