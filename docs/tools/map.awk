# The map of the course, from the build's stages.tsv: one node for each stage, with what it adds, how many lines that
# changes and, if there is a bench of record, its speed on the largest grid; and an arrow from the stage it follows.
function read_changes(    line, part)
{
    while ((getline line <budget) > 0) # "00_x -> 01_y: 33 changed lines, at most 80"
        if (split(line, part, ":? ") > 4 && part[2] == "->")
            changed[part[3]] = part[4]
}

function read_speeds(    line, n, columns, field, at)
{
    while ((getline line <bench) > 0) {
        if (line ~ /^#/)
            continue
        columns = split(line, field, ",")
        if (!("stage" in at)) {
            for (n = 1; n <= columns; n++)
                at[field[n]] = n
        } else if (field[at["size"]] >= largest[field[at["stage"]]]) {
            largest[field[at["stage"]]] = field[at["size"]]
            speed[field[at["stage"]]] = field[at["mlups_mean"]]
        }
    }
}

# What a solver says that it adds.
function adds(solver,    line, found)
{
    while ((getline line <solver) > 0 && !found)
        found = line ~ /^    STAGE_NAME,/
    close(solver)
    sub(/^ *"/, "", line)
    sub(/",$/, "", line)
    return line
}

# A row of a node: the text between two marks, in lines of up to 36 characters.
function row(text, begin, end,    word, count, n, line, result)
{
    count = split(text, word, " ")
    for (n = 1; n <= count; n++) {
        if (length(line " " word[n]) > 36) {
            result = result line "<br align=\"left\"/>"
            line = ""
        }
        line = line (line == "" ? "" : " ") word[n]
    }
    return "<tr><td align=\"left\" balign=\"left\">" begin result line end "</td></tr>"
}

# A stage's speed, and how much faster that is than the stage it follows.
function speed_rows(stage, follows,    result, ratio)
{
    if (!(stage in speed))
        return ""
    result = row(sprintf("%.0f MLUPS on %d&#178; cells", speed[stage], largest[stage]), "<i>", "</i>")
    if (!(follows in speed) || largest[follows] != largest[stage])
        return result
    ratio = speed[stage] / speed[follows]
    return result row(ratio < 100 ? sprintf("%.1f times %s", ratio, follows) \
                                  : sprintf("some %.0f0 times %s", ratio / 10, follows), "<i>", "</i>")
}

BEGIN {
    FS = "\t"
    read_changes()
    read_speeds()
    print "digraph course {"
    print "    graph [bgcolor=transparent, rankdir=TB, nodesep=0.2, ranksep=0.25]"
    print "    node [shape=plain, fontname=\"sans-serif\", fontsize=11]"
    print "    edge [color=\"#808080\"]"
}
FNR > 1 {
    stage = $1
    label = row(stage, "<b>", "</b>") row(adds($2), "", "")
    label = label row($3 == "-" ? "the whole program" : changed[stage] " changed lines" (changed[stage] > 200 ? ": the kernel is new" : ""), "<i>", "</i>")
    label = label speed_rows(stage, $3)
    page = $2
    sub(/[^\/]*$/, "walkthrough.md", page)
    link = (getline line <page) > 0 ? "URL=\"\\ref walkthrough_" stage "\", " : ""
    close(page)
    printf "    \"%s\" [%slabel=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\" color=\"#4477aa\" style=\"rounded\">%s</table>>]\n", stage, link, label
    if ($3 != "-")
        printf "    \"%s\" -> \"%s\"\n", $3, stage
}
END { print "}" }
