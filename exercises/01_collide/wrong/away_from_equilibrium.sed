# expects: first wrong population: direction .*NOT DONE: see TODO\(2\), then TODO\(3\)
s/target - f\[i\]/f[i] - target/
