# expects: can't read .*<device>.*a folder of labs/results.*NOT DONE: see the line "table"
s|^table .*|table = ../../labs/results/<device>/bench_poiseuille.csv|
