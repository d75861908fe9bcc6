# Usage: awk -F, -v today=YYYY-MM-DD -f check.awk STAGES LIST FILE..., for check.sh. STAGES is the build's stages.tsv, LIST
# what `lbm list` prints, and below it the commits with their dates, FILE a table that record.sh takes or validate.txt,
# which comes last. Prints one line for each thing that can't be true; exit code 1 if there is one.

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
    speeds = "mlups_mean:above,mlups_min:above,mlups_max:above,cv_percent:number?,"
    speed = of_case speeds "gbs:above,copy_percent:above,over_before:above?,over_first:above?,setup_ms:number," \
            "read_ms:number?"
    energy = ",counted_w:above?,sampled_w:above?,counted_nj:above?,sampled_nj:above?,clock_min_mhz:count?," \
             "clock_median_mhz:count?,throttle:reasons?"
    head = "command date commit device driver"
    table("speed", head " flow repeats", speed)
    table("energy", head " flow repeats energy", speed energy)
    table("phases", head " flow repeats", of_case "phase:number,step_us:above,cv_percent:number?,mlups:above," \
          "over_first_phase:above")
    table("tune", head " flow repeats", "rank:count,stage:word,width:count,height:count,block_x:count,block_y:count," \
          "threads:count,steps:count," speeds "percent_of_best:share")
    table("profile", "date program device_and_driver flow", "stage:word,size:count,kernel:word,dram_percent:share," \
          "l2_percent:share,sm_percent:share,l1_hit_percent:share?,sectors_per_load:sectors?," \
          "sectors_per_store:sectors?,occupancy_percent:share,registers:count,time_ns:above,dram_read_bytes:number," \
          "dram_write_bytes:number,l2_write_bytes:number")
    table("latency", head, "what:word,blocks:count,threads:count,us:above")
    table("reductions", head " numbers", "form:word,atomics:integer,us:above,gbs:above,copy_percent:above," \
          "same_bits:answer,error:number")
    table("runs", "command date program device disk", "stage:word,flow:word,size:cells,options:text,set_up:number," \
          "steps:number,looks:number,files:number,all:above,wall:above,steps_percent:share,mlups_steps:above," \
          "mlups_all:above,memory_mib:count")
    table("webgpu", head " flow repeats copy", "stage:word,form:word,size:count,block_x:count,block_y:count,steps:count," \
          "mlups:above?,gbs:above,copy_percent:above")
    table("capsule_shapes", "command date program device", "ca:above,shear_rate:above,time:above,deformation:number," \
          "inclination:signed,volume:above,angle:signed,force:number")
    table("capsule_runs", "command date program device", "stage:word,run:count,deformation:number,inclination:signed," \
          "volume:above,angle:signed,force:number,checksum:count")
    table("capsule_speed", "command date program device", "capsules:count,size:cells,stage:word,us_step:above,over_50:above")
    table("validate", "command date program device", "")

    takes["word"] = "a word"
    takes["count"] = "an integer above 0"
    takes["cells"] = "a size such as 512 or 884x166"
    takes["text"] = "options"
    takes["integer"] = "an integer from 0 on"
    takes["answer"] = "yes or no"
    takes["number"] = "a number from 0 on"
    takes["signed"] = "a number"
    takes["above"] = "a number above 0"
    takes["share"] = "a number from 0 to 100"
    takes["sectors"] = "a number from 0 to 32"
    reason = "(application_clocks|power_cap|hw_slowdown|sync_boost|sw_thermal|hw_thermal|power_brake|display_clock)"
    takes["reasons"] = "none, or of " reason ", joined by +"
    pattern["word"] = "^[0-9A-Za-z_]+$"
    pattern["count"] = "^[1-9][0-9]*$"
    pattern["cells"] = "^[1-9][0-9]*(x[1-9][0-9]*)*$"
    pattern["text"] = "^[-.0-9a-z ]+$"
    pattern["integer"] = "^[0-9]+$"
    pattern["signed"] = "^-?[0-9]+([.][0-9]*)?(e[-+][0-9]+)?$"
    pattern["answer"] = "^(yes|no)$"
    pattern["reasons"] = "^(none|" reason "([+]" reason ")*)$"
    COPY = "GB/s of a copy in the device's memory"
    LARGE = 4096 * 4096 # cells of a grid that fits in no cache
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
    if (fact[1] == "commit")
        committed[fact[2]] = fact[3]
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

