#!/bin/sh
# Usage: no_spills.sh NVCC SOURCE. Compiles every stage for sm_90 and reads ptxas' report: no kernel may need a
# stack frame or spill a register.
set -eu
nvcc=$1
cd "$2"

failed=0
for solver in stages/*/solver.cu; do
    report=$("$nvcc" -O3 -arch=sm_90 -Xptxas -v $(printf -- "-I%s " common/*/) -DSTAGE=stage -DSTAGE_NAME='""' -c "$solver" -o /dev/null 2>&1) ||
        { echo "$report"; exit 1; }
    kernels=$(echo "$report" | grep -c 'Compiling entry function' || true)
    clean=$(echo "$report" | grep -c ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' || true)
    registers=$(echo "$report" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' | tr '\n' ' ')
    echo "$solver: $kernels kernels, $clean without stack frame and spills, registers $registers"
    [ "$kernels" -gt 0 ] && [ "$kernels" -eq "$clean" ] || failed=1
done
exit $failed
