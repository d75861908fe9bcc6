# Numbers out of the measured tables. A query: [of record: ]COLUMN where COLUMN=VALUE ... [over COLUMN=VALUE ...]
# [times NUMBER] [as FORMAT]. The row is the one that has those values; `over` divides by the same column of the row
# that differs in what follows; FORMAT is printf's. What is wrong with a query is left in `problem`.
function read_table(path,    line, field, count, n, rows)
{
    if (path in table_rows)
        return 1
    while ((getline line <path) > 0) {
        if (line ~ /^# interrupted:/)
            problem = path " was interrupted: it is not all of the table"
        if (line ~ /^#/)
            continue
        count = split(line, field, ",")
        if (!rows++)
            for (n = 1; n <= count; n++)
                table_column[path, field[n]] = n
        else
            for (n = 1; n <= count; n++)
                table_cell[path, rows - 1, n] = field[n]
    }
    close(path)
    if (!rows)
        problem = "there is no table " path
    else if (problem == "")
        table_rows[path] = rows - 1
    return problem == ""
}

# Whether a table says anything, be it only that it was interrupted: a file that is not there, or is empty, does not.
function has_rows(path,    line, found)
{
    while (!found && (getline line <path) > 0)
        found = line !~ /^#/ || line ~ /^# interrupted:/
    close(path)
    return found
}

# How many rows of a table have all values of `wanted`; the last of them is `found`.
function count_rows(path, wanted,    row, column, fits, count)
{
    count = 0
    for (row = 1; row <= table_rows[path]; row++) {
        fits = 1
        for (column in wanted)
            fits = fits && table_cell[path, row, table_column[path, column]] == wanted[column]
        if (fits) {
            found = row
            count++
        }
    }
    return count
}

function add_conditions(text, wanted,    part, count, n, pair)
{
    count = split(text, part, " ")
    for (n = 1; n <= count; n++) {
        if (split(part[n], pair, "=") != 2)
            problem = "\"" part[n] "\" is no COLUMN=VALUE"
        wanted[pair[1]] = pair[2]
    }
}

# The cell of the one row that fits; "" and no problem where the device of record lacks what is asked for.
function look_up(path, wanted, text, column, of_record,    name, count, alone)
{
    for (name in wanted)
        if (!((path, name) in table_column))
            problem = path " has no column \"" name "\""
    if (!((path, column) in table_column))
        problem = path " has no column \"" column "\""
    if (problem != "")
        return ""
    count = count_rows(path, wanted)
    if (count == 1) {
        if (table_cell[path, found, table_column[path, column]] == "")
            problem = "\"" column "\" is empty in the row of " path " that fits \"" text "\""
        return table_cell[path, found, table_column[path, column]]
    }
    if (!count && of_record && "stage" in wanted) {
        alone["stage"] = wanted["stage"]
        if (!count_rows(path, alone))
            return ""
    }
    problem = (count ? count " rows of " path " fit \"" : "no row of " path " fits \"") text "\""
    return ""
}

function is_number(text)
{
    return text ~ /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?$/
}

function value_of(path, query,    of_record, word, count, n, part, mode, wanted, value, below)
{
    problem = ""
    of_record = sub(/^of record: /, "", query)
    if (of_record && !has_rows(path))
        return no_record
    mode = "column"
    count = split(query, word, " ")
    for (n = 1; n <= count; n++) {
        if (word[n] ~ /^(where|over|times|as)$/)
            mode = word[n]
        else
            part[mode] = part[mode] (part[mode] == "" ? "" : " ") word[n]
    }
    if (part["where"] == "" || part["column"] ~ /^$| /)
        problem = "\"" query "\" is no query; it takes COLUMN where COLUMN=VALUE ... [over ...] [times ...] [as ...]"
    if (part["as"] != "" && part["as"] !~ /^%(\.[0-9]+)?[dfeg](%%|0*)$/)
        problem = "\"" part["as"] "\" is no format; it takes %d, %.2f, %.0f%% and the like"
    if (part["times"] != "" && !is_number(part["times"]))
        problem = "\"" part["times"] "\" is no number to multiply by"
    add_conditions(part["where"], wanted)
    if (problem != "" || !read_table(path))
        return ""
    value = look_up(path, wanted, part["where"], part["column"], of_record)
    if (part["over"] != "" && value != "") {
        add_conditions(part["over"], wanted)
        below = look_up(path, wanted, part["over"], part["column"], of_record)
        if (problem == "" && below != "" && !(is_number(value) && is_number(below) && below + 0 != 0))
            problem = "\"" value "\" can't be divided by \"" below "\""
        value = problem != "" || below == "" ? "" : value / below
    }
    if (problem != "")
        return ""
    if (value == "")
        return no_record
    if ((part["times"] != "" || part["as"] != "") && !is_number(value)) {
        problem = "\"" value "\" is no number"
        return ""
    }
    if (part["times"] != "")
        value *= part["times"]
    return part["as"] == "" ? value "" : sprintf(part["as"], value)
}
