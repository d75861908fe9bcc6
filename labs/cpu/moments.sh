#!/bin/sh
# Usage: labs/cpu/moments.sh BUILD OUT.csv [RUNS [SIZE...]]. Six moments a cell in a grid that slides (moments.c) beside
# stage 12, on one core, by gcc and by clang where it is there. All have one run after the other, RUNS times (default 3),
# at each SIZE (default 256 1024 4096), and where SIZE is more than 256 also on as many cells in rows of 256, of which
# three fit in a core's first cache; the fastest counts.
set -eu
export LC_ALL=C
NAME=moments
[ $# -ge 2 ] || { echo 'usage: labs/cpu/moments.sh BUILD OUT.csv [RUNS [SIZE...]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 runs=${3-3}
shift $(($# < 3 ? 2 : 3))
[ $# -gt 0 ] || set -- 256 1024 4096
require_numbers RUNS "$runs"
require_numbers SIZE "$@"
prepare "$build" "$out"

flags=$(flags_of 12_cpu_pairs)
compilers=$compiler
if [ "$(basename "$compiler")" != clang ] && command -v clang >/dev/null; then
    compilers="$compiler clang"
fi
for with in $compilers; do
    fitting=$flags
    [ "$with" = "$compiler" ] || fitting=$(echo "$flags" | sed 's/--param=[^ ]*/-Wno-pass-failed/')
    # shellcheck disable=SC2086
    compile "12_cpu_pairs-$(basename "$with")" "$with" stages/12_cpu_pairs/solver.c $fitting
    # shellcheck disable=SC2086
    compile "moments-$(basename "$with")" "$with" labs/cpu/moments.c $fitting
done

narrow=256 highest=65535
time_all() { # WIDTH HEIGHT
    for with in $compilers; do
        for program in 12_cpu_pairs moments; do
            time_one "$1,$2,$program,$(basename "$with")" "$program-$(basename "$with")" "$1" "$2"
        done
    done
}
for run_number in $(seq "$runs"); do
    echo "moments: run $run_number of $runs"
    for size in "$@"; do
        time_all "$size" "$size"
        [ "$size" -gt $narrow ] || continue
        height=$((size * size / narrow))
        time_all $narrow $((height < highest ? height : highest))
    done
done

{
    head_lines "the cavity in stage 12 and in six moments a cell, on one core; the fastest of $runs runs, of which all had one after the other; MLUPS by the CPU time of the process"
    echo "# compiled with: -O3 $flags"
    echo "# gbs: the least traffic of the program, bytes an update times MLUPS; small grids live in a cache"
    echo "# command: labs/cpu/moments.sh BUILD OUT.csv $runs $*"
    echo 'width,height,program,compiler,mlups,over_pairs,bytes,gbs'
    awk '
        !($1 in best) { keys[++count] = $1 }
        $2 > best[$1] { best[$1] = $2 }
        END {
            for (n = 1; n <= count; n++) {
                split(keys[n], key, ",")
                pairs = best[key[1] "," key[2] ",12_cpu_pairs," key[4]]
                bytes = key[3] == "moments" ? 48 : 72
                printf "%s,%.1f,%.2f,%d,%.1f\n", keys[n], best[keys[n]], best[keys[n]] / pairs, bytes, \
                    0.001 * bytes * best[keys[n]]
            }
        }' "$work/measured"
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