# What `lbm --version` prints ends with the commit: one word, as `git describe` or LBM_COMMIT says it.
function check_commit(text,    hash) {
    sub(/.*commit /, "", text)
    if (text !~ /^[^ \t]+$/ || text == "unknown")
        complain("the commit is \"" text "\"; it takes the one that was measured")
    if (text ~ /-dirty$/ && !("changed" in told))
        complain("the commit is \"" text "\"; it takes a line \"# changed: ...\" that says what was changed")
    sub(/-dirty$/, "", text)
    sub(/.*-g/, "", text)
    for (hash in committed)
        if (length(text) >= 7 && index(hash, text) == 1 && substr(told["date"], 1, 10) < committed[hash])
            complain("the date is \"" told["date"] "\"; its commit is of " committed[hash])
}

# Complains if what all tables of a folder name, a device or a driver, is another one here.
function check_name(what, text) {
    if (text != "" && !(what in named))
        named[what] = text
    if (text != "" && text != named[what])
        complain("the " what " is \"" text "\"; other tables of the folder are of \"" named[what] "\"")
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
    if ("copies" in told || told["repeats"] ~ /at least 0\.[012].*LBM_REPEAT_MS/)
        complain("it was taken as tests are, with LBM_COPY_MIB or a short LBM_REPEAT_MS; it takes repeats of 0.3 s at least")
    if (!is_date(told["date"]))
        complain("the date is \"" told["date"] "\"; it takes one like " today "T12:00:00Z, up to today")
    check_commit("commit" in told ? told["commit"] : told["program"])
    if (kind == "profile") {
        told["device"] = told["driver"] = told["device_and_driver"]
        sub(/, [^,]*$/, "", told["device"])
        sub(/.*, /, "", told["driver"])
    }
    sub(/,.*/, "", told["driver"])
    check_name("device", told[told["device"] == "none" ? "host" : "device"])
    if (told["driver"] != "unknown") # as under WSL, where only nvidia-smi tells it
        check_name("driver", told["driver"])
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
        agree(COPY, device_copy, 0.25)
}

# The line below the head: the columns. Rows below one that is refused are not looked at.
function begin_rows(    n) {
    kind = name ~ /profile/ ? "profile" : name ~ /^(phases|ablation)$/ ? "phases" : name ~ /^tune_/ ? "tune" : \
           name ~ /^(energy|latency|reductions|runs|webgpu|capsule_.*|validate)$/ ? name : $0 == columns["energy"] ? "energy" : "speed"
    check_head()
    if (kind != "validate" && $0 != columns[kind])
        complain("the columns are \"" $0 "\"; it takes \"" columns[kind] "\"")
    if ((FILENAME, FNR) in refused && kind != "validate")
        kind = "unknown"
    for (n = 1; n <= NF; n++)
        at[$n] = n
    split($0, column, ",")
}

# ---- Rows

# Complains of a cell unless it is good; `wanted` says what it takes.
function take(column, good, wanted) {
    if (!good)
        complain(column " is \"" $at[column] "\"; it takes " (wanted == "" ? "none" : wanted))
}
function equal(column, wanted, share) {
    take(column, wanted == "" || $at[column] == "" ? $at[column] == wanted : near($at[column], wanted, share), wanted)
}
function between(column, least, most) {
    take(column, $at[column] == "" || $at[column] >= least && $at[column] <= most, least " to " most)
}

function check_cells(    n, form) {
    if (NF != count[kind])
        complain(NF " values; it takes " count[kind])
    for (n = 1; n <= NF; n++) {
        form = holds[kind, n]
        take(column[n], sub(/[?]$/, "", form) && $n == "" || is_held($n, form), takes[form])
    }
}

# A case has one row. Speeds stay for the rows that are compared with them.
function check_stage(stage,    key) {
    if (name ~ /^ablation/)
        sub(/_without.*/, "", stage)
    take("stage", (stage in on_gpu) && (kind != "tune" || name == "tune_" stage), "a stage, that of the table's name")
    key = kind == "tune" ? $at["block_x"] SUBSEP $at["block_y"] : $at["stage"] SUBSEP $at["size"]
    if (kind == "phases" || kind == "profile")
        key = key SUBSEP $at[kind == "phases" ? "phase" : "kernel"]
    if (key in row)
        complain("another row is of the same case: " $0)
    row[key] = $at["mlups_mean"]
}

