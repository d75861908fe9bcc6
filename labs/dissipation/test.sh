#!/bin/sh
# Usage: test.sh DISSIPATION. Whether the vortices begin with the energy u^2 / 8 and lose 3/4 u^3 / (Re length) of it in a
# unit of time, and what they lose is what the enstrophy tells; and whether wrong input ends with one line.
set -eu
export LC_ALL=C
dissipation=$1
record=$(cd "$(dirname "$0")/../results" && pwd)/taylor_green_3d.csv
# shellcheck source=labs/refused.sh
. "$(dirname "$0")/../refused.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

refused 'usage:' "$dissipation" 50_d3q19 16 20
refused 'usage:' "$dissipation" 50_d3q19 16 20 10 0.1 0 0
refused 'unknown stage' "$dissipation" 50_nothing 16 20 10
refused 'computes on D2Q9' "$dissipation" 02_soa 16 20 10
refused 'the side is "16.5": it takes an integer from 4 to 1600' "$dissipation" 50_d3q19 16.5 20 10
refused 'the side is "": it takes' "$dissipation" 50_d3q19 '' 20 10
refused 'the side is " 5": it takes' "$dissipation" 50_d3q19 ' 5' 20 10
refused 'the Reynolds number is "+8": it takes' "$dissipation" 50_d3q19 16 +8 10
refused 'the Reynolds number is "nan": it takes a number from 0.1' "$dissipation" 50_d3q19 16 nan 10
refused 'the number of samples is "1": it takes' "$dissipation" 50_d3q19 16 20 1
refused 'the speed is "0.5": it takes a number from 0.001 to 0.3' "$dissipation" 50_d3q19 16 20 10 0.5
refused 'the first time is "9.5": it takes a number from 0 to 9' "$dissipation" 50_d3q19 16 20 10 0.1 9.5
refused '1000 samples are more than the 85 steps' "$dissipation" 50_d3q19 16 20 1000 0.3
refused '20 samples are more than the 8 steps from t = 9 to 10' "$dissipation" 50_d3q19 16 20 20 0.3 9

"$dissipation" 50_d3q19 16 20 20 0.1 >table.csv
awk -F, '
    function far(a, b, bound) { return !((a - b) ^ 2 <= bound ^ 2) }
    /^#/ { next }
    !head { head = 1; wrong += $0 != "t,energy,dissipation,dissipation_of_enstrophy"; next }
    { wrong += far($1, rows * 0.5, 0.025) }
    rows == 0 { wrong += far($2, 0.125, 1e-5) || far($4, 0.75 / 20, 1e-4) || $3 != "" }
    rows > 0 { wrong += !($2 < energy) }
    rows > 0 && rows < 20 { wrong += far($3, $4, 0.07 * $4) } # 16 / side^2, from the first row on
    rows == 20 { wrong += $3 != "" }
    { energy = $2; rows++ }
    END { if (wrong || rows != 21) { print wrong " rows of " rows " are wrong"; exit 1 } }' table.csv || { cat table.csv; exit 1; }

# The record on 512 x 512 x 512 cells follows the spectral code from the start on.
awk -F, '$2 == 512 && $3 == 0.025 && $6 != "" { rows++; wrong += !(($6 / $8 - 1) ^ 2 <= 0.015 ^ 2) } END { exit wrong || rows < 50 }' "$record" || {
    echo "a rate in $record is not within 1.5 percent of the reference"
    exit 1
}

# From half of the time on: the same numbers but for the rates at the first two samples.
"$dissipation" 50_d3q19 16 20 10 0.1 5 >half.csv
awk -F, -v OFS=, '/^#/ || NR > 2 && NR < 13 { next } NR < 15 && NR > 2 { $3 = "" } { print }' table.csv >expected
awk -F, -v OFS=, '/^#/ { next } NR == 4 { $3 = "" } { print }' half.csv | cmp - expected || { cat half.csv; exit 1; }
