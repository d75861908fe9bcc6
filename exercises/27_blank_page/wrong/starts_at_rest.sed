# expects: first wrong population: .*NOT DONE: see point 2 
/^    initial_populations(scenario, f);/d
