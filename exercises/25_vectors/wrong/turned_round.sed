# expects: missing link: .*NOT DONE: see TODO\(1\)
s/{from, to, landing.gain}/{to, from, landing.gain}/
