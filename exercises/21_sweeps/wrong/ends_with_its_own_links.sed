# expects: were right before you began.*NOT DONE: see TODO\(1\) to TODO\(4\)
s/finish_row(m, level\[t\], f, below,/finish_row(m, level[t], f, here,/
