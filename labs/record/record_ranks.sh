#!/bin/sh
# Usage: labs/record/record_ranks.sh BUILD_DIR OUT_DIR RANKS... Speeds of the stages that run on ranks, on so many GPUs
# each, one rank a GPU: grids of 8192 x 8192 and 16384 x 16384 cells for all of them (strong scaling), and 8192 x 8192 for
# each (weak scaling). Leaves OUT_DIR/ranks_N_strong.csv and ranks_N_weak.csv as it goes. What lies in LBM_MPIRUN starts
# the ranks; mpirun -n, if not given.
set -eu
export LC_ALL=C

usage='usage: labs/record/record_ranks.sh BUILD_DIR OUT_DIR RANKS...'
lbm=${1:?$usage}/lbm
out=${2:?$usage}
shift 2
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
[ -x "$lbm" ] || { echo "record_ranks: $lbm is not there: build first" >&2; exit 3; }
for ranks in "$@"; do
    case $ranks in *[!0-9]* | 0* | '')
        echo "record_ranks: \"$ranks\" is no number of ranks; it takes integers from 1 on" >&2
        exit 2
        ;;
    esac
done
mkdir -p "$out"
# shellcheck disable=SC2086
bench() { # RANKS SIZE NAME OPTION...
    ranks=$1 size=$2 table=$out/ranks_$1_$3.csv
    shift 3
    echo "== $ranks ranks, $size -> $table"
    ${LBM_MPIRUN:-mpirun -n} "$ranks" "$lbm" bench 20_ranks 21_overlap 22_deep_halo --sizes "$size" --block 128x1 \
        --repeat 3 --csv "$table" "$@"
}

for ranks in "$@"; do
    bench "$ranks" 8192,16384 strong
    [ "$ranks" -eq 1 ] || bench "$ranks" 8192 weak --weak
done
