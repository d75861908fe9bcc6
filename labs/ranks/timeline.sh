#!/bin/sh
# Usage: labs/ranks/timeline.sh BUILD_DIR SIZE OUT.svg [MPIRUN...]. Draws when the kernels, copies and messages of three
# steps begin and end on rank 0, in 20_ranks and in 21_overlap, on SIZE x SIZE cells. MPIRUN... starts the ranks; mpirun
# -n 2, if not given.
set -eu
export LC_ALL=C
usage='usage: labs/ranks/timeline.sh BUILD_DIR SIZE OUT.svg [MPIRUN...]'
build=${1:?$usage} size=${2:?$usage} out=${3:?$usage}
shift 3
[ $# -gt 0 ] || set -- mpirun -n 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
for stage in 20_ranks 21_overlap; do
    [ -x "$build/timeline_$stage" ] ||
        { echo "timeline: $build/timeline_$stage is not there: it takes a build with MPI" >&2; exit 3; }
    "$@" "$build/timeline_$stage" "$size" >"$folder/$stage.csv"
done
awk -v titles="20_ranks: $size x $size cells; three steps,21_overlap: the same" -f "$(dirname "$0")/timeline.awk" \
    "$folder/20_ranks.csv" "$folder/21_overlap.csv" >"$folder/out.svg"
cp "$folder/out.svg" "$out"
