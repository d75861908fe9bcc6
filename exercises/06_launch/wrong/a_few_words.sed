# expects: idea: expected a sentence, got "Fewer launches.".*NOT DONE: see TODO\(6\)
s/^idea .*/idea = Fewer launches./
