# expects: it had not ended after 2 seconds of processor time.*NOT DONE: see TODO\(2\) and TODO\(3\)
# with: LBM_CHECK_SECONDS=2
s/cell < cells; cell++/cell < cells;/
