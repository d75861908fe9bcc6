#!/bin/sh
# Usage: labs/l2/l2.sh BUILD_DIR OUT_DIR. What an L2 cache keeps, by the bytes of DRAM that Nsight Compute counts. Writes
# l2_streams.csv, of kernels that stream known bytes (l2.cu), and l2_stages.csv, of stages of the course. Each launch is
# counted in one pass: where ncu repeats a launch for more counters, it leaves sectors of its own in L2.
set -eu
export LC_ALL=C
usage='usage: labs/l2/l2.sh BUILD_DIR OUT_DIR'
build=${1:?$usage}
out=${2:?$usage}
here=$(dirname "$0")
metrics=dram__bytes_read.sum,dram__bytes_write.sum
stages=${STAGES:-01_naive_gpu 02_soa 03_aa 04_aa_fp16s 30_moments}
sizes=${SIZES:-512 768 1024 2048}

fail() {
    echo "l2: $*" >&2
    exit 3
}

command -v ncu >/dev/null || fail 'ncu (Nsight Compute, part of the CUDA toolkit) is not there'
[ -x "$build/lbm" ] || fail "$build/lbm is not there: build first"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
nvcc -O2 -arch=native -o "$work/l2" "$here/l2.cu"

# row PREFIX CACHES WHAT SIZE OPTIONS... COMMAND...: a row for each kernel, with PREFIX in place of WHAT
row() {
    prefix=$1 caches=$2 what=$3 size=$4
    shift 4
    ncu --cache-control "$caches" --clock-control none --csv --print-units base --metrics "$metrics" "$@" >"$work/report" 2>&1 ||
        fail "$what at $size: $(grep -m 1 -E '==ERROR==|^lbm:' "$work/report" || tail -n 1 "$work/report")"
    awk -v stage="$prefix" -v size="$size" -v metrics="$metrics" -f "$here/../record/profile.awk" "$work/report"
}

head_of() {
    echo "# command: labs/l2/l2.sh $build $out"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader -i 0)"
    echo "# bytes of L2, as the driver reports them: $("$work/l2")"
    echo "# profiler: $(ncu --version | tail -n 1)"
    echo "# dram_read_bytes, dram_write_bytes: $metrics"
}

{
    head_of
    echo '# one launch that stores so many MiB; L2 is empty before'
    echo 'what,mib,kernel,dram_read_bytes,dram_write_bytes'
    for kernel in store update copy add_rows; do
        for mib in 16 24 32 48 64 128 256 512; do
            row stream all "$kernel" "$mib" "$work/l2" "$kernel" "$mib"
        done
    done
} >"$work/streams"
{
    head_of
    echo "# program: $("$build/lbm" --version)"
    echo '# flow: poiseuille, N x N cells, block 128 x 1; means over the launches of a kernel, the seventh to the tenth'
    echo '# l2: empty before each launch, or kept from the launch before'
    echo 'l2,stage,size,kernel,dram_read_bytes,dram_write_bytes'
    for l2 in empty kept; do
        [ $l2 = empty ] && caches=all || caches=none
        for stage in $stages; do
            for size in $sizes; do
                row "$l2,$stage" "$caches" "$stage" "$size" --launch-skip 6 --launch-count 4 "$build/lbm" run "$stage" \
                    poiseuille --size "$size" --tau 0.8 --steps 61 --quiet --block 128x1
            done
        done
    done
} >"$work/stages"
cp "$work/streams" "$out/l2_streams.csv"
cp "$work/stages" "$out/l2_stages.csv"
