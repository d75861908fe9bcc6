#!/bin/sh
# Usage: no_spills.sh NVCC SOURCE TABLE STAGE. Compiles a stage of TABLE, the build's stages.tsv, that runs on the GPU
# for sm_90 and reads ptxas' report: no kernel may need a stack frame or spill a register, nor more registers than the
# stage's REGISTERS.
set -eu
export LC_ALL=C
nvcc=$1
row=$(awk -F '\t' -v stage="$4" '$1 == stage { sub(/^-$/, "", $8); print $2, $9, $8 }' "$3")
cd "$2"
read -r solver most flags <<END
$row
END

# shellcheck disable=SC2086
report=$("$nvcc" -O3 -arch=sm_90 -Xptxas -v -Icommon -DSTAGE=stage -DSTAGE_NAME='""' $flags -c "$solver" -o /dev/null 2>&1) ||
    { echo "$report"; exit 1; }
kernels=$(echo "$report" | grep -c 'Compiling entry function' || true)
clean=$(echo "$report" | grep -c ' 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads' || true)
registers=$(echo "$report" | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p' | tr '\n' ' ')
echo "$solver: $kernels kernels, $clean without stack frame and spills, registers $registers"
failed=0
[ "$kernels" -gt 0 ] && [ "$kernels" -eq "$clean" ] || failed=1
for count in $registers; do
    [ "$count" -le "$most" ] || { echo "$solver: $count registers a thread are more than its $most"; failed=1; }
done
exit $failed
