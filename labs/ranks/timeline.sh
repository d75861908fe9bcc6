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
command -v python3 >/dev/null ||
    { echo 'timeline: python3 is not there (Debian: apt install python3), and it draws the figure' >&2; exit 3; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP
for stage in 20_ranks 21_overlap; do
    [ -x "$build/timeline_$stage" ] ||
        { echo "timeline: $build/timeline_$stage is not there: it takes a build with MPI" >&2; exit 3; }
    echo "# command: $* $build/timeline_$stage $size" >"$folder/$stage.csv"
    "$@" "$build/timeline_$stage" "$size" >>"$folder/$stage.csv"
done
python3 -B "$(dirname "$0")/../../docs/tools/figures.py" timeline "$out" "$folder/20_ranks.csv" "$folder/21_overlap.csv"
