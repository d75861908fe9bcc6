# expects: can't read .*<device>.*a folder of docs/results.*NOT DONE: see the line "table"
s|^table .*|table = ../../docs/results/<device>/bench_poiseuille.csv|
