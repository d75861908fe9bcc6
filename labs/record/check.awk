# Usage: awk -F, -v today=YYYY-MM-DD -f check.awk STAGES LIST FILE..., for check.sh. STAGES is the build's stages.tsv, LIST
# what `lbm list` prints, FILE a table that record.sh takes or validate.txt, which comes last. Prints one line for each
# thing that can't be true; exit code 1 if there is one.

# A kind of table: the keys that its head has, and its columns with what they hold; what ends in "?" may be empty.
function table(kind, keys, text) {
    needed[kind] = keys
    count[kind] = split(text, form, ",")
    for (n = 1; n <= count[kind]; n++)
        holds[kind, n] = substr(form[n], index(form[n], ":") + 1)
    gsub(/:[a-z]+[?]?/, "", text)
    columns[kind] = text
}

BEGIN {
    of_case = "stage:word,size:count,block_x:count?,block_y:count?,steps:count,repeats:count,"
    speed = of_case "mlups_mean:above,mlups_min:above,mlups_max:above,cv_percent:number?,gbs:above,copy_percent:above," \
            "over_before:above?,over_first:above?,setup_ms:number,read_ms:number?"
    energy = ",counted_w:above?,sampled_w:above?,counted_nj:above?,sampled_nj:above?,clock_min_mhz:count?," \
             "clock_median_mhz:count?,throttle:reasons?"
    head = "command date commit device driver"
    table("speed", head " flow repeats", speed)
    table("energy", head " flow repeats energy", speed energy)
    table("phases", head " flow repeats", of_case "phase:number,step_us:above,cv_percent:number?,mlups:above," \
          "over_first_phase:above")
    table("tune", head " flow repeats", "rank:count,stage:word,width:count,height:count,block_x:count,block_y:count," \
          "threads:count,steps:count,mlups_mean:above,mlups_min:above,mlups_max:above,cv_percent:number?," \
          "percent_of_best:share")
    table("profile", "date program device_and_driver flow", "stage:word,size:count,kernel:word,dram_percent:share," \
          "l2_percent:share,sm_percent:share,l1_hit_percent:share?,sectors_per_load:sectors?," \
          "sectors_per_store:sectors?,occupancy_percent:share,registers:count,time_ns:above,dram_read_bytes:number," \
          "dram_write_bytes:number,l2_write_bytes:number")
    table("latency", head, "what:word,blocks:count,threads:count,us:above")
    table("validate", "command date program device", "")

    takes["word"] = "a word"
    takes["count"] = "an integer above 0"
    takes["number"] = "a number from 0 on"
    takes["above"] = "a number above 0"
    takes["share"] = "a number from 0 to 100"
    takes["sectors"] = "a number from 0 to 32"
    reason = "(application_clocks|power_cap|hw_slowdown|sync_boost|sw_thermal|hw_thermal|power_brake|display_clock)"
    takes["reasons"] = "none, or of " reason ", joined by +"
    pattern["word"] = "^[0-9A-Za-z_]+$"
    pattern["count"] = "^[1-9][0-9]*$"
    pattern["reasons"] = "^(none|" reason "([+]" reason ")*)$"
    LARGE = 4096 * 4096 # cells of a grid that fits in no cache
    MOST_THREADS = 1024 # of a block
}

# One line of the file gets one complaint: others often follow from it.
function complain(text) {
    if (!((FILENAME, FNR) in refused))
        print FILENAME ":" FNR ": " text
    refused[FILENAME, FNR]
    failed = 1
}

function near(a, b, share) { return a - b <= share * b && b - a <= share * b }

function is_held(text, kind) {
    if (kind in pattern)
        return text ~ pattern[kind]
    return text ~ /^[0-9]+([.][0-9]*)?(e[-+][0-9]+)?$/ && (kind != "above" || text > 0) &&
           (kind != "share" || text <= 100) && (kind != "sectors" || text <= 32)
}

