# expects: epsilon: .*half a step.*NOT DONE: see TODO\(3\)
s/3.3851e-4/6.7714e-4/
