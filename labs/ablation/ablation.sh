#!/bin/sh
# Usage: labs/ablation/ablation.sh BUILD_DIR OUT.csv [SIZE]. What is a kernel waiting for? Takes parts of the AA
# stages away, as the files *.sed beside this one say, and times what is left, each step of a cycle separately. Builds in
# BUILD_DIR, a new folder or the one of the time before. The results of such kernels mean nothing; it is their time
# that counts. LBM_COMMIT names the state of the program where git can't.
set -eu
export LC_ALL=C

usage='usage: labs/ablation/ablation.sh BUILD_DIR OUT.csv [SIZE]'
build=${1:?$usage}
out=${2:?$usage}
size=${3:-4096}
top=$(cd "$(dirname "$0")/../.." && pwd)

script=ablation
. "$top/labs/copy.sh"
copy_source taken_away
keep_stages 00_cpu_aos 01_naive_gpu 02_soa 03_aa 04_aa_fp16s
names=
for stage in 03_aa 04_aa_fp16s; do
    names="$names $stage"
    for part in "$top"/labs/ablation/*.sed; do
        without=${stage}_without_$(basename "$part" .sed)
        names="$names $without"
        add_changed_stage "$without" $stage "$part"
    done
done
commit=${LBM_COMMIT:-$(git -c safe.directory='*' -C "$top" describe --always --dirty --tags 2>/dev/null || true)}
cmake -S "$build/source" -B "$build" -DBUILD_TESTING=OFF -Dcan_record=OFF -DLBM_COMMIT="$commit"
cmake --build "$build" --target lbm -j "$(nproc)"
# shellcheck disable=SC2086
"$build/lbm" bench $names --phases --repeat 3 --block 128x1 --sizes "$size" --csv "$out"
