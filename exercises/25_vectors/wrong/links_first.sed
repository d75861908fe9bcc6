# expects: first wrong population: .*NOT DONE: see TODO\(2\)
/^static void advance/,/^}/{/follow_links/d
s/^        step(/        follow_links(solver);\n&/
}
