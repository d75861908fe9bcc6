# expects: expected -0.06667, got -0.03333.*NOT DONE: see TODO\(1\)
s/-6.0f/-3.0f/