# Complains if what is to be one number in all tables differs by more than this share.
function agree(what, value, share) {
    if (!(what in first)) {
        first[what] = value
        seen_in[what] = FILENAME
    }
    if (!near(value, first[what], share) && !near(first[what], value, share))
        complain(what ": " value ", and " first[what] " in " seen_in[what] "; two measurements differ by less")
}

# ---- What the build knows

FILENAME == ARGV[1] {
    split($0, fact, "\t")
    follows[fact[1]] = fact[3]
    on_gpu[fact[1]] = fact[6] == "gpu"
    if (FNR == 2)
        first_stage = fact[1]
    next
}
FILENAME == ARGV[2] {
    split($0, fact, " ")
    if (fact[2] == "GPU" || fact[2] == "CPU")
        bytes[fact[1]] = fact[3]
    if (fact[2] ~ /^[0-9]+(x[0-9]+)+$/)
        dimensions[fact[1]] = split(fact[2], sides, "x")
    next
}

# ---- The head: lines "# key: value"

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/[.][a-z]+$/, "", name)
    split("", told)
    split("", row)
    kind = ""
}
/^#/ && kind == "" {
    key = substr($0, 3, index($0, ":") - 3)
    gsub(/ /, "_", key)
    sub(/^commands$/, "command", key)
    told[key] = substr($0, index($0, ":") + 2)
}
/^#/ { next }

function is_date(text,    part, days) {
    if (text !~ /^20[0-9][0-9]-[0-9][0-9]-[0-9][0-9](T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z)?$/)
        return 0
    split(text, part, /[-T:Z]/)
    days = part[2] == 2 ? 28 + (part[1] % 4 == 0) : 30 + (part[2] + (part[2] > 7)) % 2
    return part[2] >= 1 && part[2] <= 12 && part[3] >= 1 && part[3] <= days && part[4] < 24 && part[5] < 60 &&
           part[6] < 61 && substr(text, 1, 10) <= today
}

# What `lbm --version` prints ends with the commit.
function check_commit(text) {
    sub(/.*commit /, "", text)
    if (text !~ /^[0-9a-f]+(-dirty)?$/)
        complain("the commit is \"" text "\"; it takes the one that was measured")
    if (text ~ /-dirty$/ && !("changed" in told))
        complain("the commit is \"" text "\"; it takes a line \"# changed: ...\" that says what was changed")
}

function check_device(text) {
    if (device == "")
        device = text
    if (text != device)
        complain("the device is \"" text "\"; other tables of the folder are of \"" device "\"")
}

# A table of bench is named after its flow; of the others, all but profiles are of the channel.
function check_flow(    wanted) {
    flow = told["flow"]
    sub(/[ ,].*/, "", flow)
    wanted = kind == "profile" ? flow : "poiseuille"
    if (kind != "profile" && match(name, /^(bench|branch_.x)_/))
        wanted = substr(name, RLENGTH + 1)
    if (flow != wanted || !(flow in dimensions))
        complain("the flow is \"" flow "\"; it takes \"" wanted "\"")
}

function check_head(    n, key, word) {
    for (n = split(needed[kind], key, " "); n > 0; n--)
        if (told[key[n]] == "") {
            gsub(/_/, " ", key[n])
            complain("no line \"# " key[n] ": ...\" above the columns; it takes the head that lbm writes")
        }
    if ("interrupted" in told)
        complain("the table was interrupted; it takes a whole one")
    if ("copies" in told || told["repeats"] ~ /LBM_REPEAT_MS/)
        complain("it was taken as tests are, with LBM_COPY_MIB or LBM_REPEAT_MS; it takes a run without them")
    if (!is_date(told["date"]))
        complain("the date is \"" told["date"] "\"; it takes one like " today "T12:00:00Z, up to today")
    check_commit("commit" in told ? told["commit"] : told["program"])
    sub(/, [^,]*$/, "", told["device_and_driver"])
    check_device(kind == "profile" ? told["device_and_driver"] : told["device"] == "none" ? told["host"] : told["device"])
    if ("flow" in told)
        check_flow()
    split("", stated)
    for (n = split(told["bytes"], word, " "); n > 1; n--)
        stated[word[n - 1]] = word[n]
    repeats = told["repeats"] + 0
    shortest = substr(told["repeats"], index(told["repeats"], "at least") + 9) + 0
    block = told["block"]
    sub(/ threads.*/, "", block)
    device_copy = told["copy"] + 0
    in_place = told["host_copy"] + 0
    all_cores = told["host_copy"]
    sub(/.* from array to array, */, "", all_cores)
    if (device_copy)
        agree("GB/s of a copy in the device's memory", device_copy, 0.25)
}

