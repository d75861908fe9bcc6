# expects: first wrong population: direction .* omega = 1: .*NOT DONE: see TODO\(2\)[^,]
s|/ (1.0f + drho)|* (1.0f - drho)|g