# A stage on the GPU has the block of the head. A repeat lasts as long as it was meant to if it goes at the speed of the
# warm-up, which other programs may slow down tenfold; few steps may take any time.
function check_case(seconds,    wanted) {
    wanted = $at["stage"] in on_gpu && !on_gpu[$at["stage"]] ? "" : block
    if (kind != "tune") {
        take("block_x", $at["block_x"] " x " $at["block_y"] == (wanted == "" ? " x " : wanted), wanted)
        equal("repeats", repeats, 0)
    }
    take("block_x", $at["block_x"] * $at["block_y"] <= 1024, "a block of up to 1024 threads")
    take("steps", seconds >= shortest / 10 && (seconds <= 100 * shortest || $at["steps"] <= 100),
         "about " $at["steps"] * shortest / seconds ", for " shortest " s a repeat")
}

# The mean, and the standard deviation, of n samples of which the least and the largest are known.
function check_spread(n,    range, low, high, least, most) {
    range = ($at["mlups_max"] - $at["mlups_min"]) / n
    between("mlups_mean", ($at["mlups_min"] + range) * (1 - 1e-8), ($at["mlups_max"] - range) * (1 + 1e-8))
    low = $at["mlups_mean"] - $at["mlups_min"]
    high = $at["mlups_max"] - $at["mlups_mean"]
    if (n < 2) {
        equal("cv_percent", "")
        return
    }
    least = most = low ^ 2 + high ^ 2 + (n > 2 ? (low - high) ^ 2 / (n - 2) : 0)
    if (n > 3)
        most = n * low * high
    between("cv_percent", 99.9 * sqrt(least / (n - 1)) / $at["mlups_mean"] - 1e-5,
            100.1 * sqrt(most / (n - 1)) / $at["mlups_mean"] + 1e-5)
}

# A ratio to another row's speed, or none if there is no such row.
function over(stage) {
    return stage != $at["stage"] && (stage, $at["size"]) in row ? $at["mlups_mean"] / row[stage, $at["size"]] : ""
}

# Main memory is that of several GPUs for a stage on ranks, of one thread or of all for a stage on the CPU. What an update
# moves is what the build says, or a line "# bytes: STAGE BYTES ..." if the stage was another one then.
function check_speed(stage,    mlups, cells, copy, other) {
    mlups = $at["mlups_mean"]
    cells = $at["size"] ^ dimensions[flow]
    check_case($at["steps"] * cells / mlups / 1e6)
    check_spread(repeats)
    if (!(stage in bytes))
        bytes[stage] = 1e3 * $at["gbs"] / mlups
    equal("gbs", (stage in stated ? stated[stage] : bytes[stage]) * mlups / 1e3, 1e-4)
    copy = on_gpu[stage] ? device_copy : in_place
    other = on_gpu[stage] ? device_copy * told["ranks"] : all_cores
    if (other && near($at["copy_percent"], 100 * $at["gbs"] / other, 0.01))
        copy = other
    equal("copy_percent", copy ? 100 * $at["gbs"] / copy : "", 0.01)
    if (cells >= LARGE)
        between("copy_percent", 0, 105)
    equal("over_before", over(follows[stage]), 1e-4)
    equal("over_first", over(first_stage), 1e-4)
    agree("MLUPS of " stage " at " $at["size"] " in " flow ", block " block, mlups,
          on_gpu[stage] && cells >= LARGE ? 0.25 : 2)
    measured[stage]
}

