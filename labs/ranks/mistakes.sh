#!/bin/sh
# Usage: labs/ranks/mistakes.sh BUILD_DIR [MPIRUN...]. Three usual mistakes, to be seen at work: plants each of the files
# mistakes/*.sed in a copy of 21_overlap, runs a flow on two ranks, and counts the cells that differ from those of
# the stage as it is. Builds in BUILD_DIR, a new folder or the one of the time before. MPIRUN... starts two ranks; mpirun
# -n 2, if not given. Without a GPU all memory is the host's, so one mistake does not show; for a missing wait the emulator
# takes its late order (common/gpu/streams_on_cpu.h).
set -eu
export LC_ALL=C
export LBM_STREAM_ORDER=late

usage='usage: labs/ranks/mistakes.sh BUILD_DIR [MPIRUN...]'
build=${1:?$usage}
shift
[ $# -gt 0 ] || set -- mpirun -n 2
command -v "$1" >/dev/null || { echo "mistakes: $1 is not there: it takes the mpirun of an MPI library" >&2; exit 3; }
top=$(cd "$(dirname "$0")/../.." && pwd)
stage=21_overlap
script=mistakes
. "$top/labs/copy.sh"

copy_source mistakes
keep_stages 00_cpu_aos 01_naive_gpu 02_soa 20_ranks $stage
names=
for mistake in "$top"/labs/ranks/mistakes/*.sed; do
    names="$names ${stage}_$(basename "$mistake" .sed)"
    add_changed_stage "${stage}_$(basename "$mistake" .sed)" $stage "$mistake" MPI
done
{
    cmake -S "$build/source" -B "$build" -DBUILD_TESTING=OFF -Dcan_record=OFF
    cmake --build "$build" --target lbm -j "$(nproc)"
} >"$build/log" 2>&1 || { echo "mistakes: the copies can't be built, see $build/log" >&2; exit 1; }

run() { # MPIRUN...
    "$@" "$build/lbm" run "$stage_now" taylor_green --size 256 --steps 100 --quiet --csv "$build/$stage_now.csv" \
        >"$build/$stage_now.log" 2>&1 </dev/null
}
stage_now=$stage
run "$@" || { echo "mistakes: $stage fails as it is, see $build/$stage.log" >&2; exit 1; }
cells=$(grep -c '^[0-9]' "$build/$stage.csv")
for stage_now in $names; do
    code=0
    run "$@" || code=$?
    if [ "$code" != 0 ]; then
        echo "$stage_now: exit code $code, see $build/$stage_now.log"
    else
        different=$(diff "$build/$stage.csv" "$build/$stage_now.csv" | grep -c '^>' || true)
        echo "$stage_now: $different of $cells cells differ"
    fi
done
