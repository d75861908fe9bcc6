# The links of the lean path, a list of docs/main.md, and of the full path, a table there, in reading order and one a
# line: the path, "optional" or "-", and the file.
/^#/ { path = "" }
/^## The (lean|full) path/ { path = $3 }
/^([0-9]+\.|\|) / { optional = "-" }
path && /^([0-9]+\.|\|| +) / {
    while (match($0, /\]\([^)]*\)/)) {
        file = substr($0, RSTART + 2, RLENGTH - 3)
        if (substr($0, 1, RSTART) ~ /optional/)
            optional = "optional"
        $0 = substr($0, RSTART + RLENGTH)
        sub(/#.*/, "", file)
        print path, optional, sub(/^\.\.\//, "", file) ? file : "docs/" file
    }
    if (/optional/)
        optional = "optional"
}
