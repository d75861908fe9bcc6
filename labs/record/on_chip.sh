#!/bin/sh
# Usage: labs/record/on_chip.sh BUILD_DIR OUT.csv [SIZE...]. For the stages that keep a small grid on the chip: what
# `lbm traffic` counts of one launch beside the hardware counters of the same launch, the second of `lbm bench`, which
# makes one cycle of steps. Sizes are up to 16 (the default), where a block has one row on the emulator and on a GPU.
# The loads of a GPU include all polls, of which the count has one each.
set -eu
export LC_ALL=C

usage='usage: labs/record/on_chip.sh BUILD_DIR OUT.csv [SIZE...]'
build=${1:?$usage}
out=${2:?$usage}
shift 2
[ $# -gt 0 ] || set -- 16
here=$(dirname "$0")
lbm=$build/lbm

requests=l1tex__t_requests_pipe_lsu_mem_global_op
sectors=l1tex__t_sectors_pipe_lsu_mem_global_op
shared=smsp__inst_executed_op_shared
wavefronts=l1tex__data_pipe_lsu_wavefronts_mem_shared_op
metrics=${requests}_ld.sum,${sectors}_ld.sum,${requests}_st.sum,${sectors}_st.sum
metrics=$metrics,${shared}_ld.sum,${wavefronts}_ld.sum,${shared}_st.sum,${wavefronts}_st.sum

fail() {
    echo "on_chip: $*" >&2
    exit 3
}

command -v ncu >/dev/null || fail 'ncu (Nsight Compute, part of the CUDA toolkit) is not there: no counters'
[ -x "$lbm" ] || fail "$lbm is not there: build first"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
{
    echo "# command: labs/record/on_chip.sh $build $out $*"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$lbm" --version)"
    echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader -i 0 2>/dev/null || echo unknown)"
    echo "# profiler: $(ncu --version | tail -n 1)"
    echo "# flow: poiseuille, N cells a side; one launch; of shared memory, sectors are wavefronts"
    echo "# metrics: $metrics"
    echo 'stage,size,kernel,access,requests,sectors,measured_requests,measured_sectors'
} >"$work/table"
for stage in $(awk -v where='runs_on=gpu built=yes' -f "$here/stages.awk" "$build/stages.tsv" | grep '^4[1-9]'); do
    for size in "$@"; do
        "$lbm" traffic "$stage" poiseuille --size "$size" --csv "$work/counted" >/dev/null
        status=0
        LBM_REPEAT_MS=1 ncu --clock-control none --csv --print-units base --kernel-name regex:advance_ --launch-skip 1 \
            --launch-count 1 --metrics "$metrics" "$lbm" bench "$stage" --sizes "$size" --repeat 1 >"$work/report" 2>&1 || status=$?
        grep -E '^lbm: .* refuses |^left out ' "$work/report" && continue # a device without clusters, as a rule
        [ $status -eq 0 ] ||
            fail "$stage at $size: $(grep -m 1 -E '==ERROR==|^lbm:' "$work/report" || tail -n 1 "$work/report")"
        awk -v stage="$stage" -v size="$size" -v metrics="$metrics" -f "$here/profile.awk" "$work/report" >"$work/measured" ||
            fail "$stage at $size: no kernel was seen: $(tail -n 1 "$work/report")"
        awk -F, '
            FNR == NR { for (n = 0; n < 4; n++) found[$3, n] = $(4 + 2 * n) "," $(5 + 2 * n); at = $1 "," $2; next }
            /^#/ || $1 == "kernel" { next }
            {
                split("load,store,shared load,shared store", access, ",")
                for (n = 0; n < 4; n++)
                    if ($5 == access[n + 1])
                        print at "," $1 "," $5 "," $7 "," $8 "," found[$1, n]
            }' "$work/measured" "$work/counted" >>"$work/table"
        echo "on_chip: $stage at $size"
    done
done
cp "$work/table" "$out"
