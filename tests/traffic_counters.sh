#!/bin/sh
# Usage: traffic_counters.sh BUILD_DIR REPOSITORY. Compares what `lbm traffic` counts of all GPU stages at 512 x 512 with what
# Nsight Compute counted on an H200, and with the record that the book shows; distinct bytes with what stages state; and
# the model of L2 with its record.
set -eu
export LC_ALL=C
build=$1 labs=$2/labs results=$2/labs/results
built() { # COLUMN=VALUE...; prints the stages that are built and so
    awk -v where="built=yes $*" -f "$labs/record/stages.awk" "$build/stages.tsv"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$labs/record/traffic.sh" "$build" "$work/traffic.csv"

awk -F, -v built=" $(built runs_on=gpu | tr '\n' ' ')" '
    function complain(text) { print text; failed = 1 }
    # Whether a is within so much of b; NaN is not.
    function is_near(a, b, tolerance) { return a - b <= tolerance && b - a <= tolerance }
    function check(what, counted, measured, tolerance) {
        checks++
        if (measured == "" || !is_near(counted + 0, measured + 0, tolerance))
            complain(key ": " what ": " counted " counted, " measured " measured, may differ by " tolerance)
    }
    /^#/ || $1 == "stage" { next }
    FILENAME ~ /profile.csv$/ {
        # The kernels that pack and unpack a row ask for too little for a mean of one or two requests a warp.
        if ($2 == 512 && $3 !~ /pack_halo$/) {
            key = $1 " " $3
            hits[key] = $7; load[key] = $8; store[key] = $9
        }
        if ($2 == 4096 && $3 !~ /pack_halo$/)
            read[$1 " " $3] = $13 / (4096 * 4096)
        next
    }
    { key = $1 " " $2 }
    FILENAME ~ /results.traffic.csv$/ { if (index(built, " " $1 " ")) recorded[key, $3] = $5; next }
    !((key, $3) in recorded) { complain(key ": " $3 ": not in the record"); next }
    {
        # Where a loop is not unrolled and has two stores, a thread that takes the other one falls back by a visit.
        is_merged = key == "05_links odd_step" && $3 == "store"
        check($3 ", sectors, and those of the record", $5, recorded[key, $3], (is_merged ? 0.03 : 0.01) * $5)
        delete recorded[key, $3]
    }
    !(key in hits) { if (key !~ /pack_halo$|^(33_pairs|34_two_paths|40_graph)/) complain(key ": nobody measured it"); next }
    $1 == "21_overlap" { next } # its counters are the mean of two launches, one of which has nothing to do
    $3 == "load" {
        check("sectors a load", $5 / $4, load[key], 0.02 * load[key])
        check("L1 hits, percent", 100 * $7 / $5, hits[key], $1 == "30_moments" ? 4 : 0.3) # nvcc drops loads of 30
        # L2 fills up sectors that 01 stores in parts; strips of 31 to 35 read their halo columns again.
        if (key !~ /^(01|22|31|32|35)/)
            check("bytes read for each cell", $8 / (512 * 512), read[key], 0.01 * read[key])
    }
    $3 == "store" {
        check("sectors a store", $5 / $4, store[key], (is_merged ? 0.05 : 0.02) * store[key])
    }
    END {
        for (key in recorded)
            complain(key ": in the record, and not counted")
        print checks " checks"
        exit failed || checks < 60
    }
' "$results/nvidia-h200/profile.csv" "$results/nvidia-h200"/branch_*_profile.csv "$results/traffic.csv" "$work/traffic.csv"

{
    built runs_on=gpu lattice=d2q9 | sed 's/$/ taylor_green --size 240/'
    built runs_on=gpu lattice=d3q19 | sed 's/$/ abc --size 48/'
} | while read -r stage flow; do
    # shellcheck disable=SC2086
    "$build/lbm" traffic "$stage" $flow 2>&1 || true # as no wall is there, every cell counts
done | awk -v built="$(built runs_on=gpu | wc -l)" '
    / refuses 240 x 240 cells: / { refused++ } # those that load and store their grid once for many steps
    /^  of DRAM/ {
        counted = $4 + $5; stage = substr($6, 2); stated = $8
        stages++
        # two ghost layers beside 48; twelve of 48 layers that the launches for both ends and for those between load
        bound = (stage ~ /^23/ ? 0.03 : stage ~ /^24/ ? 0.14 : 0.01) * stated
        if (!(counted - stated <= bound && stated - counted <= bound)) {
            print stage ": " counted " distinct bytes an update, " stated " stated"
            failed = 1
        }
    }
    END { exit failed || stages + refused != built || refused > 4 }'

# The model of L2, where the grid is larger than it.
STAGES=30_moments SIZES=1024 sh "$labs/l2/model.sh" "$build" "$work/l2.csv"
grep -v '^#' "$work/l2.csv" | while read -r row; do
    grep -qxF "$row" "$results/traffic_l2.csv" || { echo "$row: not in the record"; exit 1; }
done
awk -F, '$1 == "empty" { rows++; if (!($10 >= -10 && $10 <= 10)) failed = 1 } END { exit failed || rows != 1 }' "$work/l2.csv"
