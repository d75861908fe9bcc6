# The map of the course, from the build's stages.tsv: one node for each stage, with what it adds and how many lines that
# changes, and an arrow from the stage it follows. What a stage gains is not here: the chapters ask for a prediction.
function read_changes(    line, part)
{
    while ((getline line <budget) > 0) # "00_x -> 01_y: 33 changed lines, at most 80"
        if (split(line, part, ":? ") > 4 && part[2] == "->")
            changed[part[3]] = part[4]
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

# A row of a node: the text between two marks, in lines of up to 25 characters.
function row(text, begin, end,    word, count, n, line, result)
{
    count = split(text, word, " ")
    for (n = 1; n <= count; n++) {
        if (length(line " " word[n]) > 25) {
            result = result line "<br align=\"left\"/>"
            line = ""
        }
        line = line (line == "" ? "" : " ") word[n]
    }
    return "<tr><td align=\"left\" balign=\"left\">" begin result line end "</td></tr>"
}

BEGIN {
    FS = "\t"
    read_changes()
    print "digraph course {"
    print "    graph [bgcolor=transparent, rankdir=TB, nodesep=0.2, ranksep=0.25]"
    print "    node [shape=plain, fontname=\"sans-serif\", fontsize=11]"
    print "    edge [color=\"#808080\"]"
}
FNR > 1 {
    stage = $1
    label = row(stage, "<b>", "</b>") row(adds($2), "", "")
    label = label row($3 == "-" ? "the whole program" : changed[stage] " changed lines" (changed[stage] > 200 ? ": the kernel is new" : ""), "<i>", "</i>")
    page = $2
    sub(/[^\/]*$/, "walkthrough.md", page)
    link = (getline line <page) > 0 ? "URL=\"\\ref walkthrough_" stage "\", " : ""
    close(page)
    printf "    \"%s\" [%slabel=<<table border=\"1\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"4\" color=\"#4477aa\" style=\"rounded\">%s</table>>]\n", stage, link, label
    if ($3 != "-")
        printf "    \"%s\" -> \"%s\"\n", $3, stage
}
END { print "}" }
