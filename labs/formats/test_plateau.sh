#!/bin/sh
# Usage: test_plateau.sh PROGRAM... Whether a density that is rounded brings the plateau of decaying vortices up to
# between 1 and 100 epsilon^2, and one that is not leaves it below a tenth of epsilon^2: in FP32 on all sizes but one, in
# FP64 on three of the five.
set -eu
export LC_ALL=C
for program in "$@"; do
    "$program" | awk -F, -v program="$program" '
        /^fp/ {
            rows++
            fits += $4 + 0 < 0.1 * $3 && $5 + 0 > $3 + 0 && $5 + 0 < 100 * $3
            print
        }
        END { exit !(rows == 5 && fits >= (program ~ /double$/ ? 3 : 4)) }' || { echo "$program: another plateau"; exit 1; }
done
