# expects: idle_percent: 48.4 is not right.*NOT DONE: see TODO\(3\)
s/^idle_percent .*/idle_percent = 48.4/
