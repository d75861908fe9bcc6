# expects: step_4096: .* is not right, it is too small.*NOT DONE: see TODO\(4\)
s/^step_4096 .*/step_4096 = 0.45/
