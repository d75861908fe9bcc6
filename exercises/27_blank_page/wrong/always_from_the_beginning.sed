# expects: goes on from what was read: .*NOT DONE: see point 8 
s/^    initial_populations(scenario, f);/    Scenario own = *scenario;\n    own.start.f = NULL;\n    initial_populations(\&own, f);/