# The line below the head: the columns. Rows below one that is refused are not looked at.
function begin_rows(    n) {
    kind = name ~ /profile/ ? "profile" : name ~ /^(phases|ablation)$/ ? "phases" : name ~ /^tune_/ ? "tune" : \
           name ~ /^(energy|latency|validate)$/ ? name : $0 == columns["energy"] ? "energy" : "speed"
    check_head()
    if (kind != "validate" && $0 != columns[kind])
        complain("the columns are \"" $0 "\"; it takes \"" columns[kind] "\"" \
                 (kind == "speed" ? ", with --energy \"" substr(columns["energy"], length(columns[kind]) + 1) "\" behind" : ""))
    if ((FILENAME, FNR) in refused && kind != "validate")
        kind = "unknown"
    for (n = 1; n <= NF; n++)
        at[$n] = n
    split($0, column, ",")
}

# ---- Rows

# Whether each cell holds what its column does.
function check_cells(    n, form) {
    if (NF != count[kind]) {
        complain(NF " values; it takes " count[kind])
        return 0
    }
    for (n = 1; n <= NF; n++) {
        form = holds[kind, n]
        if (sub(/[?]$/, "", form) && $n == "" || is_held($n, form))
            continue
        complain(column[n] " is \"" $n "\"; it takes " takes[form])
        return 0
    }
    return 1
}

# A case has one row. Speeds stay for the rows that are compared with them.
function check_stage(stage,    key) {
    if (name ~ /^ablation/)
        sub(/_without.*/, "", stage)
    if (!(stage in on_gpu))
        complain("there is no stage \"" stage "\"")
    key = $at["stage"] SUBSEP $at["size"]
    if (kind == "phases" || kind == "profile")
        key = key SUBSEP $at[kind == "phases" ? "phase" : "kernel"]
    if (kind == "tune")
        key = $at["block_x"] SUBSEP $at["block_y"]
    if (key in row)
        complain($at["stage"] " at " $at[kind == "tune" ? "block_x" : "size"] " has two rows")
    row[key] = $at["mlups_mean"]
}

# A stage on the GPU has the block that the head names, others none.
function check_block(    text) {
    text = $at["block_x"] " x " $at["block_y"]
    if (text != (on_gpu[$at["stage"]] || name ~ /^ablation/ ? block : " x ") || $at["block_x"] * $at["block_y"] > MOST_THREADS)
        complain("a block of " text "; it takes \"" block "\" of the head on the GPU, of up to " MOST_THREADS " threads")
    if ($at["repeats"] != repeats)
        complain($at["repeats"] " repeats; it takes " repeats ", as the head says")
}

# A repeat is a little shorter than it was meant to be if the warm-up was slower. One step may take any time.
function check_steps(seconds) {
    if (seconds < shortest / 2 || seconds > 10 * shortest && $at["steps"] > 100)
        complain($at["steps"] " steps take " seconds " s; it takes about the " shortest " s of the head")
}

# Bounds of a standard deviation over n samples, with their mean and the least and the largest of them.
function check_spread(n,    mean, low, high, cv, inner, least, most) {
    mean = $at["mlups_mean"]
    low = mean - $at["mlups_min"]
    high = $at["mlups_max"] - mean
    cv = $at["cv_percent"]
    if (low < 0 || high < 0)
        complain("a mean of " mean " MLUPS is not between the least and the largest")
    else if ((n > 1) != (cv != "") || n == 1 && low + high > 0)
        complain("a CV of \"" cv "\" in " n " repeats")
    else if (n > 1) {
        inner = n > 2 ? (low - high) ^ 2 / (n - 2) : 0
        least = 100 * sqrt((low ^ 2 + high ^ 2 + inner) / (n - 1)) / mean
        most = 100 * sqrt(n * low * high / (n - 1)) / mean
        if (cv < 0.999 * least - 1e-5 || cv > 1.001 * most + 1e-5)
            complain("a CV of " cv "%; between these speeds it takes " least " to " most)
    }
}

