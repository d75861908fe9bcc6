# A page with its numbers, code, tables and diffs as they are in the sources and the measured tables. What stood there
# otherwise, and what can't be had, is said with the line; so is what a forge would not show well.
# Needs -v self=PAGE -v record=FOLDER -v list=FILE (of list.sh).
function read_page(    text)
{
    while ((getline text <self) > 0)
        line[++lines] = text
    close(self)
}

# ---- Numbers: [137.2][n1] in the text, and at the end of the page [n1]: path/to/file.csv "query" ----
function is_definition(text)
{
    return text ~ /^\[[a-z_0-9]+\]: [^ ]+\.csv "[^"]*"$/
}

function read_definition(number,    text, label, target, query, path)
{
    text = label = target = query = line[number]
    sub(/^\[/, "", label)
    sub(/\].*/, "", label)
    sub(/^[^ ]* /, "", target)
    sub(/ .*/, "", target)
    sub(/^[^"]*"/, "", query)
    sub(/"$/, "", query)
    if (label in defined)
        complain(number, "[" label "] is defined already, in line " defined[label])
    defined[label] = number
    path = resolve(target)
    if (query ~ /^of record: / && index(path, record "/") != 1) {
        complain(number, path " is not of the device of record, which is in " record)
        sub(/labs\/results\/[^\/]*\//, record "/", target)
        path = resolve(target)
        line[number] = "[" label "]: " target " \"" query "\""
    }
    source[label] = path
    value[label] = value_of(path, query)
    if (problem != "")
        complain(number, problem)
    broken[label] = problem != ""
}

function refresh_numbers(number,    text, done, part, label)
{
    text = hide_code(line[number])
    done = ""
    while (match(text, /\[[^][]+\]\[[a-z_0-9]+\]/)) {
        part = label = substr(text, RSTART, RLENGTH)
        sub(/\]\[.*/, "", part)
        part = substr(part, 2)
        sub(/.*\[/, "", label)
        sub(/\]$/, "", label)
        used[label] = 1
        if (!(label in defined))
            complain(number, "[" label "] is defined nowhere on this page")
        else if (!broken[label] && part != value[label]) {
            complain(number, "\"" part "\" is \"" value[label] "\" in " source[label])
            part = value[label]
        }
        done = done substr(text, 1, RSTART - 1) "[" part "][" label "]"
        text = substr(text, RSTART + RLENGTH)
    }
    return show_code(done text)
}

# ---- Blocks: from <!-- kind: arguments --> to <!-- end --> ----
# The line of the block's end, or that of the directive if the block is not there yet.
function end_of_block(begin,    n)
{
    for (n = begin + 1; n <= lines && !is_directive(line[n]); n++)
        if (line[n] == "<!-- end -->")
            return n
    if (begin < lines && line[begin + 1] != "")
        complain(begin, "the block has no <!-- end -->")
    return begin
}

function refresh_block(begin,    last, n, old)
{
    split_directive(line[begin])
    make_block()
    last = end_of_block(begin)
    if (problem != "") {
        complain(begin, problem)
        for (n = begin + 1; n <= last; n++)
            print line[n]
        return last
    }
    old = last == begin ? 0 : last - begin - 1
    for (n = 1; n <= count && n <= old && fresh[n] == line[begin + n]; n++)
        ;
    if (n <= count)
        complain(begin + n, "\"" (n <= old ? line[begin + n] : "") "\" is \"" fresh[n] "\" where it comes from")
    else if (n <= old)
        complain(begin + n, "\"" line[begin + n] "\" is no longer where it came from")
    for (n = 1; n <= count; n++)
        print fresh[n]
    print "<!-- end -->"
    return last
}

# ---- A figure of the device of record: the line below <!-- figure of record --> ----
function refresh_figure(number,    text, path, device, old)
{
    device = record
    sub(/.*\//, "", device)
    text = path = old = line[number]
    sub(/.*\]\(/, "", path)
    sub(/\).*/, "", path)
    if (text !~ /^!\[.*\]\(.*figures\/.*_.*\)$/)
        complain(number, "a figure of record is ![caption](path/to/figures/DEVICE_name.svg)")
    else {
        sub(/figures\/[^_]*_/, "figures/" device "_", path)
        sub(/\]\(.*/, "](" path ")", text)
        if (!exists(resolve(path)))
            complain(number, "there is no " resolve(path) "; docs/tools/plot.py " record " draws it")
        else if (text != old)
            complain(number, "the figure is not of the device of record, " device)
    }
    return text
}

# ---- What a forge shows well ----
function check_formula(number, text)
{
    if (match(text, /\\[^a-zA-Z ]/))
        complain(number, "forges drop the backslash of \"" substr(text, RSTART, 2) "\" in a formula; write it as a word")
}

function check_form(number,    text, part, n)
{
    text = hide_code(line[number])
    if (match(text, /\\(f[$[]|(snippet|include|htmlinclude|ref)[ {])|{{/))
        complain(number, "\"" substr(text, RSTART, RLENGTH) "\" says nothing to a forge; docs/add_a_stage.md has the forms")
    if (text ~ /^ *\[[^]]*\]: [^ ]*\.csv/ && !is_definition(line[number]))
        complain(number, "a number is defined by [name]: path/to/table.csv \"query\", its name of small letters, digits and _")
    if (match(text, /\[[-+0-9.,]+%?\]\([^)]*\.csv[^)]*\)|\[[-+0-9.,]+%?\]$|^\[[a-z_0-9]+\]([ .,;)]|$)/))
        complain(number, "\"" substr(text, RSTART, RLENGTH) "\" is no quoted number; it is [value][name], in one line")
    if (text ~ /^<!--/ && text != "<!-- figure of record -->")
        complain(number, "\"" text "\" begins no block; docs/add_a_stage.md has those that there are")
    if (text ~ /<\/summary>$/ && line[number + 1] != "" || text ~ /^<\/details>$/ && line[number - 1] != "")
        complain(number, "a fold takes an empty line behind <summary> and one before </details>")
    n = split(text, part, "[$]")
    if (n && n % 2 == 0)
        complain(number, "a \"$\" without its partner in the line")
    else if (text ~ /\$\$/)
        complain(number, "\"$$\" takes a line of its own, before and behind the formula")
    for (; n > 1; n--)
        if (n % 2 == 0)
            check_formula(number, part[n])
    text = line[number]
    gsub(/\[[^][]+\]\[[a-z_0-9]+\]/, "", text) # whose length is not in the hand of who writes
    if (length(text) > 120 && text !~ /^ *(\||#|<|!\[|\[[a-z_0-9]+\]: )/)
        complain(number, "a line of " length(text) " characters; up to 120 can be edited")
}

BEGIN {
    no_record = "(no record yet)"
    read_page()
    for (n = 1; n <= lines; n++) {
        if (line[n] ~ /^ *```/)
            fence = !fence
        if (!fence && is_definition(line[n]))
            read_definition(n)
    }
    fence = 0
    for (n = 1; n <= lines; n++) {
        if (line[n] ~ /^ *```/)
            fence = !fence
        if (!fence && line[n] ~ /^ *\$\$$/) {
            formula = !formula
            print line[n]
            continue
        }
        if (!fence && !formula && is_directive(line[n])) {
            print line[n]
            n = refresh_block(n)
            continue
        }
        if (!fence && !formula) {
            check_form(n)
            if (line[n - 1] == "<!-- figure of record -->")
                line[n] = refresh_figure(n)
            else if (!is_definition(line[n]))
                line[n] = refresh_numbers(n)
        }
        if (formula)
            check_formula(n, line[n])
        print line[n]
    }
    for (label in defined)
        if (!(label in used))
            complain(defined[label], "no number of this page is [" label "]")
    if (fence || formula)
        complain(lines, "the last block of " (fence ? "code" : "a formula") " has no end")
    exit failed
}
