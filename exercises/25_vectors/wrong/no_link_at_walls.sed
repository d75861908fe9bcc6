# expects: missing link: cell .* bounces off a wall.*NOT DONE: see TODO\(1\)
s/if (links && from != to)/if (links \&\& from != to \&\& landing.direction == i)/; s/count += from != to/count += from != to \&\& landing.direction == i/
