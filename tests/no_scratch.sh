#!/bin/sh
# Usage: no_scratch.sh OBJECT. Reads what hipcc says of the kernels in an object, for each architecture: none may keep
# anything in scratch memory. Those of each.h (..._kernel), which make no steps, are not looked at.
set -eu
export LC_ALL=C
PATH=$PATH:/opt/rocm/llvm/bin:/usr/lib/llvm-15/bin
code=$(mktemp)
trap 'rm -f "$code"' EXIT
roc-obj-ls "$1" | sed -n 's/.*--\([^ ]*\) .*#offset=\([0-9]*\)&size=\([0-9]*\)$/\1 \2 \3/p' |
    while read -r gpu offset size; do
        tail -c "+$((offset + 1))" "$1" | head -c "$size" >"$code"
        llvm-readelf --notes "$code" | sed "s/^/$gpu /"
    done | awk '
    $2 == ".name:" { name = $3 }
    $2 == ".private_segment_fixed_size:" { scratch = $3 }
    $2 == ".vgpr_count:" && name !~ /_kernel/ {
        kernels++
        print $1 ", " name ": " $3 " registers, " scratch " bytes of scratch memory"
        if (scratch != "0")
            failed = 1
    }
    END { exit failed || kernels == 0 }'
