#!/bin/sh
# Usage: test.sh REDUCTIONS cpu|cuda. Each form's sum is right, and two passes give the same bits in each run. On the
# emulator, whose threads run in another order each time, all forms with atomic additions give other bits.
set -eu
export LC_ALL=C
table=$(mktemp)
trap 'rm -f "$table"' EXIT
"$1" --csv "$table" >/dev/null
awk -F, -v backend="$2" '
    /^#/ || $1 == "form" { next }
    !($7 <= 1e-10) { print "the sum is wrong: " $0; failed = 1 }
    $2 == 0 && $6 != "yes" || backend == "cpu" && $2 > 0 && $6 != "no" { print "the bits: " $0; failed = 1 }
    { rows++ }
    END { if (rows != 5) print rows " rows; expected 5"; exit failed || rows != 5 }
' "$table"
said=$("$1" --size 2>&1) && exit 1
case $said in
*'reductions does not take "--size"'*) ;;
*) echo "it says: $said"; exit 1 ;;
esac
