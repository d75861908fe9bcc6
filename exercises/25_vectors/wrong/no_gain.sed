# expects: wrong link: .*with the gain 0 .*NOT DONE: see TODO\(1\)
s/{from, to, landing.gain}/{from, to, 0.0f}/
