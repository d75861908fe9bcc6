# expects: too many links: .*NOT DONE: see TODO\(1\)
s/if (links && from != to)/if (links)/; s/count += from != to/count++/
