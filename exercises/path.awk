# The links of the lean and of the full path, the two tables of docs/main.md, in reading order and one a line: the path,
# "optional" or "-", and the file.
/^# / { path = "" }
/^## The (lean|full) path/ { path = $3 }
path && /^\|/ {
    for (optional = "-"; match($0, /\]\([^)]*\)/); $0 = substr($0, RSTART + RLENGTH)) {
        file = substr($0, RSTART + 2, RLENGTH - 3)
        if (substr($0, 1, RSTART) ~ /optional/)
            optional = "optional"
        print path, optional, sub(/^\.\.\//, "", file) ? file : "docs/" file
    }
}
