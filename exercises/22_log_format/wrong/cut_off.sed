# expects: first wrong code: .*nearest whole number.*NOT DONE: see TODO\(2\)
s/rintf(\(.*\));/floorf(\1 + 0.01f);/
