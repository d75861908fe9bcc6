# expects: idea: expected a sentence of three words or more, got "Fewer launches.".*NOT DONE: see TODO\(6\)
s/^idea .*/idea = Fewer launches./
