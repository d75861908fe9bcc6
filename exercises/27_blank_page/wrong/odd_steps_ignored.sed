# expects: first wrong population: .*after step 1;.*NOT DONE: see point 3 
/^static void advance/,/^}/s/n < steps;/n < steps \/ 2 * 2;/
