#!/bin/sh
# Usage: labs/record/traffic.sh BUILD_DIR OUT.csv [STAGE...]. What `lbm traffic` counts of all GPU stages, or of these, at 512 x 512
# cells and blocks of 128 x 1 threads, as labs/record/profile.sh measures them: a row for each stage, kernel and access.
set -eu
export LC_ALL=C
usage='usage: labs/record/traffic.sh BUILD_DIR OUT.csv [STAGE...]'
build=${1:?$usage}
out=${2:?$usage}
shift 2
[ -x "$build/lbm_traffic" ] || { echo "traffic: $build/lbm_traffic is not there: build first, where gcc is there" >&2; exit 3; }
given=$*
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(awk -v where='runs_on=gpu built=yes lattice=d2q9' -f "$(dirname "$0")/stages.awk" "$build/stages.tsv")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
{
    echo "# command: labs/record/traffic.sh $build $out${given:+ $given}"
    echo '# flow: poiseuille, 512 x 512 cells, block 128 x 1; sums over the steps of a cycle'
    echo 'stage,kernel,access,requests,sectors,bytes_used,l1_hits,distinct_bytes'
} >"$work/table"
for stage in "$@"; do
    if ! "$build/lbm" traffic "$stage" --size 512 --block 128x1 --csv "$work/one.csv" >/dev/null 2>"$work/error"; then
        cat "$work/error" >&2
        grep -q refuses "$work/error" || exit 3 # a grid may be too large for the emulator's shared memory
        continue
    fi
    awk -F, -v stage="$stage" '!/^#/ && seen++ { print stage "," $1 "," $5 "," $7 "," $8 "," $9 "," $10 "," $11 }' "$work/one.csv" >>"$work/table"
done
cp "$work/table" "$out"
