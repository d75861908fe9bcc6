# The entries of mutants.txt, one a line: the mistake, its file, what sed does to the file, the tests, with tabs between.
BEGIN { OFS = "\t" }
/^#/ || !NF { next }
/^        / { print name, file, substr($0, 9), tests; next }
/^    / { end = index($0, ": "); tests = substr($0, 5, end - 5); name = file ": " substr($0, end + 2); next }
{ file = $0 }
