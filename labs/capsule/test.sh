#!/bin/sh
# Usage: test.sh CAPSULE_IN_STOKES RECORD. Whether a stiff capsule deforms by 25/12 of its capillary number
# (Barthes-Biesel & Rallison 1981) and stands at 45 degrees; whether the program computes the record, in which a finer
# mesh changes the deformation of a soft one by less than 1%; and whether wrong input ends with one line.
set -eu
export LC_ALL=C
capsule=$1
record=$2
# shellcheck source=labs/refused.sh
. "$(dirname "$0")/../refused.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

refused 'usage:' "$capsule" 2
refused 'REFINEMENT is "0"; it takes a number from 1 to 5' "$capsule" 0 0.1
refused 'CA is "nan"; it takes a number from 0.001 to 10' "$capsule" 2 0.1 nan

"$capsule" 2 0.01 0.6 >table.csv
awk -F, '
    function far(a, b, part) { return !((a - b) ^ 2 <= (part * b) ^ 2) }
    function complain() { print FILENAME ": " $0; failed = 1 }
    /^#/ || $1 == "triangles" { next }
    FNR == NR { rows++; if ($2 == 0.01 && (far($4, 25 / 12 * $2, 0.015) || far($5, 0.25, 0.04))) complain() }
    FNR == NR { found[$2, $3] = $4; next }
    ($2, $3) in found && $1 == 320 && far($4, found[$2, $3], 0.001) { complain() }
    $2 == 0.6 && $1 == 1280 { fine++; if (far($4, found[$2, $3], 0.01)) complain() }
    END { if (rows != 8 || fine != 4) print rows " rows, " fine " of the finer mesh"
          exit failed || rows != 8 || fine != 4 }
' table.csv "$record"