# A ratio to another row's speed, or none if there is no such row.
function check_ratio(what, other,    wanted) {
    wanted = (other, $at["size"]) in row && other != $at["stage"] ? $at["mlups_mean"] / row[other, $at["size"]] : ""
    if ($at[what] == "" ? wanted != "" : wanted == "" || !near($at[what], wanted, 1e-4))
        complain(what " is \"" $at[what] "\"; it takes \"" wanted "\", over " other)
}

# Bandwidth, and its share of a copy: of several GPUs for a stage on ranks, of one thread or all for the CPU. What bytes an
# update took is what the build says, or a line "# bytes: STAGE BYTES ..." if the stage was another one then.
function check_bandwidth(stage, cells,    gbs, copy, n, copies, copies_of, good, each) {
    gbs = $at["gbs"]
    copy = $at["copy_percent"]
    if (!(stage in bytes))
        bytes[stage] = 1e3 * gbs / $at["mlups_mean"]
    each = stage in stated ? stated[stage] : bytes[stage]
    if (!near(1e3 * gbs, each * $at["mlups_mean"], 1e-4))
        complain(stage " at " $at["size"] ": " gbs " GB/s; with " each " bytes an update it takes " each * $at["mlups_mean"] / 1e3)
    copies = on_gpu[stage] ? device_copy " " device_copy * told["ranks"] : in_place " " all_cores
    for (n = split(copies, copies_of, " "); n > 0; n--)
        good += near(copies_of[n] * copy, 100 * gbs, 0.01)
    if (!good)
        complain(stage " at " $at["size"] ": " gbs " GB/s are no " copy "% of a copy in the head")
    if (cells >= LARGE && copy > 105)
        complain(stage " at " $at["size"] ": " copy "% of a copy; a grid that fits in no cache takes at most 100, and 5 for errors")
}

function check_speed(    stage, cells, mlups) {
    stage = $at["stage"]
    mlups = $at["mlups_mean"]
    cells = $at["size"] ^ dimensions[flow]
    check_block()
    check_steps($at["steps"] * cells / mlups / 1e6)
    check_spread($at["repeats"])
    check_bandwidth(stage, cells)
    check_ratio("over_before", follows[stage])
    check_ratio("over_first", first_stage)
    agree("MLUPS of " stage " at " $at["size"] " in " flow ", block " block, mlups, cells >= LARGE ? 0.25 : 1)
    measured[stage]
    if (kind == "energy")
        check_energy()
}

# What a row says of power, clock and energy; what was not known is empty.
function check_energy(    n, how, w, nj, limit, least, mhz) {
    limit = match(told["energy"], /power limit [0-9]+ W/) ? substr(told["energy"], RSTART + 12) + 0 : 10000
    for (n = split("counted sampled", how, " "); n > 0; n--) {
        w = $at[how[n] "_w"]
        nj = $at[how[n] "_nj"]
        if ((w == "") != (nj == ""))
            complain("\"" w "\" and \"" nj "\" are no power and energy of an update; it takes two numbers, or none")
        else if (w != "" && (nj < 0.9999e3 * w / $at["mlups_max"] || nj > 1.0001e3 * w / $at["mlups_min"]))
            complain(w " W at " $at["mlups_mean"] " MLUPS are no " nj " nJ an update; it takes " 1e3 * w / $at["mlups_mean"])
        if (w > 1.2 * limit)
            complain(w " W are above the power limit of " limit " W")
    }
    w = $at["counted_w"]
    if (w != "" && $at["sampled_w"] != "" && !near(w, $at["sampled_w"], 0.1))
        complain(w " W by the counter and " $at["sampled_w"] " W in the mean; it takes two that differ by a tenth at most")
    limit = match(told["energy"], /at most [0-9]+ MHz/) ? substr(told["energy"], RSTART + 8) + 0 : 10000
    mhz = $at["clock_median_mhz"]
    least = $at["clock_min_mhz"]
    if ((mhz == "") != (least == "") || mhz != "" && (least > mhz || mhz > limit))
        complain("a median clock of " mhz " MHz; it takes " least " to " limit)
}

