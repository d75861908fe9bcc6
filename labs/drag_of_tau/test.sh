#!/bin/sh
# Usage: test.sh DRAG_OF_TAU RECORD. Whether in the record the drag with two relaxation times is the same at each tau,
# and the drag with one falls, and equals it where the two times are equal; whether the program computes this record;
# and whether wrong input ends with one line.
set -eu
export LC_ALL=C
drag_of_tau=$1
record=$2
# shellcheck source=labs/refused.sh
. "$(dirname "$0")/../refused.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

refused 'usage:' "$drag_of_tau"
refused 'TAU is "0.5"; it takes a number from 0.505 to 10' "$drag_of_tau" 0.5
refused 'TAU is ""; it takes' "$drag_of_tau" 1.5 ''
refused 'TAU is "nan"; it takes' "$drag_of_tau" nan
refused 'TAU is "1.5x"; it takes' "$drag_of_tau" 1.5x

awk -F, '
    function far(a, b, bound) { return !((a - b) ^ 2 <= bound ^ 2) }
    /^#/ || $1 == "tau" { next }
    far($3, -1.7, 0.15) || rows > 0 && !($2 < before - 2) { print; failed = 1 }
    $1 == "0.9330127" && far($2, $3, 0.05) { print; failed = 1 }
    { before = $2; rows++ }
    END { if (rows != 5) print rows " rows"; exit failed || rows != 5 }' "$record"

"$drag_of_tau" 0.9330127 1.5 2.5 >table.csv
grep -v -e '^0.51,' -e '^0.6,' -e '^# build' "$record" >expected
grep -v '^# build' table.csv | diff expected -
