# expects: first wrong population: .* 31 x 40, .*NOT DONE: see point 6 
s/^        if (is_special(/        if (solver->special_count < 4 * (size_t)(s->width + s->height) \&\& is_special(/
