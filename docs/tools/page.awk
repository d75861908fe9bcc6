# One page of the book, from Markdown as it stands in the repository to Markdown as Doxygen takes it:
# the page's name behind its title; figures; relative links; quoted numbers; previous and next. A chapter's links to
# its exercises put them below it in the navigation.
#
# A quoted number: {{FILE | COLUMN=VALUE ... | COLUMN | FORMAT | SCALE}}. FILE is a CSV in labs/results,
# with `record/` before it one of the device of record; the row is the one that has those values; FORMAT is
# printf's, %g if left out; the number is multiplied by SCALE, or divided by the same column of another row
# if SCALE is "/ COLUMN=VALUE ...".
function die(message)
{
    printf "%s:%d: %s\n", self, FNR, message >"/dev/stderr"
    failed = 1
    exit 1
}

function trim(text)
{
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# The value in the one row that fits.
function look_up(path, conditions, column,    line, n, columns, names, fields, parts, count, wanted, fits, found, value)
{
    count = split(conditions, wanted, " ")
    columns = found = 0
    while ((getline line <path) > 0) {
        if (line ~ /^#/)
            continue
        if (!columns) {
            columns = split(line, names, ",")
            continue
        }
        split(line, fields, ",")
        fits = 0
        for (n = 1; n <= columns; n++)
            row[names[n]] = fields[n]
        for (n = 1; n <= count; n++) {
            split(wanted[n], parts, "=")
            if (!(parts[1] in row))
                die(path " has no column \"" parts[1] "\"")
            fits += row[parts[1]] == parts[2]
        }
        if (fits < count)
            continue
        if (!(column in row))
            die(path " has no column \"" column "\"")
        value = row[column]
        found++
    }
    close(path)
    if (found != 1)
        die(found " rows of " path " fit \"" conditions "\"")
    return value
}

function value_of(text,    part, count, path, value, scale, n)
{
    count = split(text, part, "|")
    for (n = 1; n <= count; n++)
        part[n] = trim(part[n])
    path = "labs/results/" part[1]
    if (path ~ /\/record\//) {
        if (record == "" || (getline value <(record substr(part[1], 7))) < 0)
            return "(no record yet)"
        path = record substr(part[1], 7)
        close(path)
    }
    value = look_up(path, part[2], part[3])
    if (part[5] ~ /^\//)
        value /= look_up(path, substr(part[5], 2), part[3])
    else if (part[5] != "")
        value *= part[5]
    return sprintf(part[4] == "" ? "%s" : part[4], value)
}

function quote_numbers(text,    begin, end)
{
    while ((begin = index(text, "{{")) > 0 && (end = index(text, "}}")) > begin)
        text = substr(text, 1, begin - 1) value_of(substr(text, begin + 2, end - begin - 2)) \
               substr(text, end + 2)
    return text
}

# ![caption](path/to/figure.svg), alone on its line; figures made at build time need no path.
function figure(text,    caption, file, path)
{
    caption = file = text
    sub(/^!\[/, "", caption)
    sub(/\]\([^)]*\)$/, "", caption)
    sub(/.*\]\(/, "", file)
    sub(/\)$/, "", file)
    path = resolve(file)
    sub(/.*\//, "", file)
    if (system("test -e '" figures "/" file "' || cp '" path "' '" figures "' 2>/dev/null") != 0) {
        if (file !~ /\.png$/)
            die("there is no figure " path)
        printf "%s:%d: the picture %s is not there yet\n", self, FNR, path >"/dev/stderr"
        return "*(The picture " file " is not there yet: " caption ")*"
    }
    return "\\htmlonly[block]\n<figure><img src=\"" file "\" alt=\"" caption "\"/><figcaption>" caption \
           "</figcaption></figure>\n\\endhtmlonly"
}

# What a tool said of a planted fault, as labs/faults/transcripts.sh left it.
function transcript(name,    path, line, text)
{
    path = "labs/results/faults/" name ".txt"
    if ((getline line <path) <= 0)
        return "<p class=\"no_record\">There is no transcript of this yet (" name ").</p>"
    text = "```{.txt}"
    do
        text = text "\n" line
    while ((getline line <path) > 0)
    close(path)
    return text "\n```"
}

# Folder and link to a path from the top of the repository.
function resolve(link,    path)
{
    path = self
    sub(/[^\/]*$/, "", path)
    path = path link
    while (path ~ /(^|\/)[^\/.][^\/]*\/\.\.\//)
        sub(/[^\/.][^\/]*\/\.\.\//, "", path)
    sub(/\/$/, "/README.md", path)
    return path
}

# The first link to an exercise of this chapter.
function reference(path)
{
    if (chapter_of[path] != self || path in shown)
        return "\\ref"
    shown[path] = 1
    return "\\subpage"
}

# Links to other pages' files become links to the pages; to files that are no page, just their text.
function links(text,    result, label, target, path, anchor)
{
    result = ""
    while (match(text, /\[[^]`]+\]\([^) ]+\)/)) {
        label = target = substr(text, RSTART, RLENGTH)
        sub(/^\[/, "", label)
        sub(/\]\(.*/, "", label)
        sub(/.*\]\(/, "", target)
        sub(/\)$/, "", target)
        if (target !~ /^(https?:|mailto:|#)/) {
            path = target
            sub(/#.*/, "", path)
            path = resolve(path)
            target = path in page_of ? reference(path) " " page_of[path] " \"" label "\"" : label
        } else
            target = substr(text, RSTART, RLENGTH)
        result = result substr(text, 1, RSTART - 1) target
        text = substr(text, RSTART + RLENGTH)
    }
    return result text
}

function turn(    text)
{
    text = "\n<div class=\"turn\">"
    if (before)
        text = text "<span class=\"previous\">\\ref " id[before] " \"" title[before] "\"</span>"
    if (after)
        text = text "<span class=\"next\">\\ref " id[after] " \"" title[after] "\"</span>"
    return text "</div>\n"
}

BEGIN {
    FS = "\t"
    while ((getline <list) > 0) {
        count++
        file[count] = $1
        id[count] = $2
        title[count] = $3
        page_of[$1] = $2
        chapter_of[$1] = $4
        if ($1 == self)
            here = count
    }
    FS = " "
    before = here - 1
    after = here < count ? here + 1 : 0
}
/^ *```/ {
    code = !code
    if (code)
        sub(/```[a-z]+.*/, /```c$/ ? "```{.c}" : "```{.txt}")
    print
    next
}
code { print; next }
!titled && /^# / {
    titled = 1
    if (!/{#[a-z_0-9]+}/)
        $0 = $0 " {#" page "}"
    print
    next
}
/^!\[.*\]\(.*\)$/ { print figure($0); next }
/^{{transcript [a-z_0-9]+}}$/ { print transcript(substr($2, 1, length($2) - 2)); next }
/^{{map}}$/ {
    print "\\dot"
    while ((getline line <map) > 0)
        print line
    print "\\enddot"
    next
}
/^{{contents}}$/ {
    for (n = 2; n <= count; n++)
        print (chapter_of[file[n]] in page_of ? "  " : "") "- \\ref " id[n] " \"" title[n] "\""
    next
}
{ print links(quote_numbers($0)) }
END {
    if (failed)
        exit 1
    if (!titled)
        die("the page has no title")
    for (path in chapter_of)
        if (chapter_of[path] == self && !(path in shown))
            die("no link to " path ", which names this page as its chapter")
    print turn()
}
