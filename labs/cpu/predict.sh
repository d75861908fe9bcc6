#!/bin/sh
# Usage: labs/cpu/predict.sh CACHE_MLUPS ONE_GBS ALL_GBS BYTES CORES... Between which two speeds a stage is on so many
# cores, by the model of docs/how_many_cores.md: a core makes CACHE_MLUPS where the grid is in its cache, one core alone
# moves ONE_GBS between memory and itself, all together ALL_GBS, and an update moves BYTES. Prints a line for each number
# of CORES: cores; MLUPS if no transfer overlaps with arithmetic, and if all do; what limits the latter (core, path: one
# core's way to memory, or memory); how many cores it takes, if all do, until memory is the limit.
set -eu
export LC_ALL=C

fail() {
    echo "predict: $1" >&2
    exit 2
}

[ $# -ge 5 ] || { echo 'usage: labs/cpu/predict.sh CACHE_MLUPS ONE_GBS ALL_GBS BYTES CORES...' >&2; exit 2; }

# A decimal number above 0.
require_positive() { # NAME VALUE
    case $2 in
    *[!0-9.]* | *.*.* | '' | .) ;;
    *[1-9]*) return ;;
    esac
    fail "$1 is \"$2\"; it takes a decimal number above 0"
}
require_positive CACHE_MLUPS "$1"
require_positive ONE_GBS "$2"
require_positive ALL_GBS "$3"
require_positive BYTES "$4"
awk -v one="$2" -v all="$3" 'BEGIN { exit !(one + 0 <= all + 0) }' ||
    fail "ONE_GBS is \"$2\", more than ALL_GBS, \"$3\"; it takes what one of the cores moves"
cache=$1 one=$2 all=$3 bytes=$4
shift 4
for cores in "$@"; do
    case $cores in
    '' | 0* | *[!0-9]* | ??????*) fail "CORES is \"$cores\"; it takes integers from 1 to 99999" ;;
    esac
done

echo 'cores,least_mlups,most_mlups,limit,cores_until_memory'
for cores in "$@"; do
    awk -v cores="$cores" -v cache="$cache" -v one="$one" -v all="$all" -v bytes="$bytes" '
    function capped(core) {
        return cores * core < memory ? cores * core : memory
    }
    BEGIN {
        path = 1000 * one / bytes
        memory = 1000 * all / bytes
        core = cache < path ? cache : path
        needed = memory / core * (1 - 1e-9) # three times 0.7 must reach 2.1, although products are rounded
        up = needed > int(needed)
        limit = cores >= needed ? "memory" : cache < path ? "core" : "path"
        printf "%d,%.0f,%.0f,%s,%d\n", cores, capped(1 / (1 / cache + 1 / path)), capped(core), limit, int(needed) + up
    }'
done
