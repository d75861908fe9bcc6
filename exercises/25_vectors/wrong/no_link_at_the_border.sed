# expects: missing link: cell .* comes in again on the other side.*NOT DONE: see TODO\(1\)
s/if (links && from != to)/if (links \&\& landing.direction != i)/; s/count += from != to/count += landing.direction != i/
