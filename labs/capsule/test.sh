#!/bin/sh
# Usage: test.sh CAPSULE_IN_STOKES RECORD. Whether a stiff capsule deforms by 25/12 of its capillary number
# (Barthes-Biesel & Rallison 1981) and stands at 45 degrees; whether the program computes the record, in which a finer
# mesh changes the deformation by less than 1%; and whether wrong input ends with one line.
set -eu
export LC_ALL=C
capsule=$1
record=$2
# shellcheck source=labs/refused.sh
. "$(dirname "$0")/../refused.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

refused 'usage:' "$capsule" 2 0
refused 'REFINEMENT is "0"; it takes a number from 1 to 5' "$capsule" 0 0 0.1
refused 'BENDING is "-1"; it takes a number from 0 to 1' "$capsule" 2 -1 0.1
refused 'CA is "nan"; it takes a number from 0.001 to 10' "$capsule" 2 0 0.1 nan

"$capsule" 2 0.001 0.01 0.6 >table.csv
awk -F, '
    function far(a, b, part) { return !((a - b) ^ 2 <= (part * b) ^ 2) }
    function complain() { print FILENAME ": " $0; failed = 1 }
    /^#/ || $1 == "triangles" { next }
    FNR == NR { rows++; if ($3 == 0.01 && (far($5, 25 / 12 * $3, 0.015) || far($6, 0.25, 0.04))) complain() }
    FNR == NR { found[$2, $3, $4] = $5; next }
    ($2, $3, $4) in found && $1 == 320 && far($5, found[$2, $3, $4], 0.001) { complain() }
    ($2, $3, $4) in found && $1 == 1280 { fine++; if (far($5, found[$2, $3, $4], 0.01)) complain() }
    END { if (rows != 8 || fine != 8) print rows " rows, " fine " of the finer mesh"
          exit failed || rows != 8 || fine != 8 }
' table.csv "$record"
