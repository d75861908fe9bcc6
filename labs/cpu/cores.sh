#!/bin/sh
# Usage: labs/cpu/cores.sh BUILD OUT.csv [RUNS [SIZE [CORES]]]. The model of docs/how_many_cores.md beside stage 13:
# measures one core's speed on 256 x 256 cells, which a cache holds, and what 1, 2, 4, ... threads, up to CORES (default:
# all), move in nine streams; predicts from that the speed of each team at SIZE x SIZE cells (default 4096), and measures
# it. All have one run after the other, RUNS times (default 3), and the fastest counts. On busy cores only one says
# anything: take CORES 1 there.
set -eu
export LC_ALL=C
NAME=cores
[ $# -ge 2 ] || { echo 'usage: labs/cpu/cores.sh BUILD OUT.csv [RUNS [SIZE [CORES]]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 runs=${3-3} size=${4-4096} most=${5-$all_cores}
[ $# -le 5 ] || fail 2 "\"$6\" is one argument too many; it takes one SIZE and one number of CORES"
require_numbers RUNS "$runs"
require_numbers SIZE "$size"
require_numbers CORES "$most"
prepare "$build" "$out" streams

is_built 13_cpu_threads ||
    fail 3 "the build $build is without 13_cpu_threads: it takes one with OpenMP"
# shellcheck disable=SC2046
compile 13_cpu_threads "$compiler" stages/13_cpu_threads/solver.c $(flags_of 13_cpu_threads) -fopenmp

in_cache=256 streams=9 bytes=72
teams=$(awk -v cores="$most" 'BEGIN { for (n = 1; n < cores; n *= 2) print n; print cores }')
for run_number in $(seq "$runs"); do
    echo "cores: run $run_number of $runs"
    for team in $teams; do
        export OMP_NUM_THREADS="$team"
        moved=$("$build/streams" $streams 2>"$work/log") || fail 3 "$(first_said)"
        echo "streams,$team $moved" >>"$work/measured"
        time_one "team,$team" 13_cpu_threads "$size"
    done
    OMP_NUM_THREADS=1 time_one cache,1 13_cpu_threads $in_cache
done

# By the CPU time of one thread, which other programs don't take away, and by the clock on the wall of more.
fastest() { # KIND,THREADS
    awk -v key="$1" -v column="$([ "${1#*,}" = 1 ] && echo 2 || echo 3)" '
        $1 == key && $column > best { best = $column }
        END { print best }' "$work/measured"
}
cache=$(fastest cache,1)
one=$(fastest streams,1)
for team in $teams; do
    fastest "streams,$team" # more threads may move less
done | sort -n | tail -n 1 >"$work/all"
read -r all <"$work/all"
# shellcheck disable=SC2086
sh "$root/labs/cpu/predict.sh" "$cache" "$one" "$all" $bytes $teams >"$work/predicted"

{
    head_lines "the model of docs/how_many_cores.md beside stage 13 in a cavity of $size x $size; the fastest of $runs runs, of which all had one after the other; one core by its CPU time, more by the clock on the wall"
    echo "# compiled with: -O3 -ffp-contract=off $(flags_of 13_cpu_threads)"
    echo "# cache_mlups: one core at $in_cache x $in_cache; one_gbs, all_gbs: what one thread and all threads read and write in $streams streams in place; bytes an update: $bytes"
    echo "# command: labs/cpu/cores.sh BUILD OUT.csv $runs $size $most"
    echo 'cores,cache_mlups,one_gbs,all_gbs,least_mlups,most_mlups,limit,measured_mlups,percent_of_most'
    tail -n +2 "$work/predicted" | while IFS=, read -r cores least most limit _; do
        measured=$(fastest "team,$cores")
        percent=$(awk -v measured="$measured" -v most="$most" 'BEGIN { printf "%.0f", 100 * measured / most }')
        echo "$cores,$cache,$one,$all,$least,$most,$limit,$measured,$percent"
    done
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
