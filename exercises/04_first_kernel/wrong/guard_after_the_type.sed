# expects: outside of an array: byte [0-9]+ of an array of 297 bytes.*before they leave.*NOT DONE: see TODO\(2\)
/x >= physics.width/,+1d
s/if (is_wall(type\[cell\]))/if (is_wall(type[cell]) || x >= physics.width || y >= physics.height)/
