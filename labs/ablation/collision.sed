# No arithmetic: what was read is written.
/^    collide(f, /d
