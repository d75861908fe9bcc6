#!/bin/sh
# Usage: labs/l2/model.sh BUILD_DIR OUT.csv. The bytes of DRAM that `lbm traffic --l2` predicts, beside those that Nsight Compute
# counted on an H200 (60 MiB of L2) and an H100 (50 MiB): a row for each GPU, stage, size and kernel. Takes some minutes.
set -eu
export LC_ALL=C
usage='usage: labs/l2/model.sh BUILD_DIR OUT.csv'
build=${1:?$usage}
out=${2:?$usage}
results=$(dirname "$0")/../results
[ -x "$build/lbm_traffic" ] || { echo "l2: $build/lbm_traffic is not there: build first, where gcc is there" >&2; exit 3; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

# All counts of DRAM in one form: l2,device,stage,size,kernel,read,written.
for device in nvidia-h200 nvidia-h100-80gb-hbm3; do
    awk -F, -v device=$device '!/^#/ && $2 ~ /^[0-9]/ { print "empty," device "," $1 "," $2 "," $3 "," $13 "," $14 }' \
        "$results/$device/profile.csv"
done >"$work/measured"
awk -F, '$1 == "kept" { print "kept,nvidia-h200," $2 "," $3 "," $4 "," $5 "," $6 }' "$results/nvidia-h200/l2_stages.csv" >>"$work/measured"

{
    echo "# command: labs/l2/model.sh $build $out"
    echo '# flow: poiseuille, N x N cells, block 128 x 1. Bytes an update, of which the launch of a kernel makes N x N'
    echo '# l2: empty before each launch, or kept from the launch before; error_percent: of read and written together, if empty'
    echo '# measured: profile.csv of that GPU if empty, nvidia-h200/l2_stages.csv if kept'
    echo 'l2,device,stage,size,kernel,read,written,measured_read,measured_written,error_percent'
} >"$work/table"
for device in nvidia-h200 nvidia-h100-80gb-hbm3; do
    [ $device = nvidia-h200 ] && cache=60M || cache=50M
    for stage in ${STAGES:-01_naive_gpu 02_soa 03_aa 04_aa_fp16s 05_links 06_two_cells 07_stochastic 30_moments}; do
        for size in ${SIZES:-512 768 1024 2048}; do
            grep -q ",$device,$stage,$size," "$work/measured" || continue
            "$build/lbm" traffic "$stage" --size "$size" --block 128x1 --l2 "$cache" --csv "$work/one.csv" >"$work/report"
            awk -F, -v device=$device -v stage="$stage" -v size="$size" '
                function row(l2, read, written) {
                    key = l2 "," device "," stage "," size "," $1
                    if (!(key in real_read)) return
                    r = real_read[key] / size ^ 2; w = real_written[key] / size ^ 2
                    read /= size ^ 2; written /= size ^ 2
                    printf "%s,%.2f,%.2f,%.2f,%.2f,%s\n", key, read, written, r, w,
                        l2 == "kept" ? "" : sprintf("%.1f", 100 * (read + written - r - w) / (r + w))
                }
                /^#/ || $1 == "kernel" { next }
                FNR == NR { key = $1 "," $2 "," $3 "," $4 "," $5; real_read[key] = $6; real_written[key] = $7; next }
                $5 == "load" { kept[$1] = $12; empty[$1] = $13 }
                $5 == "store" { row("empty", empty[$1], $13); row("kept", kept[$1], $12) }
            ' "$work/measured" "$work/one.csv" >>"$work/rows"
        done
    done
done
grep ^empty "$work/rows" >>"$work/table"
grep ^kept "$work/rows" >>"$work/table"
cp "$work/table" "$out"
