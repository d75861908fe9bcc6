# What comes from below lands in the last row, and what comes from above in the first.
s/n < 3 ? 1 : physics.height - 2/n < 3 ? physics.height - 2 : 1/
