# expects: first wrong population: .*open or inflow cell.*NOT DONE: see TODO\(2\)
/^static void advance/,/^}/{/collide_openings/d
s/^        step(/        collide_openings(solver);\n&/
}
