#!/bin/sh
# Usage: labs/cpu/threads.sh BUILD OUT.csv [RUNS [SIZE...]]. The reference table of stage 13 with 1, 2, 4, ... threads, up
# to the number of cores, beside stage 12: with OpenMP as it is, and with threads that sleep where they wait. All have
# one run after the other, RUNS times (default 2), at each SIZE (default 512 1024 4096), and the fastest counts.
set -eu
export LC_ALL=C
NAME=threads
[ $# -ge 2 ] || { echo 'usage: labs/cpu/threads.sh BUILD OUT.csv [RUNS [SIZE...]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 runs=${3-2}
shift $(($# < 3 ? 2 : 3))
[ $# -gt 0 ] || set -- 512 1024 4096
require_numbers RUNS "$runs"
require_numbers SIZE "$@"
prepare "$build" "$out" host_copy

is_built 13_cpu_threads ||
    fail 3 "the build $build is without 13_cpu_threads: it takes one with OpenMP"
for stage in 12_cpu_pairs 13_cpu_threads; do
    # shellcheck disable=SC2046
    compile $stage "$compiler" stages/$stage/solver.c $(flags_of $stage) -fopenmp
done

teams=$(awk -v cores="$all_cores" 'BEGIN { for (n = 1; n < cores; n *= 2) print n; print cores }')
for run_number in $(seq "$runs"); do
    echo "threads: run $run_number of $runs"
    for team in $teams; do
        echo "$team $(OMP_NUM_THREADS=$team "$build/host_copy")" >>"$work/copies"
    done
    for size in "$@"; do
        time_one "$size,,0" 12_cpu_pairs "$size"
        for team in $teams; do
            export OMP_NUM_THREADS="$team"
            time_one "$size,default,$team" 13_cpu_threads "$size"
            OMP_WAIT_POLICY=passive time_one "$size,passive,$team" 13_cpu_threads "$size"
        done
        unset OMP_NUM_THREADS
    done
done

{
    head_lines "the cavity, stage 12 on one core and stage 13 with a team of threads; the fastest of $runs runs, of which all had one after the other; MLUPS by the clock on the wall"
    echo "# compiled with: -O3 -ffp-contract=off $(flags_of 13_cpu_threads)"
    echo '# wait_policy: passive is OMP_WAIT_POLICY=passive, default is without it'
    echo "# gbs: the least traffic of the team; copy_gbs: what as many threads copy in place, read and written; copy_percent: the share of it; below 4096 x 4096 the grid may live in a cache"
    echo "# command: labs/cpu/threads.sh BUILD OUT.csv $runs $*"
    echo 'size,wait_policy,threads,all_cores,one_core_mlups,team_mlups,over_before,gbs,copy_gbs,copy_percent'
    awk -v cores="$all_cores" '
        NR == FNR { if ($3 > copy[$1]) copy[$1] = $3; next }
        !($1 in best) { keys[++count] = $1 }
        $3 > best[$1] { best[$1] = $3 }
        END {
            for (n = 1; n <= count; n++) {
                split(keys[n], key, ",")
                one = best[key[1] ",,0"]
                team = best[keys[n]]
                if (key[2] != "")
                    printf "%s,%s,%.1f,%.1f,%.2f,%.1f,%.1f,%.1f\n", keys[n], key[3] == cores ? "yes" : "no", one, team, \
                        team / one, 0.072 * team, copy[key[3]], 7.2 * team / copy[key[3]]
            }
        }' "$work/copies" "$work/measured"
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
