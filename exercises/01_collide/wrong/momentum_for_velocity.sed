# expects: first wrong population: direction .* omega = 1: .*NOT DONE: see TODO\(2\)[^,]
s|momentum_x(f) / (1.0f + drho)|momentum_x(f)|