# Power, energy and clock; what was not known is empty.
function check_energy(    n, how, watts, limit) {
    limit = match(told["energy"], /power limit [0-9]+/) ? substr(told["energy"], RSTART + 12, RLENGTH - 12) : 1e4
    for (n = split("counted sampled", how, " "); n > 0; n--) {
        watts = $at[how[n] "_w"]
        between(how[n] "_w", 0, 1.2 * limit)
        take(how[n] "_nj", (watts == "") == ($at[how[n] "_nj"] == ""), "a value where there are watts")
        between(how[n] "_nj", 999.9 * watts / $at["mlups_max"], 1000.1 * watts / $at["mlups_min"])
    }
    if ($at["counted_w"] != "")
        between("sampled_w", 0.9 * watts, 1.1 * watts)
    limit = match(told["energy"], /at most [0-9]+/) ? substr(told["energy"], RSTART + 8, RLENGTH - 8) : 1e4
    take("clock_min_mhz", ($at["clock_min_mhz"] == "") == ($at["clock_median_mhz"] == ""), "a value beside the median")
    between("clock_median_mhz", $at["clock_min_mhz"], limit)
}

# The time of each step of a cycle.
function check_phase(    us, key) {
    us = $at["step_us"]
    key = $at["stage"] " " $at["size"]
    if ($at["phase"] == 0)
        first_us[key] = us
    check_case($at["steps"] * us / 1e6)
    equal("mlups", $at["size"] ^ dimensions[flow] / us, 1e-4)
    equal("over_first_phase", first_us[key] ? us / first_us[key] : "", 1e-4)
}

# Main memory moves a kernel's bytes no faster than a copy, up to errors of the two measurements.
function check_kernel(    least) {
    least = COPY in first ? ($at["dram_read_bytes"] + $at["dram_write_bytes"]) / first[COPY] / 1.25 : 0
    take("time_ns", $at["time_ns"] >= least, "at least " least ", for its bytes")
}

# The sum of an array of floats. Without atomic additions its bits are always the same.
function check_sum_of_numbers() {
    equal("gbs", 4e-3 * told["numbers"] / $at["us"], 0.01)
    equal("copy_percent", 100 * $at["gbs"] / device_copy, 0.01)
    take("same_bits", $at["atomics"] > 0 || $at["same_bits"] == "yes", "yes without atomic additions")
    between("error", 0, 1e-9)
}

# A stage, or a copy, as WebGPU: in a form, with a block.
function check_webgpu(stage,    key) {
    key = stage SUBSEP $at["form"] SUBSEP $at["size"] SUBSEP $at["block_x"] SUBSEP $at["block_y"]
    if (key in row)
        complain("another row is of the same case: " $0)
    row[key]
    take("stage", stage == "copy" || stage in on_gpu, "copy, or a stage")
    take("form", $at["form"] ~ (stage == "copy" ? "^(f32|vec4f)$" : "^(unrolled|loops|packed)$"), "one of its forms")
    equal("mlups", stage == "copy" ? "" : 1e3 * $at["gbs"] / bytes[stage], 1e-4)
    equal("copy_percent", 100 * $at["gbs"] / device_copy, 0.01)
    if ($at["size"] ^ 2 >= LARGE)
        between("copy_percent", 0, 105)
}

# Shapes of blocks, the fastest first.
function check_shape(    mlups) {
    mlups = $at["mlups_mean"]
    if (rows[FILENAME] == 1)
        fastest = before = mlups
    equal("rank", rows[FILENAME], 0)
    between("mlups_mean", 0, before)
    before = mlups
    equal("threads", $at["block_x"] * $at["block_y"], 0)
    equal("percent_of_best", 100 * mlups / fastest, 1e-4)
    check_case($at["steps"] * $at["width"] * $at["height"] / mlups / 1e6)
    check_spread(repeats)
}

# Seconds are rounded to hundredths.
function check_run(    sum) {
    sum = $at["set_up"] + $at["steps"] + $at["looks"] + $at["files"]
    between("all", sum - 0.03, sum + 0.03)
    between("wall", $at["all"] - 0.01, 1000)
    between("steps_percent", 100 * ($at["steps"] - 0.01) / $at["all"] - 2, 100 * ($at["steps"] + 0.01) / $at["all"] + 2)
}

# The shape of a capsule. A flow that only stretches a sphere gives it the deformation t / sqrt(4 + t^2); a membrane resists.
function check_capsule_shape(    key) {
    key = $at["ca"]
    take("time", !(key in row) || $at["time"] > row[key], "a time above " row[key])
    row[key] = $at["time"]
    between("deformation", 0, $at["time"] / sqrt(4 + $at["time"] ^ 2))
    between("inclination", -1.5708, 1.5708)
    between("volume", 0.999, 1.001)
    between("force", 0, 1e-6)
}

