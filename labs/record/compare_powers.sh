#!/bin/sh
# Usage: labs/record/compare_powers.sh TABLE. Of each row that `lbm bench --energy` measured, power by the counter of energy
# over the mean of samples, which on ranks are sums over all GPUs; at the end whether all are near 1.
set -eu
export LC_ALL=C
awk -F, '
    /^#/ { next }
    !columns { for (columns = 1; columns <= NF; columns++) at[$columns] = columns; next }
    {
        counted = $at["counted_w"]
        sampled = $at["sampled_w"]
        known = counted > 0 && sampled > 0
        rows++
        off = known ? 100 * (counted / sampled - 1) : 0
        good = known && off <= 5 && off >= -5
        bad += !good
        printf "%-14s counter %7.1f W, mean of power %7.1f W: ", $at["stage"], counted, sampled
        print known ? sprintf("%+.1f%%%s", off, good ? "" : ", MORE THAN 5%") : "UNKNOWN"
    }
    END {
        verdict = rows && !bad ? "yes" : "NO, " bad + 0 " of " rows + 0 " rows do not"
        print "energy by the counter and by the mean of power agree within 5%: " verdict
    }' "${1:?usage: labs/record/compare_powers.sh TABLE}"
