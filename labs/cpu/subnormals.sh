#!/bin/sh
# Usage: labs/cpu/subnormals.sh BUILD OUT.csv [SIZE [STEPS [PARTS]]]. The speeds of stages 10 and 12 in a cavity of
# SIZE x SIZE cells (default 1024) that starts at rest, in each of PARTS parts (default 16) of STEPS steps (default 100),
# with subnormal results kept and flushed to 0.
set -eu
export LC_ALL=C
NAME=subnormals
[ $# -ge 2 ] || { echo 'usage: labs/cpu/subnormals.sh BUILD OUT.csv [SIZE [STEPS [PARTS]]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 size=${3-1024} steps=${4-100} parts=${5-16}
[ $# -le 5 ] || fail 2 "\"$6\" is one argument too many; it takes one SIZE and numbers of STEPS and PARTS"
require_numbers SIZE "$size"
require_numbers STEPS "$steps"
require_numbers PARTS "$parts"
prepare "$build" "$out" over_steps
for stage in 10_cpu_vectors 12_cpu_pairs; do
    # shellcheck disable=SC2046
    compile $stage "$compiler" stages/$stage/solver.c $(flags_of $stage)
    "$build/over_steps" "$work/$stage.so" "$size" "$steps" "$parts" >"$work/speeds" 2>"$work/log" ||
        fail 3 "$(first_said)"
    sed "s/^/$stage,/" "$work/speeds" >>"$work/rows"
done

{
    head_lines "a cavity of $size x $size that starts at rest, in stages 10 and 12 on one core; MLUPS by the CPU time of the process, one measurement of $steps steps each"
    echo "# compiled with: -O3 -ffp-contract=off $(flags_of 10_cpu_vectors); 12 also with -ffp-contract=fast"
    echo '# subnormal_percent: populations that are subnormal after these steps where they are kept; kept_mlups and flushed_mlups: with subnormal results kept, and with 0 in their place'
    echo "# command: labs/cpu/subnormals.sh BUILD OUT.csv $size $steps $parts"
    echo 'stage,step,subnormal_percent,kept_mlups,flushed_mlups'
    cat "$work/rows"
} >"$table"
chmod 644 "$table"
mv -f "$table" "$out"
