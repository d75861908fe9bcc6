# One page of the book, from Markdown as a forge shows it to Markdown as Doxygen takes it: the page's name behind its
# title, formulas, figures, relative links, code, tables and diffs with the book's own means, previous and next.
function die(message)
{
    complain(FNR, message)
    exit 1
}

# ![caption](path/to/figure.svg), alone on its line.
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

# The first link to an exercise of this chapter puts it below the chapter in the navigation.
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
            if (path == "common/README.md")
                target = "[" label "](files.html)"
            else
                target = path in page_of ? reference(path) " " page_of[path] " \"" label "\"" : label
        } else
            target = substr(text, RSTART, RLENGTH)
        result = result substr(text, 1, RSTART - 1) target
        text = substr(text, RSTART + RLENGTH)
    }
    return result text
}

# A number that comes out of a table: the book shows where from when the mouse is on it; not between stars, which Doxygen
# leaves as they are beside a tag.
function numbers(text,    result, part, label)
{
    result = ""
    while (match(text, /\[[^][]+\]\[[a-z_0-9]+\]/)) {
        part = label = substr(text, RSTART + 1, RLENGTH - 2)
        sub(/\]\[.*/, "", part)
        sub(/.*\]\[/, "", label)
        if (substr(text, RSTART - 1, 1) != "*" && substr(text, RSTART + RLENGTH, 1) != "*")
            part = "<span title=\"" origin[label] "\">" part "</span>"
        result = result substr(text, 1, RSTART - 1) part
        text = substr(text, RSTART + RLENGTH)
    }
    return result text
}

function read_definitions(    text, label, path, query)
{
    while ((getline text <self) > 0) {
        if (text !~ /^\[[a-z_0-9]+\]: [^ ]+\.csv "/)
            continue
        label = path = query = text
        gsub(/^\[|\].*/, "", label)
        gsub(/^[^ ]* | .*/, "", path)
        gsub(/^[^"]*"|"$/, "", query)
        path = resolve(path)
        origin[label] = path ": " query
    }
    close(self)
}

function formulas(text)
{
    gsub(/\$/, "\\f$", text)
    return text
}

# The command by which Doxygen shows what a comment asks for; paths are those of the folder that prepare.sh makes.
function command(    part, name)
{
    split(arguments, part, " ")
    if (kind == "code")
        return part[2] == "" ? "\\include " resolve(part[1]) : "\\snippet " resolve(part[1]) " " part[2]
    if (kind == "program")
        return "\\include{lineno} " resolve(part[1])
    if (kind == "fault") {
        name = part[1]
        sub(/.*\//, "", name)
        sub(/\.sed$/, ".html", name)
        return "\\htmlinclude diff_" name
    }
    if (kind == "diff")
        return "\\htmlinclude diff_" stage ".html"
    name = kind == "table" ? resolve(part[1]) : part[1]
    sub(/^labs\/results\//, "", name)
    sub(/\.csv,?$/, "", name)
    gsub(/\//, "_", name)
    name = (kind == "table" ? "table_" : "record_") name
    return "\\htmlinclude " name (arguments ~ /, this stage$/ ? "_" stage : "") ".html"
}

function print_lines(path,    text)
{
    while ((getline text <path) > 0)
        print text
    close(path)
}

function print_transcript(path,    text)
{
    if ((getline text <path) < 0) {
        print "(There is no transcript of this yet.)"
        return
    }
    close(path)
    print "```{.txt}"
    print_lines(path)
    print "```"
}

function print_block(    n)
{
    split_directive($0)
    if (kind == "stages") {
        print "\\dot"
        print_lines(map)
        print "\\enddot"
    } else if (kind == "transcript")
        print_transcript(resolve(arguments))
    else if (kind == "contents")
        for (n = 2; n <= count; n++)
            print (chapter_of[file[n]] == "" ? "" : "  ") "- \\ref " id[n] " \"" title[n] "\""
    else
        print command()
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
    read_definitions()
    stage = self
    sub(/\/[^\/]*$/, "", stage)
    sub(/.*\//, "", stage)
    before = here - 1
    after = here < count ? here + 1 : 0
}
skip == 1 && /^$/ { skip = 0 } # the block is not there yet
skip { skip = $0 == "<!-- end -->" ? 0 : 2; next }
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
/^\[[a-z_0-9]+\]: [^ ]+\.csv "/ { next }
is_directive($0) { print_block(); skip = 1; next }
/^<details><summary>.*<\/summary>$/ || /^<\/details>$/ { print "\\htmlonly[block]\n" $0 "\n\\endhtmlonly"; next }
/^ *\$\$$/ { formula = !formula; print formula ? "\\f[" : "\\f]"; next }
formula { print; next }
{ print show_code(formulas(links(numbers(hide_code($0))))) }
END {
    if (failed)
        exit 1
    if (skip || code || formula)
        die("a block has no end")
    if (!titled)
        die("the page has no title")
    for (path in chapter_of)
        if (chapter_of[path] == self && !(path in shown))
            die("no link to " path ", which names this page as its chapter")
    print turn()
}
