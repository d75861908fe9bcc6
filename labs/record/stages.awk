# Usage: awk -v where="COLUMN=VALUE COLUMN!=VALUE..." [-v show="COLUMN..."] -f labs/record/stages.awk BUILD_DIR/stages.tsv. Prints
# the stages of a build whose columns are so, in their order: their names, or these columns with spaces between.
BEGIN {
    FS = "\t"
    conditions = split(where, condition, " ")
    shown = split(show == "" ? "name" : show, column, " ")
}

function value(name) {
    if (!(name in at)) {
        print "stages.awk: " FILENAME " has no column \"" name "\"; it has" columns > "/dev/stderr"
        exit 3
    }
    return $at[name]
}

FNR == 1 {
    for (n = 1; n <= NF; n++) {
        at[$n] = n
        columns = columns " " $n
    }
    next
}
{
    for (n = 1; n <= conditions; n++) {
        split(condition[n], part, "!?=")
        if ((value(part[1]) == part[2]) == (condition[n] ~ /!=/))
            next
    }
    for (n = 1; n <= shown; n++)
        printf "%s%s", value(column[n]), n < shown ? " " : "\n"
}
