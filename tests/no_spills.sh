#!/bin/sh
# Usage: no_spills.sh NVCC SOURCE TABLE STAGE. Compiles a stage of TABLE, the build's stages.tsv, that runs on the GPU
# for compute capability 7.5, the least of the course (which 24, 43 and 53 to 55 refuse, but compile for), for an H200 and
# for the newest GPUs, as far as nvcc knows them, and reads ptxas' report: no kernel may need a stack frame or spill a
# register, nor more registers than the stage's REGISTERS.
set -eu
export LC_ALL=C
nvcc=$1
row=$(awk -F '\t' -v stage="$4" '$1 == stage { sub(/^-$/, "", $8); print $2, $9, $8 }' "$3")
cd "$2"
read -r solver most flags <<END
$row
END

failed=0
check() { # ARCHITECTURE
    # shellcheck disable=SC2086
    report=$("$nvcc" -O3 "-arch=$1" -Xptxas -v -Icommon -DSTAGE=stage -DSTAGE_NAME='""' $flags -cubin "$solver" -o /dev/null 2>&1) ||
        { echo "$report"; exit 1; }
    kernels=$(echo "$report" | grep -c 'Compiling entry function' || true)
    clean=$(echo "$report" | grep -c ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' || true)
    registers=$(echo "$report" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' | tr '\n' ' ')
    echo "$solver, $1: $kernels kernels, $clean without stack frame and spills, registers $registers"
    [ "$kernels" -gt 0 ] && [ "$kernels" -eq "$clean" ] || failed=1
    for count in $registers; do
        [ "$count" -le "$most" ] || { echo "$solver: $count registers a thread are more than its $most"; failed=1; }
    done
}

known=$("$nvcc" --list-gpu-code)
for architecture in sm_75 sm_90 sm_120; do
    ! echo "$known" | grep -qx "$architecture" || check "$architecture"
done
exit $failed
