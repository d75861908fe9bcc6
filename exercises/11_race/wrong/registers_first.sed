# expects: a race: after step 1 cell .* direction [1-8].*NOT DONE: see TODO\(1\) and TODO\(2\)
/two populations on a link/,/^}/c\
    float f[9];\
    for (int i = 0; i < 9; i++)\
        f[i] = grid[at(cell, opposite(i), cells)];\
    for (int i = 0; i < 9; i++) {\
        const Landing landing = boundary(\&physics, type, x, y, i);\
        grid[at(landing.cell, landing.direction, cells)] = f[i] + landing.gain;\
    }\
}
