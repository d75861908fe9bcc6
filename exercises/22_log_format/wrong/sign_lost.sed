# expects: first wrong code: .*sign is the topmost.*NOT DONE: see TODO\(2\)
s/? 0x8000 : 0;/? 0 : 0;/
