# What page.awk and refresh.awk share. `self` is the page's path from the top of the repository.
function complain(number, message)
{
    printf "%s:%d: %s\n", self, number, message >"/dev/stderr"
    failed = 1
}

# A path as the page has it, from the top of the repository; a folder stands for its README.md.
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

# Inline code is text for its reader alone: a number stands for it while the rest of the line is worked on.
function hide_code(text,    result, n)
{
    hidden = 0
    result = ""
    while (match(text, /`[^`]*`/)) {
        code_span[++hidden] = substr(text, RSTART, RLENGTH)
        result = result substr(text, 1, RSTART - 1) "\001" hidden "\002"
        text = substr(text, RSTART + RLENGTH)
    }
    return result text
}

function show_code(text,    n)
{
    while (match(text, /\001[0-9]+\002/)) {
        n = substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, 1, RSTART - 1) code_span[n] substr(text, RSTART + RLENGTH)
    }
    return text
}

# A comment that asks for a block: <!-- KIND: ARGUMENTS -->, or <!-- KIND --> alone.
function is_directive(text)
{
    return text ~ /^<!-- (code|program|transcript|fault|table|table of record): [^>]* -->$/ || text ~ /^<!-- (diff|stages|contents) -->$/
}

function split_directive(text)
{
    gsub(/^<!-- | -->$/, "", text)
    kind = arguments = text
    sub(/:.*/, "", kind)
    if (!sub(/^[^:]*: */, "", arguments))
        arguments = ""
}
