# expects: poiseuille, 1 x 10.*the width is 1.*NOT DONE: see TODO\(2\)
s/if (slot == own)/if (landing.cell == cell)/
