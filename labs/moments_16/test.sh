#!/bin/sh
# Usage: test.sh MOMENTS_16 [RECORD]. Whether the program computes rows of the record, where it is given, and wrong input
# ends with one line.
set -eu
export LC_ALL=C
moments_16=$1
record=${2:-}
# shellcheck source=labs/refused.sh
. "$(dirname "$0")/../refused.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

refused 'usage:' "$moments_16" abc 8 0 0.05
refused 'FLOW is "cavity"; it takes' "$moments_16" cavity 8 0 0.05 1
refused 'FLOW is "nothing"; it takes' "$moments_16" nothing 8 0 0.05 1
refused 'SIDE is "8x"; it takes a number from 0 to 1600' "$moments_16" abc 8x 0 0.05 1
refused 'RE is "-1"; it takes' "$moments_16" abc 8 -1 0.05 1
refused 'SPEED is "0.4"; it takes' "$moments_16" abc 8 0 0.4 1
refused 'STEPS is ""; it takes' "$moments_16" abc 8 0 0.05 ''
for storage in '' half: double fp32:chance half:16-16 half:16-16-7 half:16-16-16x fixed:fp32-mass; do
    refused "unknown storage \"$storage\"" "$moments_16" abc 8 0 0.05 1 "$storage"
done

"$moments_16" abc 8 0 0.05 1 >ranges.csv
[ "$(cut -d, -f6 ranges.csv | tr '\n' ' ')" = 'density jx jy jz xx_zz yy_zz xy xz yz ' ] || { cat ranges.csv; exit 1; }
[ -n "$record" ] || exit 0
for flow in 'abc 32' 'duct 34'; do
    # shellcheck disable=SC2086
    "$moments_16" $flow 0 0.05 0 fp32 half fixed:chance populations >rows.csv
    grep "^$(echo "$flow" | tr ' ' ,)," "$record" | grep -E ',(fp32|half|fixed:chance|populations),' | diff - rows.csv
done
