# expects: has no row with stage = 02_soa and size = 5000.*NOT DONE: see the line "table"
s/^size .*/size = 5000/
