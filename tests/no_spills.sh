#!/bin/sh
# Usage: no_spills.sh NVCC SOURCE TABLE. Compiles every stage of TABLE, the build's stages.tsv, that runs on the GPU
# for sm_90 and reads ptxas' report: no kernel may need a stack frame or spill a register, nor more registers than
# those with which a block still fits: one of 1024 threads, or of warps that work on their own one of 128.
set -eu
nvcc=$1
stages=$(awk -F '\t' '$6 == "gpu" && $7 == "yes" { sub(/^-$/, "", $8); print $2, $8 }' "$3")
cd "$2"

failed=0
while read -r solver flags; do
    # shellcheck disable=SC2046,SC2086
    report=$("$nvcc" -O3 -arch=sm_90 -Xptxas -v $(printf -- "-I%s " common/*/) -DSTAGE=stage -DSTAGE_NAME='""' $flags -c "$solver" -o /dev/null 2>&1) ||
        { echo "$report"; exit 1; }
    kernels=$(echo "$report" | grep -c 'Compiling entry function' || true)
    clean=$(echo "$report" | grep -c ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' || true)
    registers=$(echo "$report" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' | tr '\n' ' ')
    echo "$solver: $kernels kernels, $clean without stack frame and spills, registers $registers"
    [ "$kernels" -gt 0 ] && [ "$kernels" -eq "$clean" ] || failed=1
    threads=1024
    grep -q LAUNCH_WARPS "$solver" && threads=128
    for count in $registers; do
        [ "$count" -le $((65536 / threads)) ] || { echo "$solver: a block of $threads threads can't run with $count registers a thread"; failed=1; }
    done
done <<END
$stages
END
exit $failed