# Runs of a stage end alike, and where sums are integers, in the same bits.
function check_capsule_run(stage) {
    table_of_runs = FILENAME
    equal("run", ++runs[stage], 0)
    take("stage", stage in on_gpu, "a stage")
    agree("deformation of a run", $at["deformation"], 1e-5)
    between("volume", 0.999, 1.001)
    between("force", 0, 1e-6)
    if (stage != "60_membrane") {
        if (!checksum)
            checksum = $at["checksum"]
        take("checksum", $at["checksum"] == checksum, checksum ", as in the other runs of integers")
    }
}

# Times of a step, over that of stage 50 in the first row of a case.
function check_capsule_speed(stage,    key) {
    key = $at["capsules"] SUBSEP $at["size"]
    if (stage == "50_d3q19" && !(key in row))
        row[key] = $at["us_step"]
    take("stage", stage in on_gpu && key in row && !((key, stage) in row), "each stage once, the first 50_d3q19")
    row[key, stage]
    if (key in row)
        equal("over_50", $at["us_step"] / row[key], 1e-4)
}

# The last line of what validate prints counts the rows, of which not all are kept. Several calls have several lines.
function check_sum(text, word) {
    if (word[1] != stages || word[5] < quantities || text !~ /: all hold/)
        complain("the last line is \"" text "\"; above it are " quantities " quantities of " stages \
                 " stages, and it takes that all hold")
    split("", summed)
    stages = quantities = 0
}

# A line of what validate prints: a stage's name begins its rows, which end in error, bound and verdict.
function check_verdict(    n, word) {
    if ($0 ~ /^[0-9a-z_]+: /)
        validated = substr($0, 1, index($0, ":") - 1)
    n = split($0, word, " ")
    if ($0 ~ /^[0-9]+ (stages?,|checks failed)/)
        check_sum($0, word)
    if (!(word[1] in dimensions) && word[2] != "refuses" || $0 ~ /  left out: /)
        return
    rows[FILENAME]++
    checked[validated]
    quantities++
    stages += !(validated in summed)
    summed[validated]
    for (n = 3; n in word && !(is_error(word[n]) && is_error(word[n + 1])); n++)
        ;
    if (!(n in word && word[n] <= word[n + 1] && word[n + 1] <= 1 && word[n + 2] ~ /^ok,?$/))
        complain(validated " is rejected: it takes an error, a bound that is no smaller, of up to 1, and \"ok\"")
}
function is_error(text) { return text ~ /^-?[0-9][.][0-9]+e[-+][0-9]+$/ }

kind == "validate" { check_verdict(); next }
kind == "" { begin_rows(); next }
{ rows[FILENAME]++ }
kind == "unknown" { next }
{ check_cells() }
kind !~ /^(latency|reductions|runs|webgpu|capsule_.*)$/ { check_stage($at["stage"]) }
(FILENAME, FNR) in refused { next }
kind == "speed" || kind == "energy" { check_speed($at["stage"]) }
kind == "energy" { check_energy() }
kind == "phases" { check_phase() }
kind == "tune" { check_shape() }
kind == "profile" { check_kernel() }
kind == "latency" { between("us", 0, 100) }
kind == "reductions" { check_sum_of_numbers() }
kind == "runs" { check_run() }
kind == "webgpu" { check_webgpu($at["stage"]) }
kind == "capsule_shapes" { check_capsule_shape() }
kind == "capsule_runs" { check_capsule_run($at["stage"]) }
kind == "capsule_speed" { check_capsule_speed($at["stage"]) }
END {
    for (n = 3; n < ARGC; n++)
        if (!(ARGV[n] in rows)) {
            print ARGV[n] ": no rows; it takes one at least"
            failed = 1
        }
    for (stage in runs)
        if (runs[stage] != 10) {
            print table_of_runs ": " stage " has " runs[stage] " runs; it takes 10"
            failed = 1
        }
    for (stage in measured)
        if (name == "validate" && !(stage in checked)) {
            print FILENAME ": " stage " has a speed, but was not validated"
            failed = 1
        }
    exit failed
}
