#!/bin/sh
# Usage: labs/record/record_ranks.sh BUILD_DIR OUT_DIR RANKS... Speeds of the stages that run on ranks, on so many GPUs
# each, one rank a GPU: a grid of 8192 x 8192 cells and one of 16384 x 16384 for all of them, and one of 8192 x 8192 for
# each. Leaves OUT_DIR/ranks_N_SIZE.csv as it goes. What lies in LBM_MPIRUN starts the ranks; mpirun -n, if not given.
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
        echo "record_ranks: \"$ranks\" is no number of ranks; it takes whole numbers from 1 on" >&2
        exit 2
        ;;
    esac
done
mkdir -p "$out"
for ranks in "$@"; do
    each=$(awk -v ranks="$ranks" 'BEGIN { print int(8192 * sqrt(ranks)) }')
    for size in $(printf '%s\n' 8192 "$each" 16384 | sort -nu); do
        echo "== $ranks ranks, $size x $size -> $out/ranks_${ranks}_$size.csv"
        # shellcheck disable=SC2086
        ${LBM_MPIRUN:-mpirun -n} "$ranks" "$lbm" bench 20_ranks 21_overlap 22_deep_halo --sizes "$size" \
            --block 128x1 --repeat 3 --csv "$out/ranks_${ranks}_$size.csv"
    done
done
