#!/bin/sh
# Usage: [BLOCK=128x1] [STAGES=...] [FLOW=poiseuille] labs/record/profile.sh BUILD_DIR OUT.csv [SIZE...]. Reads the
# hardware counters that the course discusses, with Nsight Compute, at these sizes (default 512 1024 2048 4096): one row a
# kernel. Without STAGES it profiles every GPU stage in the plane but those of small grids, which make all steps in few
# launches. Leaves the clocks alone; the caches are flushed before each launch, which is what ncu does unless told
# otherwise.
set -eu
export LC_ALL=C

usage='usage: labs/record/profile.sh BUILD_DIR OUT.csv [SIZE...]'
build=${1:?$usage}
out=${2:?$usage}
shift 2
[ $# -gt 0 ] || set -- 512 1024 2048 4096
here=$(dirname "$0")
lbm=$build/lbm
block=${BLOCK:-128x1}
flow=${FLOW:-poiseuille}

metrics=dram__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,lts__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,sm__throughput.avg.pct_of_peak_sustained_elapsed
metrics=$metrics,l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct
metrics=$metrics,l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio
metrics=$metrics,l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio
metrics=$metrics,sm__warps_active.avg.pct_of_peak_sustained_active
metrics=$metrics,launch__registers_per_thread
metrics=$metrics,gpu__time_duration.sum
metrics=$metrics,dram__bytes_read.sum
metrics=$metrics,dram__bytes_write.sum
metrics=$metrics,l1tex__m_l1tex2xbar_write_bytes.sum
names=dram_percent,l2_percent,sm_percent,l1_hit_percent,sectors_per_load,sectors_per_store
names=$names,occupancy_percent,registers,time_ns,dram_read_bytes,dram_write_bytes,l2_write_bytes

fail() {
    echo "profile: $*" >&2
    exit 3
}

[ ! -e "$out" ] || [ -f "$out" ] || fail "OUT is $out: a table is a file, not a folder or a device"
command -v ncu >/dev/null || fail 'ncu (Nsight Compute, part of the CUDA toolkit) is not there: no profile'
[ -x "$lbm" ] || fail "$lbm is not there: build first"
stages=${STAGES:-$(awk -v where='runs_on=gpu built=yes lattice=d2q9' -f "$here/stages.awk" "$build/stages.tsv" | grep -v '^4')}

report=$(mktemp)
table=$(mktemp "$out.XXXXXX")
trap 'rm -f "$report" "$table"' EXIT
trap 'exit 130' INT TERM HUP

{
    echo "# command: BLOCK=$block${STAGES:+ STAGES=\"$STAGES\"}${FLOW:+ FLOW=$FLOW} labs/record/profile.sh $build $out $*"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# program: $("$lbm" --version)"
    echo "# device and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader -i 0 2>/dev/null || echo unknown)"
    echo "# profiler: $(ncu --version | tail -n 1)"
    echo "# flow: $flow, N cells a side, block $block; means over the launches of a kernel, the seventh to the tenth"
    echo "# caches: flushed before each launch"
    echo "$names,$metrics" | awk -F, '{ for (n = 1; n <= NF / 2; n++) print "# " $n ": " $(n + NF / 2) }'
    echo "stage,size,kernel,$names"
} >"$table"

for stage in $stages; do
    for size in "$@"; do
        status=0
        # The start of a flow and looks at it are kernels, too: they end in _kernel.
        ncu --clock-control none --csv --print-units base --kernel-name 'regex:^(?!.*_kernel$)' --launch-skip 6 \
            --launch-count 4 --metrics "$metrics" \
            "$lbm" run "$stage" "$flow" --size "$size" --tau 0.8 --steps 61 --quiet --block "$block" \
            >"$report" 2>&1 || status=$?
        grep '^lbm: .* refuses ' "$report" && continue # a grid that the stage does not take
        [ $status -eq 0 ] || fail "$stage at $size: $(grep -m 1 -E '==ERROR==|^lbm:' "$report" || tail -n 1 "$report")"
        awk -v stage="$stage" -v size="$size" -v metrics="$metrics" -f "$here/profile.awk" "$report" >>"$table" ||
            fail "$stage at $size: no kernel was seen: $(grep -m 1 -E '==(ERROR|WARNING)==' "$report" || tail -n 1 "$report")"
        echo "profile: $stage at $size"
    done
done
chmod 644 "$table"
mv "$table" "$out"
