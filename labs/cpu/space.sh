#!/bin/sh
# Usage: labs/cpu/space.sh BUILD OUT.csv [RUNS [SIZE...]]. The table of stage 15 on one core: in a duct of SIZE x SIZE x SIZE
# cells (default 32 64 128), beside stage 12 in a cavity of 256 x 256. All have one run after the other, RUNS times
# (default 3), and the fastest counts.
set -eu
export LC_ALL=C
NAME=space
[ $# -ge 2 ] || { echo 'usage: labs/cpu/space.sh BUILD OUT.csv [RUNS [SIZE...]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 runs=${3-3}
shift $(($# < 3 ? 2 : 3))
[ $# -gt 0 ] || set -- 32 64 128
require_numbers RUNS "$runs"
# shellcheck disable=SC2034
largest_size=1625 # cells are numbered in 32 bits
require_numbers SIZE "$@"
prepare "$build" "$out"

for stage in 12_cpu_pairs 15_cpu_3d; do
    # shellcheck disable=SC2046
    compile $stage "$compiler" stages/$stage/solver.c $(flags_of $stage)
done
for run_number in $(seq "$runs"); do
    echo "space: run $run_number of $runs"
    time_one 12_cpu_pairs,256x256 12_cpu_pairs 256
    for size in "$@"; do
        time_one "15_cpu_3d,${size}x${size}x$size" 15_cpu_3d "$size"
    done
done

{
    head_lines "stage 15 in a duct, stage 12 in a cavity, on one core; the fastest of $runs runs, of which all had one after the other; MLUPS by the CPU time of the process"
    echo "# compiled with: -O3 -ffp-contract=off $(flags_of 15_cpu_3d)"
    echo "# command: labs/cpu/space.sh BUILD OUT.csv $runs $*"
    echo 'stage,grid,mlups'
    awk '
        !($1 in fastest) { keys[++count] = $1 }
        $2 > fastest[$1] { fastest[$1] = $2 }
        END { for (n = 1; n <= count; n++) print keys[n] "," fastest[keys[n]] }' "$work/measured"
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
