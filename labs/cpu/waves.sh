#!/bin/sh
# Usage: labs/cpu/waves.sh BUILD OUT.csv [ROUNDS [SIZE...]]. The reference table of stage 14 with 1, 2, 4, ... threads, up to
# the number of cores, beside stages 12 and 13: as it is, with other numbers of steps in a pass, and with rows that do not
# begin with a cache line. All take turns, ROUNDS times (default 10), at each SIZE (default 256 1024 2048 4096), and the
# fastest turn counts. Threads sleep where they wait, so that CPU time is the time of the work.
set -eu
export LC_ALL=C
NAME=waves
[ $# -ge 2 ] || { echo 'usage: labs/cpu/waves.sh BUILD OUT.csv [ROUNDS [SIZE...]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 rounds=${3-10}
shift $(($# < 3 ? 2 : 3))
[ $# -gt 0 ] || set -- 256 1024 2048 4096
require_numbers ROUNDS "$rounds"
require_numbers SIZE "$@"
prepare "$build" "$out" in_turns
export OMP_WAIT_POLICY=passive

is_built 14_cpu_waves ||
    fail 3 "the build $build is without 14_cpu_waves: it takes one with OpenMP"
flags="$(flags_of 14_cpu_waves) -fopenmp"
source=$root/stages/14_cpu_waves/solver.c

# A variant of stage 14 with its source changed.
vary() { # HOW SED
    sed "$2" "$source" >"$work/$1.c"
    ! cmp -s "$source" "$work/$1.c" || fail 1 "nothing in stage 14 is changed by $2"
    # shellcheck disable=SC2086
    compile "14_cpu_waves-$1" "$compiler" "$work/$1.c" $flags
}

for stage in 12_cpu_pairs 13_cpu_threads 14_cpu_waves; do
    # shellcheck disable=SC2046
    compile $stage-as_it_is "$compiler" stages/$stage/solver.c $(flags_of $stage) -fopenmp
done
for steps in 1 2 5 10 20; do
    vary ${steps}_steps "s/MOST_STEPS = [0-9]*/MOST_STEPS = $steps/; s/second_cache()/((size_t)1 << 40)/"
done
vary rows_anywhere 's/(width \/ LINE + 1) \* LINE/width + 1/; s/cell % width + LINE/cell % width + 1/'


# All of them in one program, with a team of threads.
time_all() { # SIZE TEAM NAME...
    size=$1 team=$2
    shift 2
    for name in "$@"; do
        echo "$size,$team,$name" | tr - ,
    done >"$work/names"
    for name in "$@"; do
        set -- "$@" "$work/$name.so"
        shift
    done
    OMP_NUM_THREADS=$team "$build/in_turns" "$size" "$rounds" "$@" >"$work/speeds" 2>"$work/log" ||
        fail 3 "at $size: $(first_said)"
    paste -d ' ' "$work/names" "$work/speeds" >>"$work/measured"
}

waves=
for how in as_it_is 1_steps 2_steps 5_steps 10_steps 20_steps rows_anywhere; do
    waves="$waves 14_cpu_waves-$how"
done
teams=$(awk -v cores="$all_cores" 'BEGIN { for (n = 1; n < cores; n *= 2) print n; print cores }')
for size in "$@"; do
    for team in $teams; do
        [ "$team" = 1 ] || [ "$size" -ge 512 ] || continue # stage 13 takes one thread
        echo "waves: $size x $size, threads: $team"
        first=12_cpu_pairs-as_it_is
        [ "$team" = 1 ] || first=
        # shellcheck disable=SC2086
        time_all "$size" "$team" $first 13_cpu_threads-as_it_is $waves
    done
done

{
    head_lines "the cavity in stages 12, 13 and 14; the fastest of $rounds turns, which all took one after the other in one process"
    echo "# compiled with: -O3 -ffp-contract=off $flags"
    echo '# mlups: by the CPU time of the process divided by its threads, of which none spins: what the team makes where each thread has a core for itself; wall_mlups: by the clock on the wall'
    echo '# over_13: mlups beside stage 13 with as many threads; over_12: beside stage 12 on one core'
    echo "# command: labs/cpu/waves.sh BUILD OUT.csv $rounds $*"
    echo 'size,threads,stage,how,mlups,wall_mlups,over_13,over_12'
    awk '
        !($1 in cpu) { keys[++count] = $1 }
        $2 > cpu[$1] { cpu[$1] = $2 }
        $3 > wall[$1] { wall[$1] = $3 }
        END {
            for (n = 1; n <= count; n++) {
                split(keys[n], key, ",")
                before = cpu[key[1] "," key[2] ",13_cpu_threads,as_it_is"]
                first = cpu[key[1] ",1,12_cpu_pairs,as_it_is"]
                printf "%s,%.1f,%.1f,%.2f,%.2f\n", keys[n], cpu[keys[n]] * key[2], wall[keys[n]], \
                    cpu[keys[n]] / before, cpu[keys[n]] * key[2] / first
            }
        }' "$work/measured"
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
