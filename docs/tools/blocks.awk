# What stands in a block of a page, as `fresh`: code, diffs and tables in Markdown. What can't be had is left in `problem`.
function add(text)
{
    fresh[++count] = text
}

function add_output(command,    text)
{
    while ((command | getline text) > 0)
        add(text)
    close(command)
}

function exists(path,    text, there)
{
    there = (getline text <path) >= 0
    close(path)
    return there
}

# The way from this page to a path from the top of the repository.
function way_to(path,    folder, way)
{
    folder = self
    sub(/[^\/]*$/, "", folder)
    if (index(path, folder) == 1)
        return substr(path, length(folder) + 1)
    way = folder
    gsub(/[^\/]+\//, "../", way)
    return way path
}

function stage_here(    stage)
{
    stage = self
    sub(/\/[^\/]*$/, "", stage)
    sub(/.*\//, "", stage)
    return stage
}

# What the line of a stage's CMakeLists.txt says behind a word.
function stage_says(stage, word,    path, text, part, n, result)
{
    path = "stages/" stage "/CMakeLists.txt"
    while ((getline text <path) > 0) {
        gsub(/[()]/, " ", text)
        n = split(text, part, " ")
        for (; n > 1; n--)
            if (part[n - 1] == word)
                result = part[n]
    }
    close(path)
    return result
}

function add_code(path, name,    command, text, inside, blocks)
{
    if (!exists(path)) {
        problem = "there is no file " path
        return
    }
    add("```c")
    command = name == "" ? "cat '" path "'" : "awk -f docs/tools/mark.awk '" path "'"
    while ((command | getline text) > 0) {
        if (text == "//! [" name "]") {
            inside = !inside
            blocks += inside
        } else if (name == "" || inside)
            add(text)
    }
    close(command)
    add("```")
    if (name != "" && blocks != 1)
        problem = path " has " (blocks ? blocks " definitions" : "no definition") " of " name
}

function add_program(link)
{
    if (!exists(resolve(link)))
        problem = "there is no file " resolve(link)
    add("[" resolve(link) "](" link ")")
}

function add_diff(    stage, before, after)
{
    stage = stage_here()
    before = stage_says(stage, "FOLLOWS")
    if (before == "") {
        problem = "stages/" stage " follows no stage: there is no diff"
        return
    }
    after = "stages/" stage "/" stage_says(stage, "add_stage")
    add("<details><summary>What changes from " before "</summary>")
    add("")
    add("```diff")
    before = "stages/" before "/" stage_says(before, "add_stage")
    add_output("diff -U 4 --label " before " --label " after " " before " " after)
    add("```")
    add("")
    add("</details>")
}

# What a tool said of a planted fault, as labs/faults/transcripts.sh left it.
function add_transcript(path)
{
    if (!exists(path)) {
        add("(There is no transcript of this yet.)")
        return
    }
    add("```")
    add_output("cat '" path "'")
    add("```")
}

# A planted fault against the file that it is planted in, which the script's first line names.
function add_fault(path,    text, before, after)
{
    if ((getline text <path) <= 0)
        problem = "there is no file " path
    close(path)
    before = text
    sub(/.* /, "", before)
    after = path
    sub(/sed$/, "cu", after)
    add("```diff")
    add_output("sed -f " path " " before " | diff -U 2 --label " before " --label " after " " before " -")
    add("```")
}

function add_table(path, stages)
{
    if (!exists(path) && kind == "table of record")
        add("(No record yet.)")
    else if (!exists(path))
        problem = "there is no table " path
    else
        add_output("awk -v stages='" stages "' -v markdown='" way_to(path) "' -f docs/tools/table.awk " path)
}

function add_stages(    command, file, stage, follows, text)
{
    add("| stage | changes | what it adds |")
    add("|---|---|---|")
    command = "ls stages/*/CMakeLists.txt"
    while ((command | getline file) > 0) {
        split(file, text, "/")
        stage = text[2]
        follows = stage_says(stage, "FOLLOWS")
        file = "stages/" stage "/walkthrough.md"
        add("| " (exists(file) ? "[" stage "](" way_to(file) ")" : stage) " | " follows " | " adds(stage) " |")
    }
    close(command)
}

# What a solver says that it adds.
function adds(stage,    path, text)
{
    path = "stages/" stage "/" stage_says(stage, "add_stage")
    while (text !~ /^    STAGE_NAME,/ && (getline text <path) > 0)
        ;
    getline text <path
    close(path)
    sub(/^[^"]*"/, "", text)
    sub(/".*/, "", text)
    return text
}

function add_contents(    text, part)
{
    while ((getline text <list) > 0) {
        split(text, part, "\t")
        if (part[1] != self && part[3] != "")
            add((part[4] == "" ? "" : "  ") "- [" part[3] "](" way_to(part[1]) ")")
    }
    close(list)
}

# From the comment's `kind` and `arguments`.
function make_block(    part, stage)
{
    count = 0
    problem = ""
    split(arguments, part, " ")
    if (kind == "code")
        add_code(resolve(part[1]), part[2])
    else if (kind == "program")
        add_program(part[1])
    else if (kind == "diff")
        add_diff()
    else if (kind == "transcript")
        add_transcript(resolve(part[1]))
    else if (kind == "fault")
        add_fault(resolve(part[1]))
    else if (kind == "stages")
        add_stages()
    else if (kind == "contents")
        add_contents()
    else {
        stage = ""
        if (sub(/, this stage$/, "", arguments))
            stage = stage_says(stage_here(), "FOLLOWS") " " stage_here()
        if (kind == "table of record" && arguments !~ /^[a-z_0-9]+\.csv$/)
            problem = "\"" arguments "\" is no table of record; it takes NAME.csv or NAME.csv, this stage"
        else
            add_table(kind == "table" ? resolve(arguments) : record "/" arguments, stage)
    }
}
