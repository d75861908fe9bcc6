# expects: first wrong population: direction .* omega = 1.7: .*NOT DONE: see TODO\(3\)
s/omega \* (target/(omega < 1.0f ? omega : 1.0f) * (target/
