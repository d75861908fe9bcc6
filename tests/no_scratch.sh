#!/bin/sh
# Usage: no_scratch.sh HIPCC SOURCE SOLVER FLAG... Compiles a stage for AMD's GPUs, and reads the compiler's report: no
# kernel may keep anything in scratch memory. Those of each.h (..._kernel), which make no steps, are not looked at.
set -eu
export LC_ALL=C
hipcc=$1 source=$2 solver=$3
shift 3
cd "$source"
# shellcheck disable=SC2068,SC2086
report=$("$hipcc" -x hip -std=gnu++17 -O3 -Icommon -DREAL=float -DSTAGE=stage -DSTAGE_NAME='""' --cuda-device-only $@ \
    -Rpass-analysis=kernel-resource-usage -c "$solver" -o /dev/null 2>&1) || { echo "$report"; exit 1; }
echo "$report" | awk '
    { value = $(NF - 1) } # the last word is the name of the report
    /Function Name: / { name = value }
    / VGPRs: / { registers = value }
    /ScratchSize / {
        if (name ~ /_kernel/)
            next
        kernels++
        print name ": " registers " registers, " value " bytes of scratch memory"
        if (value != "0")
            failed = 1
    }
    END { exit failed || kernels == 0 }'
