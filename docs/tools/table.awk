# A CSV file with `#` lines at its head as an HTML table. With -v stages="A B" only the rows whose column
# `stage` is one of them, the last one marked; with -v columns="a b" only these columns.
function short(value)
{
    if (value !~ /^-?[0-9]+\.[0-9]*$/ || length(value) <= 6)
        return value
    return sprintf(value >= 1000 ? "%.0f" : value >= 100 ? "%.1f" : "%.3g", value)
}

# A column's name for people.
function title(name)
{
    gsub(/_percent/, " %", name)
    gsub(/_mean/, "", name)
    gsub(/mlups/, "MLUPS", name)
    gsub(/gbs/, "GB/s", name)
    gsub(/dram/, "DRAM", name)
    gsub(/^sm/, "SM", name)
    gsub(/^l1/, "L1", name)
    gsub(/^l2/, "L2", name)
    gsub(/^cv/, "CV", name)
    gsub(/over_before/, "\\&times; before", name)
    gsub(/over_first_phase/, "/ phase 0", name)
    gsub(/_us/, " \\&micro;s", name)
    gsub(/_/, " ", name)
    return name
}

function cell(tag, text,    class)
{
    class = tag == "td" && text ~ /^[-+.0-9]+(e[-+][0-9]+)?$/ ? " class=\"number\"" : ""
    return "<" tag class ">" text "</" tag ">"
}

BEGIN {
    FS = ","
    count = split(stages, list, " ")
    for (n = 1; n <= count; n++)
        wanted[list[n]] = 1
    chosen = split(columns, shown, " ")
    print "<div class=\"record\"><table class=\"record\">"
}
/^# interrupted:/ {
    print FILENAME " was interrupted: it is not all of the table" >"/dev/stderr"
    exit failed = 1
}
/^#/ { sub(/^# */, ""); gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); head = head $0 "<br/>"; next }
!named {
    named = 1
    for (n = 1; n <= NF; n++)
        at[$n] = n
    if (!chosen)
        chosen = split($0, shown, ",")
    line = ""
    for (n = 1; n <= chosen; n++) {
        if (!(shown[n] in at)) {
            print FILENAME " has no column \"" shown[n] "\"" >"/dev/stderr"
            exit 1
        }
        line = line cell("th", title(shown[n]))
    }
    print "<tr>" line "</tr>"
    next
}
count && !($at["stage"] in wanted) { next }
{
    line = ""
    for (n = 1; n <= chosen; n++)
        line = line cell("td", short($at[shown[n]]))
    print "<tr" (count > 1 && $at["stage"] == list[count] ? " class=\"now\"" : "") ">" line "</tr>"
}
END {
    if (failed)
        exit 1
    print "</table></div>"
    print "<details class=\"source\"><summary>From " FILENAME "</summary>" head "</details>"
}
