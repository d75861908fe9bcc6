# A CSV file with `#` lines at its head as a table: in HTML, or with -v markdown=LINK in Markdown, LINK being the way to
# the file. With -v stages="A B" only the rows of these stages. Long tables fold.
function short(value)
{
    if (value !~ /^-?[0-9]+\.[0-9]*$/ || length(value) - (value ~ /^-/) <= 6)
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
    gsub(/over_before/, "× before", name)
    gsub(/over_first_phase/, "/ phase 0", name)
    gsub(/_us/, " µs", name)
    gsub(/_/, " ", name)
    return name
}

# What is shown of a kind of table; of others, all.
function columns_of(kind,    profile)
{
    profile = "stage size kernel dram_percent l2_percent sm_percent l1_hit_percent sectors_per_load " \
              "sectors_per_store occupancy_percent registers"
    if (kind ~ /^bench_/)
        return "size stage block_x block_y mlups_mean cv_percent gbs copy_percent over_before"
    if (kind ~ /profile/)
        return profile (stages ? "" : " time_ns dram_read_bytes dram_write_bytes l2_write_bytes")
    if (kind ~ /^(phases|take_away)$/)
        return "size stage phase step_us mlups over_first_phase"
    if (kind ~ /^formats.*_speed$/)
        return "stage size mlups_mean cv_percent gbs copy_percent"
    if (kind ~ /^sweep_/)
        return "rank block_x block_y threads mlups_mean cv_percent percent_of_best"
    return ""
}

function is_number(text)
{
    return text ~ /^[-+.0-9]+(e[-+][0-9]+)?$/
}

function html_row(row,    n, line)
{
    line = ""
    for (n = 1; n <= shown_count; n++)
        line = line "<td" (is_number(cell[row, n]) ? " class=\"number\"" : "") ">" cell[row, n] "</td>"
    return "<tr" (stage_count > 1 && stage[row] == list[stage_count] ? " class=\"now\"" : "") ">" line "</tr>"
}

function print_html(    n, row)
{
    if (rows > 16)
        print "<details class=\"rows\"><summary>" rows " rows</summary>"
    printf "<div class=\"record\"><table class=\"record\">\n<tr>"
    for (n = 1; n <= shown_count; n++)
        printf "<th>%s</th>", title(shown[n])
    print "</tr>"
    for (row = 1; row <= rows; row++)
        print html_row(row)
    print "</table></div>" (rows > 16 ? "</details>" : "")
    print "<details class=\"source\"><summary>From " FILENAME "</summary>" head "</details>"
}

function print_markdown(    n, row, line, rule)
{
    if (rows > 16)
        print "<details><summary>" rows " rows</summary>\n"
    for (n = 1; n <= shown_count; n++) {
        line = line "| " title(shown[n]) " "
        rule = rule (numbers[n] ? "|--:" : "|---")
    }
    print line "|\n" rule "|"
    for (row = 1; row <= rows; row++) {
        line = ""
        for (n = 1; n <= shown_count; n++)
            line = line "| " cell[row, n] " "
        print line "|"
    }
    print ""
    if (rows > 16)
        print "</details>\n"
    print "From [" name "](" markdown ")" (device == "" ? "" : ": " device) "."
}

BEGIN {
    FS = ","
    stage_count = split(stages, list, " ")
    for (n = 1; n <= stage_count; n++)
        wanted[list[n]] = 1
}
FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    kind = name
    sub(/\.csv$/, "", kind)
    shown_count = split(columns_of(kind), shown, " ")
}
/^# interrupted:/ {
    print FILENAME " was interrupted: it is not all of the table" >"/dev/stderr"
    exit failed = 1
}
/^# device: / { device = substr($0, 11) }
/^#/ { sub(/^# */, ""); gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); head = head $0 "<br/>"; next }
!named {
    named = 1
    for (n = 1; n <= NF; n++)
        at[$n] = n
    if (!shown_count)
        shown_count = split($0, shown, ",")
    for (n = 1; n <= shown_count; n++) {
        numbers[n] = 1
        if (!(shown[n] in at)) {
            print FILENAME " has no column \"" shown[n] "\"" >"/dev/stderr"
            exit failed = 1
        }
    }
    next
}
stage_count && !($at["stage"] in wanted) { next }
{
    rows++
    stage[rows] = $at["stage"]
    for (n = 1; n <= shown_count; n++) {
        cell[rows, n] = short($at[shown[n]])
        numbers[n] = numbers[n] && (cell[rows, n] == "" || is_number(cell[rows, n]))
    }
}
END {
    if (failed)
        exit 1
    if (!rows)
        print markdown ? "(No record yet.)" : "<p class=\"no_record\">There is no record of it yet in " FILENAME ".</p>"
    else if (markdown)
        print_markdown()
    else
        print_html()
}
