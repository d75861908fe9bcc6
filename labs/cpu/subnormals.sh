#!/bin/sh
# Usage: labs/cpu/subnormals.sh BUILD OUT.csv [SIZE [STEPS [PARTS]]]. The speed of stage 10 in a cavity of SIZE x SIZE cells
# (default 1024) that starts at rest, in each of PARTS parts (default 17) of STEPS steps (default 100), with subnormal
# results kept and flushed to 0.
set -eu
export LC_ALL=C
NAME=subnormals
[ $# -ge 2 ] || { echo 'usage: labs/cpu/subnormals.sh BUILD OUT.csv [SIZE [STEPS [PARTS]]]' >&2; exit 2; }
# shellcheck source=labs/cpu/solvers.sh
. "$(dirname "$0")/solvers.sh"
build=$1 out=$2 size=${3:-1024} steps=${4:-100} parts=${5:-17}
[ $# -le 5 ] || fail 2 "\"$6\" is one argument too many; it takes one SIZE and numbers of STEPS and PARTS"
require_numbers SIZE "$size"
require_numbers STEPS "$steps"
require_numbers PARTS "$parts"
prepare "$build" "$out" over_steps
# shellcheck disable=SC2046
compile 10_cpu_vectors "$compiler" stages/10_cpu_vectors/solver.c $(flags_of 10_cpu_vectors)
"$build/over_steps" "$work/10_cpu_vectors.so" "$size" "$steps" "$parts" >"$work/rows" 2>"$work/log" ||
    fail 3 "$(head -n 1 "$work/log")"

{
    head_lines "a cavity of $size x $size that starts at rest, in stage 10 on one core; MLUPS by the CPU time of the process, one measurement of $steps steps each"
    echo "# compiled with: -O3 -ffp-contract=off $(flags_of 10_cpu_vectors)"
    echo '# subnormal_percent: populations that are subnormal after these steps where they are kept; kept_mlups and flushed_mlups: with subnormal results kept, and with 0 in their place'
    echo "# command: labs/cpu/subnormals.sh BUILD OUT.csv $size $steps $parts"
    echo 'step,subnormal_percent,kept_mlups,flushed_mlups'
    cat "$work/rows"
} >"$table"
chmod 644 "$table"
mv "$table" "$out"
