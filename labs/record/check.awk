# Usage: awk -F, -f check.awk STAGES TABLE..., for check.sh. STAGES are the names of all stages. Prints one line for each
# thing that can't be true in tables of bench; exit code 1 if there is one.
function complain(text) {
    print FILENAME ":" FNR ": " text
    failed = 1
}
function near(a, b, share) { return a - b <= share * b && b - a <= share * b }
function is_number(text) { return text ~ /^[0-9]+([.][0-9]*)?(e[-+][0-9]+)?$/ }
function is_count(text) { return text ~ /^[1-9][0-9]*$/ }

function begin_table(    key) {
    split("command date commit device driver host", key, " ")
    for (n in key)
        told[key[n]] = ""
    columns = device_copy = in_place = all_cores = most_mhz = limit_w = changed = 0
    split("", row)
    split("", bytes)
}

# "# key: value"; copies are told as numbers in front of GB/s, or behind "in place by".
function read_head(    key, text) {
    key = substr($0, 3, index($0, ":") - 3)
    text = substr($0, index($0, ":") + 2)
    told[key] = text
    if (key == "interrupted")
        complain("the table was interrupted; it takes a whole one")
    if (key == "changed")
        changed = 1
    if (key == "copy")
        device_copy = text + 0
    if (key == "host copy") {
        in_place = text + 0
        sub(/.* from array to array, */, "", text)
        all_cores = text + 0
    }
    if (key == "copies" || key == "repeats" && text ~ /LBM_REPEAT_MS/)
        complain("it was taken as tests are, with LBM_COPY_MIB or LBM_REPEAT_MS; it takes a run without them")
    if (key == "energy" && match(text, /at most [0-9]+ MHz/))
        most_mhz = substr(text, RSTART + 8) + 0
    if (key == "energy" && match(text, /limit [0-9]+ W/))
        limit_w = substr(text, RSTART + 6) + 0
}

function check_head() {
    for (n = split("command date commit device driver", key, " "); n > 0; n--)
        if (told[key[n]] == "")
            complain("no line \"# " key[n] ": ...\" above the columns; it takes the head that bench writes")
    if (told["commit"] != "" && told["commit"] !~ /^[0-9a-f]+(-dirty)?$/)
        complain("the commit is \"" told["commit"] "\"; it takes the one that was measured")
    if (told["commit"] ~ /-dirty$/ && !changed)
        complain("the commit is \"" told["commit"] "\"; it takes a line \"# changed: ...\" that says what was changed")
    if (told["device"] == "none")
        told["device"] = told["host"]
    if (device != "" && told["device"] != "" && told["device"] != device)
        complain("the device is \"" told["device"] "\"; other tables of the folder are of \"" device "\"")
    if (told["device"] != "")
        device = told["device"]
    wanted = "stage,size,block_x,block_y,steps,repeats,mlups_mean,mlups_min,mlups_max,cv_percent,gbs,copy_percent," \
             "over_before,over_first,setup_ms,read_ms"
    energy = ",counted_w,sampled_w,counted_nj,sampled_nj,clock_min_mhz,clock_median_mhz,throttle"
    if ($0 != wanted && $0 != wanted energy) {
        complain("the columns are \"" $0 "\"; it takes \"" wanted "\", with --energy \"" energy "\" behind")
        columns = -1
        return
    }
    for (columns = 1; columns <= NF; columns++)
        at[$columns] = columns
    columns--
}

# What a row says of power, clock and energy; what was not known is empty.
function check_energy(mlups,    w, nj, mhz, least) {
    for (n = split("counted sampled", how, " "); n > 0; n--) {
        w = $at[how[n] "_w"]
        nj = $at[how[n] "_nj"]
        if ((w != "" || nj != "") && !(is_number(w) && is_number(nj) && w > 0))
            complain("\"" w "\" and \"" nj "\" are no power and energy of an update; it takes two numbers above 0, or none")
        else if (w != "" && !near(nj, 1e3 * w / mlups, 0.05))
            complain(w " W at " mlups " MLUPS are no " nj " nJ an update; it takes " 1e3 * w / mlups)
        if (w != "" && limit_w && w > 1.2 * limit_w)
            complain(w " W are above the power limit of " limit_w " W")
    }
    w = $at["counted_w"]
    if (w != "" && $at["sampled_w"] != "" && !near(w, $at["sampled_w"], 0.1))
        complain(w " W by the counter and " $at["sampled_w"] " W in the mean; it takes two that differ by a tenth at most")
    mhz = $at["clock_median_mhz"]
    least = $at["clock_min_mhz"]
    if (mhz == "" && least == "")
        return
    if (!(is_number(mhz) && is_number(least) && least > 0 && least <= mhz && (!most_mhz || mhz <= most_mhz)))
        complain("a median clock of " mhz " MHz; it takes " least " to " most_mhz)
}

function check_row(    stage, size, mlups, gbs, copy) {
    if (NF != columns) {
        complain(NF " values; it takes " columns)
        return
    }
    stage = $1
    size = $2
    mlups = $at["mlups_mean"]
    gbs = $at["gbs"]
    copy = $at["copy_percent"]
    if (!(stage in stages))
        complain("there is no stage \"" stage "\"")
    if ((stage, size) in row)
        complain(stage " at " size " has two rows")
    row[stage, size] = 1
    if (!(is_number(mlups) && is_number(gbs) && is_number(copy) && is_number($at["cv_percent"]) && mlups > 0)) {
        complain(stage " at " size ": \"" mlups "\", \"" gbs "\", \"" copy "\", \"" $at["cv_percent"] \
                 "\" are no MLUPS, GB/s, percents of a copy and CV")
        return
    }
    if (!(is_count(size) && is_count($at["steps"]) && is_count($at["repeats"]) && is_number($at["mlups_min"]) &&
          is_number($at["mlups_max"]) && is_number($at["setup_ms"]) && ($at["read_ms"] == "" || is_number($at["read_ms"])))) {
        complain(stage ": \"" size "\", \"" $at["steps"] "\", \"" $at["repeats"] "\" and the speeds and times behind them" \
                 " are not all numbers; it takes a row as bench writes it")
        return
    }
    if ($at["cv_percent"] > 101 * ($at["mlups_max"] - $at["mlups_min"]) / mlups + 0.001)
        complain(stage " at " size ": a CV of " $at["cv_percent"] "% is more than the speeds spread")
    if (!($at["mlups_min"] <= mlups && mlups <= $at["mlups_max"]))
        complain(stage " at " size ": a mean of " mlups " MLUPS is not between the least and the largest")
    if (stage in bytes && !near(gbs / mlups, bytes[stage], 0.001))
        complain(stage " at " size ": " 1e3 * gbs / mlups " bytes an update, and " 1e3 * bytes[stage] " above")
    if (!(stage in bytes))
        bytes[stage] = gbs / mlups
    fits = 0
    for (n = split(device_copy " " in_place " " all_cores, copies, " "); n > 0; n--)
        fits += near(copies[n] * copy, 100 * gbs, 0.01)
    if (!fits)
        complain(stage " at " size ": " gbs " GB/s are no " copy "% of a copy in the head")
    if (size >= 4096 && copy > 105)
        complain(stage " at " size ": " copy "% of a copy; a grid that fits in no cache takes at most 100, and 5 for errors")
    if ("throttle" in at)
        check_energy(mlups)
    if (stage in stages)
        print stage >measured
}

FNR == 1 && NR != 1 { begin_table() }
FNR == NR { stages[$1]; next }
/^#/ { read_head(); next }
columns == 0 { check_head(); next }
columns > 0 { check_row() }
END { exit failed }