# The time of each step of a cycle.
function check_phases(    us, key) {
    us = $at["step_us"]
    key = $at["stage"] " " $at["size"]
    if ($at["phase"] == 0)
        first_us[key] = us
    check_block()
    check_steps($at["steps"] * us / 1e6)
    if (!near($at["mlups"] * us, $at["size"] ^ 2, 1e-4))
        complain(us " us are no " $at["mlups"] " MLUPS; it takes " $at["size"] ^ 2 / us)
    if (!near($at["over_first_phase"] * first_us[key], us, 1e-4))
        complain($at["over_first_phase"] " times the first step; it takes " us " us over its " first_us[key])
}

# Shapes of blocks, the fastest first.
function check_shape(    mlups, threads) {
    mlups = $at["mlups_mean"]
    threads = $at["block_x"] * $at["block_y"]
    if ($at["rank"] == 1)
        fastest = before = mlups
    if ("tune_" $at["stage"] != name)
        complain("the stage is " $at["stage"] "; by its name the table takes another one")
    if (threads != $at["threads"] || threads > MOST_THREADS)
        complain("a block of " $at["block_x"] " x " $at["block_y"] " has " threads " threads, of up to " MOST_THREADS)
    if ($at["rank"] != rows[FILENAME] || mlups > before)
        complain(mlups " MLUPS on rank " $at["rank"] "; it takes " rows[FILENAME] ", and no more than " before)
    if (!near($at["percent_of_best"], 100 * mlups / fastest, 1e-4))
        complain($at["percent_of_best"] "% of the best; it takes " 100 * mlups / fastest)
    check_steps($at["steps"] * $at["width"] * $at["height"] / mlups / 1e6)
    check_spread(repeats)
    before = mlups
}

# A line of what validate prints: a stage's name begins its rows, which end in error, bound and verdict.
function check_verdict(    n, word) {
    if ($0 ~ /^[0-9a-z_]+: /) {
        validated = substr($0, 1, index($0, ":") - 1)
        return
    }
    n = split($0, word, " ")
    if (!(word[1] in dimensions) && word[2] != "refuses" || $0 ~ /  left out: /)
        return
    rows[FILENAME]++
    for (n = 3; n in word && !(is_error(word[n]) && is_error(word[n + 1])); n++)
        ;
    checked[validated]
    if (!(n in word && word[n] <= word[n + 1] && word[n + 2] ~ /^ok,?$/))
        complain(validated " is rejected: it takes an error, a bound that is no smaller, and \"ok\"")
}
function is_error(text) { return text ~ /^-?[0-9][.][0-9]+e[-+][0-9]+$/ }

kind == "validate" { check_verdict(); next }
kind == "" { begin_rows(); next }
{ rows[FILENAME]++ }
kind == "unknown" { next }
kind == "latency" { check_cells(); next }
{ check_stage($at["stage"]) }
check_cells() && !((FILENAME, FNR) in refused) {
    if (kind == "speed" || kind == "energy")
        check_speed()
    if (kind == "phases")
        check_phases()
    if (kind == "tune")
        check_shape()
}
END {
    for (n = 3; n < ARGC; n++)
        if (!(ARGV[n] in rows)) {
            print ARGV[n] ": no rows; it takes one at least"
            failed = 1
        }
    if (name == "validate")
        for (stage in measured)
            if (!(stage in checked)) {
                print FILENAME ": " stage " has a speed, but was not validated"
                failed = 1
            }
    exit failed
}
