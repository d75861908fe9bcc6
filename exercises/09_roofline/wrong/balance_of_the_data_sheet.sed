# expects: balance: 20 is not right, it is too small.*peak over copy.*NOT DONE: see TODO\(5\)
s/^balance .*/balance = 20/
