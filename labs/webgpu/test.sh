#!/bin/sh
# Usage: test.sh SOURCE BUILD. measure.py times kernels that are right, and check.awk takes its table; kernels that
# are wrong, or compute NaN, are refused before they are timed. Exit code 77: no wgpu, no GPU, or no kernels.js.
set -eu
export LC_ALL=C
export PYTHONDONTWRITEBYTECODE=1
measure=$1/labs/webgpu/measure.py
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -e "$build/live/kernels.js" ] || { echo "not tested: the target live has made no kernels.js"; exit 77; }
sed '/^"0[123]_/,/^},$/d' "$build/live/kernels.js" >"$work/right.js" # one stage
if ! python3 "$measure" "$build" "$work/right.js" "$work/webgpu.csv" 8 >"$work/said" 2>&1; then
    grep 'measure.py: \(no GPU\|the package wgpu\)' "$work/said" && exit 77
    cat "$work/said"
    exit 1
fi
"$build/lbm" list >"$work/list"
awk -F, -v today=9999-12-31 -f "$1/labs/record/check.awk" "$build/stages.tsv" "$work/list" "$work/webgpu.csv"

refused() { # CHANGE WORDS
    sed "$1" "$work/right.js" >"$work/wrong.js"
    ! cmp -s "$work/right.js" "$work/wrong.js" || { echo "$1 changes nothing"; exit 1; }
    ! python3 "$measure" "$build" "$work/wrong.js" "$work/wrong.csv" 8 >"$work/said" 2>&1 || { echo "$1 is timed"; exit 1; }
    grep -q "$2" "$work/said" && [ ! -e "$work/wrong.csv" ] || { echo "$1:"; cat "$work/said"; exit 1; }
}
refused 's|4.0f / 9.0f|4.0f / 9.1f|' '^measure.py: 04_aa_fp16s, unrolled: density or velocity of the flow cavity differs by 0'
refused 's|let drho: f32 = sum(f);|let drho: f32 = sqrt(sum(f) - 1.0f);|' 'of the flow cavity differs by inf from'
