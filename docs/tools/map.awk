# The map of the course: one node for each stage, with what it adds, how many lines that changes and, if
# there is a bench of record, its speed on the largest grid.
function name_in(path,    parts)
{
    split(path, parts, "/")
    return parts[2]
}

BEGIN {
    while ((getline line <budget) > 0) { # "00_x/solver.c -> 01_y: 33 changed lines, at most 80"
        split(line, part, " ")
        stage = part[3]
        sub(/:/, "", stage)
        changed[stage] = part[4]
    }
    while ((getline line <bench) > 0) {
        if (line ~ /^#/)
            continue
        columns = split(line, field, ",")
        if (!at_stage) {
            for (n = 1; n <= columns; n++) {
                if (field[n] == "stage")
                    at_stage = n
                if (field[n] == "width" || field[n] == "size")
                    at_size = n
                if (field[n] == "mlups_mean" || field[n] == "mlups")
                    at_speed = n
            }
            continue
        }
        if (field[at_size] >= largest[field[at_stage]]) {
            largest[field[at_stage]] = field[at_size]
            speed[field[at_stage]] = field[at_speed]
        }
    }
}
FNR == 1 { stage = name_in(FILENAME); stages[++count] = stage }
/^    STAGE_NAME,/ { getline; sub(/^ *"/, ""); sub(/",$/, ""); adds[stage] = $0 }
END {
    print "digraph course {"
    print "    graph [bgcolor=transparent, rankdir=TB, nodesep=0.2, ranksep=0.25]"
    print "    node [shape=plain, fontname=\"sans-serif\", fontsize=11]"
    print "    edge [color=\"#808080\", fontname=\"sans-serif\", fontsize=10, fontcolor=\"#606060\"]"
    for (n = 1; n <= count; n++) {
        stage = stages[n]
        facts = n == 1 ? "the whole program" : changed[stage] " changed lines"
        if (stage in speed && speed[stage] > 0) {
            facts = facts "</i></td></tr><tr><td align=\"left\"><i>" sprintf("%.0f MLUPS on %d&#178; cells", speed[stage], largest[stage])
            if (n == 2 && stages[1] in speed && largest[stages[1]] == largest[stage])
                facts = facts sprintf(", some %.0f0 times one CPU core", speed[stage] / speed[stages[1]] / 10)
            if (n > 2 && stages[n - 1] in speed && largest[stages[n - 1]] == largest[stage])
                facts = facts sprintf(", %.1f times the stage before", speed[stage] / speed[stages[n - 1]])
        }
        printf "    s%d [URL=\"\\ref walkthrough_%s\", label=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\" color=\"#4477aa\" style=\"rounded\"><tr><td align=\"left\" width=\"330\"><b>%s</b></td></tr><tr><td align=\"left\">%s</td></tr><tr><td align=\"left\"><i>%s</i></td></tr></table>>]\n", n, stage, stage, adds[stage], facts
        if (n > 1)
            printf "    s%d -> s%d\n", n - 1, n
    }
    print "}"
}
