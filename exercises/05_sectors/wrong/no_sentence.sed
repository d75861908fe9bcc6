# expects: "why" is not filled in.*NOT DONE: see TODO\(5\)
s/^why .*/why =/
