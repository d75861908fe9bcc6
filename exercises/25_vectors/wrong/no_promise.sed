# expects: missed.*no loop has the promise.*NOT DONE: see TODO\(3\)
/^    INDEPENDENT$/d
