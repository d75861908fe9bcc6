#!/bin/sh
# Usage: test_plateau.sh PROGRAM... Whether a density that is rounded brings the plateau of decaying vortices up to
# between 1 and 100 epsilon^2, and one that is not leaves it below a tenth of epsilon^2, on at least all sizes but one.
set -eu
export LC_ALL=C
for program in "$@"; do
    "$program" | awk -F, '
        /^fp/ {
            rows++
            fits += $4 + 0 < 0.1 * $3 && $5 + 0 > $3 + 0 && $5 + 0 < 100 * $3
            print
        }
        END { exit !(rows == 5 && fits >= 4) }' || { echo "$program: another plateau"; exit 1; }
done
